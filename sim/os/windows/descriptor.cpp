#include "sim/os/descriptor.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <utility>

#include "sim/os/windows/wide.h"

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
    return ::_close(std::exchange(number_, -1)) == 0 ? 0 : errno;
}

Descriptor open_file(const std::string& path, OpenMode mode) {
    DWORD access = GENERIC_READ, creation = OPEN_EXISTING;
    int flags = _O_RDONLY;
    if (mode == OpenMode::write || mode == OpenMode::create) {
        access = GENERIC_WRITE;
        flags = _O_WRONLY;
    }
    if (mode == OpenMode::create) creation = CREATE_NEW;
    if (mode == OpenMode::read_append) {
        access = GENERIC_READ | GENERIC_WRITE;
        creation = OPEN_ALWAYS;
        flags = _O_RDWR | _O_APPEND;
    }
    // Other programs may read, replace or delete the file meanwhile, as on other systems.
    const HANDLE handle =
        CreateFileW(wide_path(path).c_str(), access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    nullptr, creation, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle == INVALID_HANDLE_VALUE) {
        errno = last_errno();
        return Descriptor();
    }
    const int number =
        _open_osfhandle(reinterpret_cast<std::intptr_t>(handle), flags | _O_BINARY | _O_NOINHERIT);
    if (number < 0) {
        const int error = errno;
        CloseHandle(handle);
        errno = error;
    }
    return Descriptor(number);
}

int write_all(int descriptor, std::string_view bytes) {
    // A console writes at most 32 KiB at once.
    constexpr std::size_t kMost = 32 << 10;
    while (!bytes.empty()) {
        std::size_t size = std::min(bytes.size(), kMost);
        // A console would show a character of which it gets the first bytes only as an error.
        if (size < bytes.size())
            for (int i = 0; i < 3 && (static_cast<unsigned char>(bytes[size]) & 0xc0) == 0x80; ++i) --size;
        const int n = ::_write(descriptor, bytes.data(), static_cast<unsigned>(size));
        // Windows reports a pipe without a reader as an invalid argument.
        if (n < 0) return errno == EINVAL ? EPIPE : errno;
        if (n == 0) return EIO;  // otherwise the loop could be endless
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return 0;
}

std::ptrdiff_t read_some(int descriptor, char* buffer, std::size_t most) {
    constexpr std::size_t kMost = 1 << 20;
    return ::_read(descriptor, buffer, static_cast<unsigned>(std::min(most, kMost)));
}

}  // namespace sim::os
