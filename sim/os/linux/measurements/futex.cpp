// Two threads that park (put to sleep) themselves and unpark (wake) each other, as mutexes and LockSupport
// do. Unparking a thread that is not parked leaves a permit, so that its next park() returns at once. So
// unpark() needs a system call only if the other thread sleeps, and park() only if there is no permit.
#include "sim/os/linux/measurements/futex.h"

#include "sim/os/linux/measurements/batch_context.h"

namespace sim::calibrate {
namespace {

constexpr std::uint32_t kNothing = 0, kPermit = 1, kAsleep = 2;

void unpark(std::atomic<std::uint32_t>& other) {
    if (other.exchange(kPermit, std::memory_order_acq_rel) == kAsleep) futex_wake(other, FUTEX_PRIVATE_FLAG);
}

void park(std::atomic<std::uint32_t>& own) {
    std::uint32_t found = kNothing;
    if (own.compare_exchange_strong(found, kAsleep, std::memory_order_acq_rel))
        while (own.load(std::memory_order_acquire) == kAsleep) futex_wait(own, kAsleep, FUTEX_PRIVATE_FLAG);
    own.store(kNothing, std::memory_order_relaxed);
}

}  // namespace

std::uint64_t park_and_unpark_by_futex(const BatchContext& context) {
    std::atomic<std::uint32_t>& own = context.batch.words[context.member];
    std::atomic<std::uint32_t>& other = context.batch.words[1 - context.member];
    const std::uint64_t rounds = context.quota() + 1;  // one additional round before the clock starts
    for (std::uint64_t i = 0; i < rounds; ++i) {
        if (context.is_first()) {
            if (i == 1) context.start_clock();
            unpark(other);
            park(own);
        } else {
            park(own);
            unpark(other);
        }
    }
    if (context.is_first()) context.stop_clock();
    return rounds - 1;
}

}  // namespace sim::calibrate
