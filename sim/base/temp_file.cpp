#include "sim/base/temp_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "sim/base/atomic_file.h"
#include "sim/os/files.h"

namespace sim {
namespace {

[[noreturn]] void throw_temp_file_error(const char* failed_action, int error) {
    throw FileError(fmt::format("a temporary file cannot be {}: {}", failed_action, std::strerror(error)));
}

}  // namespace

TempFile::TempFile() : file_(os::open_temporary_file()) {
    if (!file_.is_open())
        throw FileError(fmt::format("a temporary file cannot be created: {}", std::strerror(errno)));
}

void TempFile::write(std::string_view bytes) {
    if (const int error = os::write_all(descriptor(), bytes); error != 0)
        throw_temp_file_error("written", error);
}

void TempFile::rewind() {
    if (const int error = os::seek_to_start(file_); error != 0) throw_temp_file_error("read", error);
}

std::size_t TempFile::read_some(char* buffer, std::size_t max_bytes) {
    const std::ptrdiff_t count = os::read_some(descriptor(), buffer, max_bytes);
    if (count < 0) throw_temp_file_error("read", errno);
    return static_cast<std::size_t>(count);
}

void TempFile::read(const std::function<void(std::string_view bytes)>& process_chunk) {
    rewind();
    char buffer[1 << 16];
    for (std::size_t n; (n = read_some(buffer, sizeof buffer)) != 0;) process_chunk({buffer, n});
}

std::string TempFile::read() {
    std::string text;
    read([&](std::string_view bytes) { text += bytes; });
    return text;
}

}  // namespace sim
