// The table of benchmarks that `switchyard calibrate` measures, simulates and prints. A benchmark is a
// program with a repeated operation, whose time is measured.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace sim::calibrate {

enum class BenchmarkKind {
    syscall,     // a trivial system call, getppid()
    yield,       // one sched_yield(); `contexts` tasks, including the caller, call sched_yield() all the time
    pipe_alone,  // one context writes a byte, sums its array and reads the byte back
    ring,        // a pass of lmbench's ring: read a byte, sum the array, write the byte to the next pipe
    fork,        // fork(), the child's _exit(), and waitpid()
    thread,      // pthread_create(), the thread's end, and pthread_join()
    futex,       // two threads in turn: unpark the other thread, then park
};

struct BenchmarkSpec {
    std::string name;  // name of the benchmark, as in a samples file
    BenchmarkKind kind;
    bool threads;  // true: the contexts share an address space
    int contexts;
    int kib;  // size in KiB of the array that each context sums, or writes before fork()
};

// Maximum number of contexts in a benchmark.
inline constexpr int kMostContexts = 64;
// Maximum values for rings: number of contexts, size of the array in KiB.
inline constexpr int kMostRing = 20, kMostArrayKib = 64;

// All benchmarks, in the order of measurement.
std::span<const BenchmarkSpec> benchmarks();
// Index of the benchmark in benchmarks(); benchmarks().size() if there is none.
std::size_t benchmark_index(std::string_view name);

}  // namespace sim::calibrate
