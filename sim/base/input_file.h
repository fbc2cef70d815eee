// A file to read as a stream, from which nothing gets lost silently: what the standard library's streams keep
// in a bit that few look at, a failing disk or a lack of memory, is thrown here.
#pragma once

#include <istream>
#include <streambuf>
#include <string>
#include <vector>

#include "sim/base/descriptor.h"

namespace sim {

inline constexpr std::size_t kLongestTyped = 4096;  // in bytes

class InputFile : public std::istream {
  public:
    // A file, or standard input for "-". What reads from it throws ScenarioError when the file cannot be read
    // on, and passes on std::bad_alloc. Throws ScenarioError when there is no such file, or it is a folder.
    explicit InputFile(const std::string& path);

    const std::string& name() const { return buffer_.name; }  // for messages

    // The next line, without its end, for somebody who types: false when there is none. Throws ScenarioError
    // with the place when it is longer than kLongestTyped.
    bool typed_line(std::string& line);

  private:
    struct Buffer : std::streambuf {
        explicit Buffer(const std::string& path);
        int_type underflow() override;
        [[noreturn]] void refuse(const std::string& why) const;

        std::string name;
        Descriptor file;  // not open: standard input
        std::vector<char> bytes;
    };

    Buffer buffer_;
    int lines_ = 0;  // typed
};

}  // namespace sim
