// Reads the lines of a file of any size in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <string_view>
#include <vector>

namespace sim::trace_io {

class LineReader {
  public:
    static constexpr std::size_t kLongest = std::size_t{64} << 10;  // maximum bytes per line
    // Maximum bytes of the header line of an export, which lists all threads of the export.
    static constexpr std::size_t kLongestHeader = std::size_t{8} << 20;
    static constexpr std::string_view kHeader = "# switchyard: ";

    explicit LineReader(std::istream& in);

    // Stores the next line, without its end (\n or \r\n), in `line`. Returns false at the end of the file.
    // The line is valid until the next call.
    bool next_line(std::string_view& line);
    // Number of the line returned by next_line(), from 1.
    std::uint64_t line_number() const { return number_; }
    // True if the line returned by next_line() exceeded the limit; next_line() has then returned an empty
    // line.
    bool was_too_long() const { return was_too_long_; }

    // The beginning of the file, at most 64 KiB. REQUIRES: next_line() has not been called.
    std::string_view beginning();

  private:
    bool fill_buffer();
    std::size_t max_line_length() const;

    std::istream& in_;
    std::vector<char> bytes_;
    std::size_t at_ = 0, end_ = 0;  // range in bytes_ that has been read but not returned
    std::uint64_t number_ = 0;
    bool was_too_long_ = false, is_over_ = false;
};

}  // namespace sim::trace_io
