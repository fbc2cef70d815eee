// What a file without a name has, as a stream from its beginning on.
#pragma once

#include <istream>
#include <streambuf>
#include <vector>

#include "sim/base/nameless_file.h"

namespace sim {

class NamelessStream : public std::istream {
  public:
    // The file outlives this, and nothing else is done with it meanwhile. What reads from it throws FileError
    // when that fails.
    explicit NamelessStream(NamelessFile& file);

  private:
    struct Buffer : std::streambuf {
        explicit Buffer(NamelessFile& of) : file(of), bytes(1 << 16) {}
        int_type underflow() override;

        NamelessFile& file;
        std::vector<char> bytes;
    };

    Buffer buffer_;
};

}  // namespace sim
