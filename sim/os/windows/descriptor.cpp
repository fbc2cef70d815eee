#include "sim/os/descriptor.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <string>
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

Descriptor descriptor_of(void* handle, int flags) {
    const int number =
        _open_osfhandle(reinterpret_cast<std::intptr_t>(handle), flags | _O_BINARY | _O_NOINHERIT);
    if (number < 0) {
        const int error = errno;
        CloseHandle(handle);
        errno = error;
    }
    return Descriptor(number);
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
    // Other programs may read, replace or delete the file while it is open, as on other systems.
    const HANDLE handle =
        CreateFileW(wide_path(path).c_str(), access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    nullptr, creation, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle == INVALID_HANDLE_VALUE) {
        errno = last_errno();
        // For a directory, the error is EISDIR, as on other systems.
        const DWORD attributes = GetFileAttributesW(wide_path(path).c_str());
        if (errno == EACCES && attributes != INVALID_FILE_ATTRIBUTES &&
            (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0)
            errno = EISDIR;
        return Descriptor();
    }
    return descriptor_of(handle, flags);
}

namespace {

// The console of a descriptor; nullptr if the descriptor is not a console.
HANDLE console_of(int descriptor) {
    const HANDLE handle = reinterpret_cast<HANDLE>(_get_osfhandle(descriptor));
    DWORD mode = 0;
    return GetConsoleMode(handle, &mode) != 0 ? handle : nullptr;
}

// Writes UTF-8 to a console. Allocates nothing. The code page of the console, which other programs share,
// does not matter.
int write_to_console(HANDLE console, std::string_view bytes) {
    constexpr std::size_t kMost = 4096;
    wchar_t text[kMost];
    while (!bytes.empty()) {
        std::size_t size = std::min(bytes.size(), kMost);
        if (size < bytes.size())  // shortens the chunk so that it does not end inside a character
            for (int i = 0; i < 3 && (static_cast<unsigned char>(bytes[size]) & 0xc0) == 0x80; ++i) --size;
        const int units = MultiByteToWideChar(CP_UTF8, 0, bytes.data(), static_cast<int>(size), text,
                                              static_cast<int>(kMost));
        for (DWORD done = 0, n = 0; done < static_cast<DWORD>(units); done += n)
            if (!WriteConsoleW(console, text + done, static_cast<DWORD>(units) - done, &n, nullptr) || n == 0)
                return EIO;
        bytes.remove_prefix(size);
    }
    return 0;
}

// Reads a typed line, or a part of a long line, as UTF-8 with "\n" at the end of the line. ReadFile() of
// Windows 10 would lose letters that are not ASCII.
std::ptrdiff_t read_from_console(HANDLE console, char* buffer, std::size_t max_bytes) {
    constexpr wchar_t kCtrlZ = 0x1a;
    static std::string typed;  // part of a typed line that did not fit into the caller's buffer
    if (typed.empty()) {
        wchar_t text[1024];
        DWORD units = 0;
        if (!ReadConsoleW(console, text, 1024, &units, nullptr)) {
            errno = EIO;
            return -1;
        }
        if (units == 0 || text[0] == kCtrlZ) return 0;
        typed = utf8_of({text, units});
        std::erase(typed, '\r');
    }
    const std::size_t size = std::min(typed.size(), max_bytes);
    std::copy_n(typed.data(), size, buffer);
    typed.erase(0, size);
    return static_cast<std::ptrdiff_t>(size);
}

}  // namespace

int write_all(int descriptor, std::string_view bytes) {
    if (const HANDLE console = console_of(descriptor)) return write_to_console(console, bytes);
    constexpr std::size_t kMost = 1 << 20;
    while (!bytes.empty()) {
        const int n =
            ::_write(descriptor, bytes.data(), static_cast<unsigned>(std::min(bytes.size(), kMost)));
        // Windows reports a pipe without a reader as an invalid argument.
        if (n < 0) return errno == EINVAL && _doserrno == ERROR_NO_DATA ? EPIPE : errno;
        if (n == 0) return EIO;  // otherwise the loop could be endless
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return 0;
}

std::ptrdiff_t read_some(int descriptor, char* buffer, std::size_t max_bytes) {
    if (const HANDLE console = console_of(descriptor)) return read_from_console(console, buffer, max_bytes);
    constexpr std::size_t kMost = 1 << 20;
    return ::_read(descriptor, buffer, static_cast<unsigned>(std::min(max_bytes, kMost)));
}

}  // namespace sim::os
