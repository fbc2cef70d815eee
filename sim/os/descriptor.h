// RAII file descriptors; retries interrupted calls and short writes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sim::os {

// Closes the descriptor on destruction and ignores errors; call close() to see them.
class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    ~Descriptor();
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;

    bool is_open() const { return number_ >= 0; }
    int number() const { return number_; }
    // Returns 0 or errno.
    int close();

  private:
    int number_;
};

enum class OpenMode {
    read,
    write,       // an existing file, device or pipe; does not truncate it
    create,      // a new file; fails with EEXIST if it exists
    read_append  // read from start, write at end; created if missing; opening a pipe never blocks
};

// Opens a file; `path` is UTF-8. No child process inherits the descriptor. On failure the result is not open
// and errno is set.
Descriptor open_file(const std::string& path, OpenMode mode);

// Writes all bytes. Returns 0 or errno.
int write_all(int descriptor, std::string_view bytes);

// Reads at least one and at most `max_bytes` bytes. Returns their number, 0 at the end, or -1 with errno set.
std::ptrdiff_t read_some(int descriptor, char* buffer, std::size_t max_bytes);

// Reads `max_bytes` bytes, or fewer if the file ends before. Returns 0 or errno.
int read_up_to(int descriptor, std::size_t max_bytes, std::string& bytes);

}  // namespace sim::os
