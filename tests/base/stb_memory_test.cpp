// The allocator for stb. Sanitizers detect leaks.
#include "sim/base/stb_memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <new>

#include "tests/support/test_sizes.h"

namespace sim {
namespace stb_memory_test {

TEST(StbMemory, ReallocationKeepsBytes) {
    const StbMemory memory;
    void* const first = StbMemory::allocate(1);
    void* block = StbMemory::reallocate(nullptr, 0, 4);
    std::memcpy(block, "abc", 4);
    block = StbMemory::reallocate(block, 4, 400);
    EXPECT_STREQ(static_cast<const char*>(block), "abc");
    block = StbMemory::reallocate(block, 400, 2);
    EXPECT_EQ(std::memcmp(block, "ab", 2), 0);
    StbMemory::free(first);  // frees a block that is not the last; the scope frees the other block
    StbMemory::free(nullptr);
}

TEST(StbMemory, FailedAllocationThrowsAndFreesScope) {
    if (kSanitized) GTEST_SKIP() << "AddressSanitizer ends the program";
    const StbMemory around;
    void* const kept = StbMemory::allocate(8);
    EXPECT_THROW(
        {
            const StbMemory memory;
            StbMemory::allocate(100);
            StbMemory::allocate(std::numeric_limits<std::size_t>::max() / 2);
        },
        std::bad_alloc);
    StbMemory::free(kept);
    EXPECT_NE(StbMemory::allocate(1), nullptr) << "the one around is in use again";
}

}  // namespace stb_memory_test
}  // namespace sim
