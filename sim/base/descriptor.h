// RAII file descriptors; retries EINTR and short writes.
#pragma once

#include <cstddef>
#include <string_view>

namespace sim {

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

// Like open(2). On failure the result is not open and errno is set.
Descriptor open_file(const char* path, int flags);

// Writes all bytes. Returns 0 or errno.
int write_all(int descriptor, std::string_view bytes);

// Reads at least one and at most `most` bytes. Returns their number, 0 at the end, or -1 with errno set.
std::ptrdiff_t read_some(int descriptor, char* buffer, std::size_t most);

}  // namespace sim
