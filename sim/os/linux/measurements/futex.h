// futex(2), for which the C library has no function.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <ctime>

namespace sim::calibrate {

static_assert(sizeof(std::atomic<std::uint32_t>) == 4 && std::atomic<std::uint32_t>::is_always_lock_free);

// Sleeps while the word has this value, for `timeout` at the longest; may return early. `flags`:
// FUTEX_PRIVATE_FLAG if all users of the word share an address space.
inline void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t value, int flags = 0,
                       const timespec* timeout = nullptr) {
    syscall(SYS_futex, &word, FUTEX_WAIT | flags, value, timeout, nullptr, 0);
}

// Wakes one task that sleeps on the word.
inline void futex_wake(std::atomic<std::uint32_t>& word, int flags = 0) {
    syscall(SYS_futex, &word, FUTEX_WAKE | flags, 1, nullptr, nullptr, 0);
}

}  // namespace sim::calibrate
