#include "sim/base/input_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "sim/base/problem.h"
#include "sim/os/files.h"
#include "sim/os/streams.h"

namespace sim {

InputFile::InputFile(const std::string& path) : std::istream(nullptr), buffer_(path) {
    rdbuf(&buffer_);
    exceptions(std::ios::badbit);
}

bool InputFile::read_interactive_line(std::string& line) {
    line.clear();
    ++lines_;
    for (;;) {
        const Buffer::int_type next = buffer_.sbumpc();
        if (next == Buffer::traits_type::eof()) return !line.empty();
        if (next == '\n') return true;
        if (line.size() == kLongestTyped)
            throw ScenarioError(Problem{
                name(), lines_, 1, {}, fmt::format("this line is longer than {} bytes", kLongestTyped)});
        line += Buffer::traits_type::to_char_type(next);
    }
}

InputFile::Buffer::Buffer(const std::string& path)
    : name(path == "-" ? "standard input" : path), bytes(1 << 16) {
    if (path == "-") return;
    file = os::open_file(path, os::OpenMode::read);
    os::FileStatus status;
    const int error = file.is_open() ? os::get_file_status(file, status) : errno;
    if (error != 0)
        throw_error(error == ENOENT   ? "no such file"
                    : error == EISDIR ? "expected a file, got a directory"
                                      : fmt::format("cannot be opened: {}", std::strerror(error)));
    if (status.kind == os::FileKind::directory) throw_error("expected a file, got a directory");
}

InputFile::Buffer::int_type InputFile::Buffer::underflow() {
    const std::ptrdiff_t n =
        os::read_some(file.is_open() ? file.number() : os::kStandardInput, bytes.data(), bytes.size());
    if (n < 0) throw_error(fmt::format("cannot be read: {}", std::strerror(errno)));
    if (n == 0) return traits_type::eof();
    setg(bytes.data(), bytes.data(), bytes.data() + n);
    return traits_type::to_int_type(bytes[0]);
}

void InputFile::Buffer::throw_error(const std::string& reason) const {
    throw ScenarioError(Problem{name, 0, 0, {}, reason});
}

}  // namespace sim
