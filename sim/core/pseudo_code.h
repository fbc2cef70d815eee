// A policy's schedule() as pseudo-code, for the window and lessons.
//
// Each line belongs to a phase, a kind of work. decision_steps.h assigns all work of a phase to the first
// line of this phase; the other lines of the phase continue the first line.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sim {

// Kinds of work in schedule(), in execution order. Exceptions: `consider` and `keep` alternate, and after a
// recalculation a second search can repeat `consider`, `keep` and `recalc_test`.
enum class Phase : std::uint8_t {
    enter,           // the system call or interrupt that led to schedule()
    yield,           // handling an earlier sched_yield()
    place_woken,     // inserting tasks woken since the last schedule() into an ordered queue
    begin,           // work of schedule() before it examines any task
    renew,           // prev, of class rr, gets a new slice
    leave,           // prev is no longer runnable and is dequeued
    put_back,        // a runnable prev is inserted into an ordered queue before the search
    find_bit,        // finding the first nonempty list by its bit in a bitmap
    consider,        // examining one task
    keep,            // the examined task becomes the best so far
    insert,          // prev is inserted into an ordered queue after the search
    recalc_test,     // checking whether the best goodness is 0; if so, the counters are recalculated
    recalculate,     // recalculating the counter of one task
    reorder,         // restoring the order of an ordered queue
    switch_context,  // saving and restoring the context
    switch_mm,       // switching the address space
    resume,          // the chosen task continues
};

inline constexpr std::size_t kPhases = 17;

const char* to_string(Phase phase);

struct PseudoLine {
    Phase phase;
    int indent;        // nesting level
    const char* text;  // at most 80 characters
};

}  // namespace sim
