// Reads the output of another program as a stream while it runs. Used for decompressors and for programs that
// print binary trace files as text.
#pragma once

#include <istream>
#include <streambuf>
#include <string>
#include <vector>

#include "sim/base/temp_file.h"
#include "sim/os/child_process.h"

namespace sim {

class ChildStream : public std::istream {
  public:
    // Starts a program from PATH with empty standard input. Throws FileError if the program is not
    // installed or cannot be started. Reading throws FileError on failure. REQUIRES: words is not empty.
    explicit ChildStream(const std::vector<std::string>& words);
    // Kills the program if it is still running.
    ~ChildStream() override = default;

    // Waits until the program exits and sets error_output() to its standard error output. Returns the exit
    // code as in ChildProgramResult. REQUIRES: all of its output was read.
    int finish();
    const std::string& error_output() const { return error_output_; }

  private:
    struct Buffer : std::streambuf {
        int_type underflow() override;

        std::string name;
        os::Descriptor out;
        std::vector<char> bytes;
    };

    Buffer buffer_;
    TempFile err_;
    std::string error_output_;
    os::ChildProcess child_;
};

}  // namespace sim
