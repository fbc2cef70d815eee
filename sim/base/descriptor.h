// Files as the system has them: numbers. Calls that were interrupted are made again, and short ones go on.
#pragma once

#include <cstddef>
#include <string_view>

namespace sim {

// Closes it at the end of its life, whatever that says; who has to know asks close().
class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    ~Descriptor();
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;

    bool is_open() const { return number_ >= 0; }
    int number() const { return number_; }
    // Returns 0, or errno.
    int close();

  private:
    int number_;
};

// As open(2). What cannot be opened is not open, and errno says why.
Descriptor open_file(const char* path, int flags);

// Writes all of it. Returns 0, or errno.
int write_all(int descriptor, std::string_view bytes);

// Reads some bytes, at least one: how many; 0 at the end. Returns -1 when that fails, and errno says why.
std::ptrdiff_t read_some(int descriptor, char* buffer, std::size_t most);

}  // namespace sim
