#include "sim/base/temp_file_stream.h"

namespace sim {

TempFileStream::TempFileStream(TempFile& file) : std::istream(nullptr), buffer_(file) {
    file.rewind();
    rdbuf(&buffer_);
    exceptions(std::ios::badbit);
}

TempFileStream::Buffer::int_type TempFileStream::Buffer::underflow() {
    const std::size_t count = file.read_some(bytes.data(), bytes.size());
    if (count == 0) return traits_type::eof();
    setg(bytes.data(), bytes.data(), bytes.data() + count);
    return traits_type::to_int_type(bytes.front());
}

}  // namespace sim
