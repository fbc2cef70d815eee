// The lines of a file of any size, in memory of one size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <string_view>
#include <vector>

namespace sim::exchange {

class TextLines {
  public:
    static constexpr std::size_t kLongest = std::size_t{64} << 10;  // in bytes
    // Of a line that begins like the header of an export, which has all of its threads.
    static constexpr std::size_t kLongestHeader = std::size_t{8} << 20;
    static constexpr std::string_view kHeader = "# switchyard: ";

    explicit TextLines(std::istream& in);

    // The next line, without its end (\n or \r\n); false when there is none. It is a loan until the next
    // call.
    bool next(std::string_view& line);
    // From 1, of the line that next() gave.
    std::uint64_t number() const { return number_; }
    // Whether that line is longer than it may be, and is given as an empty one.
    bool was_too_long() const { return was_too_long_; }

    // The beginning of the file, at most 64 KiB. REQUIRES: no line has been taken.
    std::string_view beginning();

  private:
    bool fill();
    std::size_t longest() const;

    std::istream& in_;
    std::vector<char> bytes_;
    std::size_t at_ = 0, end_ = 0;  // what has been read, and is no line yet
    std::uint64_t number_ = 0;
    bool was_too_long_ = false, is_over_ = false;
};

}  // namespace sim::exchange
