// Memory for the stb libraries, C code that is compiled here as C++. Without memory stb would continue or
// abort. This throws std::bad_alloc through stb and frees its memory.
//
//   #define STBIW_MALLOC(size) sim::StbMemory::allocate(size)
//   ...
//   const sim::StbMemory memory;
//   stbi_write_png_to_func(...);
#pragma once

#include <cstddef>

namespace sim {

// While an object exists, this thread's stb calls allocate from it. The destructor frees all remaining
// blocks.
class StbMemory {
  public:
    StbMemory();
    ~StbMemory();
    StbMemory(const StbMemory&) = delete;
    StbMemory& operator=(const StbMemory&) = delete;

    // Like malloc(), realloc() and free(), but lack of memory throws std::bad_alloc. REQUIRES: an StbMemory
    // object exists in this thread.
    static void* allocate(std::size_t size);
    static void* reallocate(void* block, std::size_t old_size, std::size_t size);
    static void free(void* block) noexcept;

  private:
    struct Block;

    Block* blocks_ = nullptr;  // newest first
    StbMemory* around_;        // the enclosing object, or nullptr
};

}  // namespace sim
