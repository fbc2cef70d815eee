// Allocates memory for the stb libraries, which are C code compiled as C++. When memory is lacking, stb
// itself would continue or abort. This allocator throws std::bad_alloc through stb's code and frees the
// memory that stb has allocated.
//
//   #define STBIW_MALLOC(size) sim::StbMemory::allocate(size)
//   ...
//   const sim::StbMemory memory;
//   stbi_write_png_to_func(...);
#pragma once

#include <cstddef>

namespace sim {

// While an object of this class exists, calls of stb in the same thread allocate their memory from it. The
// destructor frees all blocks that stb has not freed.
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
    StbMemory* around_;        // the StbMemory object that was in use before this object, or nullptr
};

}  // namespace sim
