#include "sim/base/stb_memory.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <new>
#include <utility>

namespace sim {
namespace {

thread_local StbMemory* innermost = nullptr;

}  // namespace

// Header in front of each block that stb receives.
struct alignas(std::max_align_t) StbMemory::Block {
    StbMemory* owner;
    Block *before, *after;
};

StbMemory::StbMemory() : around_(std::exchange(innermost, this)) {}

StbMemory::~StbMemory() {
    while (blocks_ != nullptr) free(blocks_ + 1);
    innermost = around_;
}

void* StbMemory::allocate(std::size_t size) {
    assert(innermost != nullptr);
    Block* const block =
        new (::operator new(sizeof(Block) + size)) Block{innermost, nullptr, innermost->blocks_};
    if (block->after != nullptr) block->after->before = block;
    innermost->blocks_ = block;
    return block + 1;
}

void* StbMemory::reallocate(void* block, std::size_t old_size, std::size_t size) {
    void* const larger = allocate(size);
    if (block != nullptr) std::memcpy(larger, block, std::min(old_size, size));
    free(block);
    return larger;
}

void StbMemory::free(void* block) noexcept {
    if (block == nullptr) return;
    Block* const b = static_cast<Block*>(block) - 1;
    (b->before == nullptr ? b->owner->blocks_ : b->before->after) = b->after;
    if (b->after != nullptr) b->after->before = b->before;
    ::operator delete(b);
}

}  // namespace sim
