// What another program prints, to read as a stream while it runs: a decompressor, a tracer's own reader.
#pragma once

#include <sys/types.h>

#include <istream>
#include <streambuf>
#include <string>
#include <vector>

#include "sim/base/descriptor.h"
#include "sim/base/nameless_file.h"

namespace sim {

class ChildStream : public std::istream {
  public:
    // Starts a program that is searched for in PATH, with nothing on its standard input. Throws FileError
    // when it is not there, or cannot be started. What reads from it throws FileError when that fails.
    // REQUIRES: words is not empty.
    explicit ChildStream(const std::vector<std::string>& words);
    // Ends it, if it has not ended.
    ~ChildStream() override;

    // Waits for its end, and returns its exit code, or 128 and the number of the signal that ended it. What
    // it has said on standard error is in complaint() then. REQUIRES: all of its output was read.
    int finish();
    const std::string& complaint() const { return complaint_; }

  private:
    struct Buffer : std::streambuf {
        int_type underflow() override;

        std::string name;
        Descriptor out;
        std::vector<char> bytes;
    };

    Buffer buffer_;
    NamelessFile err_;
    std::string complaint_;
    pid_t child_ = -1;
};

}  // namespace sim
