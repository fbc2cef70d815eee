#include "sim/os/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace sim::os {

Descriptor::~Descriptor() { close(); }

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    if (this != &other) {
        close();
        number_ = std::exchange(other.number_, -1);
    }
    return *this;
}

int Descriptor::close() {
    if (number_ < 0) return 0;
    // Linux releases the descriptor even if close() is interrupted.
    return ::close(std::exchange(number_, -1)) == 0 || errno == EINTR ? 0 : errno;
}

namespace {

int flags_of(OpenMode mode) {
    switch (mode) {
        case OpenMode::read:
            return O_RDONLY;
        case OpenMode::write:
            return O_WRONLY;
        case OpenMode::create:
            return O_WRONLY | O_CREAT | O_EXCL;
        case OpenMode::read_append:
            break;
    }
    return O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK;
}

}  // namespace

Descriptor open_file(const std::string& path, OpenMode mode) {
    for (;;) {
        const int number = ::open(path.c_str(), flags_of(mode) | O_CLOEXEC, 0666);
        if (number >= 0 || errno != EINTR) return Descriptor(number);
    }
}

int write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        if (n == 0) return EIO;  // otherwise the loop could be endless
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return 0;
}

std::ptrdiff_t read_some(int descriptor, char* buffer, std::size_t max_bytes) {
    for (;;) {
        const ssize_t n = ::read(descriptor, buffer, max_bytes);
        if (n >= 0 || errno != EINTR) return n;
    }
}

}  // namespace sim::os
