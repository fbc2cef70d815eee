// What `switchyard calibrate` measures: a table of cells, each one program whose operation has a time. The
// same cells are measured, simulated and printed, so this is the only list of them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace sim::calibrate {

enum class CellKind {
    syscall,     // a system call that does next to nothing: getppid()
    yield,       // one sched_yield(), while so many contexts do nothing else
    pipe_alone,  // one context writes a byte, sums its array and reads the byte back
    ring,        // a pass of lmbench's ring: read a byte, sum the array, write it into the next one's pipe
    fork,        // fork(), the child's _exit() and waitpid()
    thread,      // pthread_create(), the thread's end and pthread_join()
    futex,       // two threads hand a turn to each other: unpark the other one, park
};

struct CellSpec {
    std::string name;  // as in a file of samples
    CellKind kind;
    bool threads;  // the contexts share an address space
    int contexts;
    int kib;  // what each context sums, or has written to before it forks
};

// The most contexts that a cell has.
inline constexpr int kMostContexts = 64;
// The most contexts that a ring has, and the largest array.
inline constexpr int kMostRing = 20, kMostArrayKib = 64;

// In the order in which they are measured.
std::span<const CellSpec> cells();
// Where the cell of that name is in cells(); cells().size() when there is none.
std::size_t cell_index(std::string_view name);

}  // namespace sim::calibrate
