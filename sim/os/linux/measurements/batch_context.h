// The state of a worker (a process or a thread) during a batch.
//
// The workers of a batch are called its members. Each file of this directory is one measurement: a function
// that all members of a batch call at about the same time. Member 0 measures the time: it calls start_clock()
// when all members are working, and stop_clock() after its own operations.
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>

#include "sim/calibrate/benchmarks.h"

namespace sim::calibrate {

inline std::int64_t read_clock_ns(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

// Memory shared by all members of a batch.
struct BatchSharedMemory {
    std::atomic<std::uint32_t> benchmark{0}, members{0};
    std::atomic<std::uint64_t> quota{0};  // operations or rounds of member 0
    std::atomic<std::uint32_t> arrived{0}, finished{0};
    std::atomic<bool> begun{false}, ended{false};
    std::atomic<std::int64_t> began_at{0}, ended_at{0};  // CLOCK_MONOTONIC, ns
    std::atomic<std::int32_t> failed{0};                 // errno of a call required by a measurement; 0: none
    std::atomic<std::uint32_t> words[2]{};               // words on which members of a futex benchmark wait
};

struct Pipe {
    int read = -1, write = -1;
};

struct BatchContext {
    BatchSharedMemory& batch;
    const BenchmarkSpec& benchmark;
    int member;
    const Pipe* pipes;     // kMostRing pipes
    std::uint64_t* array;  // array of this member, kMostArrayKib KiB long

    int member_count() const { return benchmark.contexts; }
    std::uint64_t quota() const { return batch.quota.load(std::memory_order_relaxed); }
    bool is_first() const { return member == 0; }

    // Starts the clock. Only member 0 calls start_clock() and stop_clock().
    void start_clock() const {
        batch.began_at = read_clock_ns(CLOCK_MONOTONIC);
        batch.begun.store(true, std::memory_order_relaxed);
    }
    void stop_clock() const {
        batch.ended_at = read_clock_ns(CLOCK_MONOTONIC);
        batch.ended.store(true, std::memory_order_relaxed);
    }
    // Records the first error of the batch.
    void record_error(int error) const {
        std::int32_t none = 0;
        batch.failed.compare_exchange_strong(none, error);
    }
};

// Each function runs one measurement. It returns the number of operations of this member between
// start_clock() and stop_clock().
std::uint64_t call_getppid(const BatchContext& context);
std::uint64_t yield_in_turn(const BatchContext& context);
std::uint64_t write_and_read_own_pipe(const BatchContext& context);
std::uint64_t pass_byte_round_ring(const BatchContext& context);
std::uint64_t fork_children(const BatchContext& context);
std::uint64_t create_threads(const BatchContext& context);
std::uint64_t park_and_unpark_by_futex(const BatchContext& context);

// Sums the first `kib` KiB of the array; the caller must use the result. Each iteration sums a cache line of
// 8 words. A loop with one word per iteration takes twice as long if its code crosses an alignment boundary.
// The additional time would hide the time to fetch the cache lines.
inline std::uint64_t sum_array(const std::uint64_t* array, int kib) {
    std::uint64_t sum = 0;
    const std::uint64_t* const end = array + std::size_t{128} * static_cast<std::size_t>(kib);
    for (const volatile std::uint64_t* line = array; line != end; line += 8)
        sum += ((line[0] + line[1]) + (line[2] + line[3])) + ((line[4] + line[5]) + (line[6] + line[7]));
    return sum;
}

}  // namespace sim::calibrate
