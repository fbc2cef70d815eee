// What a member of a crew knows while it works on a batch.
//
// One file of this folder is one measurement: a function that all members of a batch call at about the same
// time. Member 0 has the clock: it calls begin() when all are under way, and end() when it has done its
// share.
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>

#include "sim/calibrate/cells.h"

namespace sim::calibrate {

inline std::int64_t nanoseconds_of(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

// In memory that all members share.
struct Batch {
    std::atomic<std::uint32_t> cell{0}, members{0};
    std::atomic<std::uint64_t> quota{0};  // operations, or rounds, of member 0
    std::atomic<std::uint32_t> arrived{0}, finished{0};
    std::atomic<bool> begun{false}, ended{false};
    std::atomic<std::int64_t> began_at{0}, ended_at{0};  // CLOCK_MONOTONIC, ns
    std::atomic<std::int32_t> failed{0};                 // errno of a call that a measurement needs
    std::atomic<std::uint32_t> words[2]{};               // that the members of a futex cell wait on
};

struct Pipe {
    int read = -1, write = -1;
};

struct Turn {
    Batch& batch;
    const CellSpec& cell;
    int member;
    const Pipe* pipes;     // kMostRing
    std::uint64_t* array;  // of this member alone: kMostArrayKib

    int members() const { return cell.contexts; }
    std::uint64_t quota() const { return batch.quota.load(std::memory_order_relaxed); }
    bool is_first() const { return member == 0; }

    // Of member 0.
    void begin() const {
        batch.began_at = nanoseconds_of(CLOCK_MONOTONIC);
        batch.begun.store(true, std::memory_order_relaxed);
    }
    void end() const {
        batch.ended_at = nanoseconds_of(CLOCK_MONOTONIC);
        batch.ended.store(true, std::memory_order_relaxed);
    }
    // Says why the measurement failed, once.
    void fail(int error) const {
        std::int32_t none = 0;
        batch.failed.compare_exchange_strong(none, error);
    }
};

// Each returns the operations that this member has done between begin() and end().
std::uint64_t call_getppid(const Turn& turn);
std::uint64_t yield_in_turn(const Turn& turn);
std::uint64_t use_pipe_alone(const Turn& turn);
std::uint64_t pass_round_ring(const Turn& turn);
std::uint64_t fork_children(const Turn& turn);
std::uint64_t create_threads(const Turn& turn);
std::uint64_t wake_by_futex(const Turn& turn);

// Sums the first so many KiB of the array; what it returns has to go somewhere. Line by line: a loop over
// words takes twice as long where it happens to lie across a boundary of the code's, and would hide what
// fetching the lines takes.
inline std::uint64_t sum_array(const std::uint64_t* array, int kib) {
    std::uint64_t sum = 0;
    const std::uint64_t* const end = array + std::size_t{128} * static_cast<std::size_t>(kib);
    for (const volatile std::uint64_t* line = array; line != end; line += 8)
        sum += ((line[0] + line[1]) + (line[2] + line[3])) + ((line[4] + line[5]) + (line[6] + line[7]));
    return sum;
}

}  // namespace sim::calibrate
