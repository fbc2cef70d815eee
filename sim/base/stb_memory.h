// Memory for stb's files, which are C and are compiled here as C++: where they would go on without it, or
// end the program, std::bad_alloc is thrown through them, and what they had until then is freed.
//
//   #define STBIW_MALLOC(size) sim::StbMemory::allocate(size)
//   ...
//   const sim::StbMemory memory;
//   stbi_write_png_to_func(...);
#pragma once

#include <cstddef>

namespace sim {

// While one of these lives, the thread's calls of stb take their memory here. What they have not freed is
// freed at the end of its life.
class StbMemory {
  public:
    StbMemory();
    ~StbMemory();
    StbMemory(const StbMemory&) = delete;
    StbMemory& operator=(const StbMemory&) = delete;

    // Like malloc() and its kin, but that they throw std::bad_alloc. REQUIRES: there is one.
    static void* allocate(std::size_t size);
    static void* reallocate(void* block, std::size_t old_size, std::size_t size);
    static void free(void* block) noexcept;

  private:
    struct Block;

    Block* blocks_ = nullptr;  // the latest first
    StbMemory* around_;        // the one that was there before
};

}  // namespace sim
