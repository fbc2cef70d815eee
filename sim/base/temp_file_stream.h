// Reads a TempFile as a stream, from its start.
#pragma once

#include <istream>
#include <streambuf>
#include <vector>

#include "sim/base/temp_file.h"

namespace sim {

class TempFileStream : public std::istream {
  public:
    // Reading throws FileError on failure. REQUIRES: the file outlives the stream and is not used by other
    // code while the stream exists.
    explicit TempFileStream(TempFile& file);

  private:
    struct Buffer : std::streambuf {
        explicit Buffer(TempFile& of) : file(of), bytes(1 << 16) {}
        int_type underflow() override;

        TempFile& file;
        std::vector<char> bytes;
    };

    Buffer buffer_;
};

}  // namespace sim
