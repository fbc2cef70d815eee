#include "sim/base/nameless_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sim/base/descriptor.h"
#include "sim/base/whole_file.h"

namespace sim {
namespace {

[[noreturn]] void refuse_nameless(const char* what, int error) {
    throw FileError(fmt::format("a temporary file cannot be {}: {}", what, std::strerror(error)));
}

}  // namespace

NamelessFile::NamelessFile() : file_(std::tmpfile(), &std::fclose) {
    if (!file_) throw FileError(fmt::format("no temporary file can be made: {}", std::strerror(errno)));
}

void NamelessFile::write(std::string_view bytes) {
    if (const int error = write_all(descriptor(), bytes); error != 0) refuse_nameless("written", error);
}

void NamelessFile::rewind() {
    if (lseek(descriptor(), 0, SEEK_SET) != 0) refuse_nameless("read", errno);
}

void NamelessFile::read(const std::function<void(std::string_view bytes)>& take) {
    rewind();
    char buffer[1 << 16];
    for (std::ptrdiff_t n; (n = read_some(descriptor(), buffer, sizeof buffer)) != 0;) {
        if (n < 0) refuse_nameless("read", errno);
        take({buffer, static_cast<std::size_t>(n)});
    }
}

std::string NamelessFile::read() {
    std::string text;
    read([&](std::string_view bytes) { text += bytes; });
    return text;
}

}  // namespace sim
