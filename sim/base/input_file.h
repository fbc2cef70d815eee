// An input stream that throws on read errors and lack of memory. The standard streams only set a bit, which
// callers easily miss.
#pragma once

#include <istream>
#include <streambuf>
#include <string>
#include <vector>

#include "sim/os/descriptor.h"

namespace sim {

inline constexpr std::size_t kLongestTyped = 4096;  // in bytes

class InputFile : public std::istream {
  public:
    // Opens a file, or standard input for "-". Throws ScenarioError if the file does not exist or is a
    // directory. Reading throws ScenarioError on failure and passes on std::bad_alloc.
    explicit InputFile(const std::string& path);

    const std::string& name() const { return buffer_.name; }  // for messages

    // Reads the next line of interactive input, without its end. Returns false if there is no further line.
    // Throws ScenarioError with the line number if the line is longer than kLongestTyped.
    bool read_interactive_line(std::string& line);

  private:
    struct Buffer : std::streambuf {
        explicit Buffer(const std::string& path);
        int_type underflow() override;
        [[noreturn]] void throw_error(const std::string& reason) const;

        std::string name;
        os::Descriptor file;  // not open if standard input is read
        std::vector<char> bytes;
    };

    Buffer buffer_;
    int lines_ = 0;  // lines read by read_interactive_line()
};

}  // namespace sim
