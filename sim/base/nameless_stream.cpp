#include "sim/base/nameless_stream.h"

namespace sim {

NamelessStream::NamelessStream(NamelessFile& file) : std::istream(nullptr), buffer_(file) {
    file.rewind();
    rdbuf(&buffer_);
    exceptions(std::ios::badbit);
}

NamelessStream::Buffer::int_type NamelessStream::Buffer::underflow() {
    const std::size_t count = file.read_some(bytes.data(), bytes.size());
    if (count == 0) return traits_type::eof();
    setg(bytes.data(), bytes.data(), bytes.data() + count);
    return traits_type::to_int_type(bytes.front());
}

}  // namespace sim
