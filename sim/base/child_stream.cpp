#include "sim/base/child_stream.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "sim/base/atomic_file.h"

namespace sim {

ChildStream::ChildStream(const std::vector<std::string>& words) : std::istream(nullptr) {
    os::Descriptor its_end;
    if (const int failed = os::make_child_output_pipe(buffer_.out, its_end); failed != 0)
        throw FileError(fmt::format("{}: {}", words[0], std::strerror(failed)));
    const int failed = child_.start(words, {.out = its_end.number(), .err = err_.descriptor()});
    if (failed != 0)
        throw FileError(failed == ENOENT
                            ? fmt::format("{} is not installed", words[0])
                            : fmt::format("{} cannot be run: {}", words[0], std::strerror(failed)));
    buffer_.name = words[0];
    buffer_.bytes.resize(1 << 16);
    rdbuf(&buffer_);
    exceptions(std::ios::badbit);
}

int ChildStream::finish() {
    os::ChildExitStatus ended;
    if (const int failed = child_.wait(ended); failed != 0)
        throw FileError(fmt::format("{}: {}", buffer_.name, std::strerror(failed)));
    error_output_ = err_.read();
    return ended.exit_code;
}

ChildStream::Buffer::int_type ChildStream::Buffer::underflow() {
    const std::ptrdiff_t n = os::read_some(out.number(), bytes.data(), bytes.size());
    if (n < 0) throw FileError(fmt::format("{}: {}", name, std::strerror(errno)));
    if (n == 0) return traits_type::eof();
    setg(bytes.data(), bytes.data(), bytes.data() + n);
    return traits_type::to_int_type(bytes[0]);
}

}  // namespace sim
