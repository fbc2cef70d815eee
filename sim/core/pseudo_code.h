// A policy's schedule() in a few lines of our own words, for a window or a lesson to point at.
//
// Each line belongs to a phase, a kind of work. Whoever takes a decision apart (decision_steps.h) sorts its
// work by phase and finds the line that it belongs to: the first of that phase. Further lines of the same
// phase go on with what the first one says.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sim {

// The kinds of work on the way through one schedule(), in the order in which they are done. Only consider
// and keep take turns.
enum class Phase : std::uint8_t {
    enter,           // the system call or the interrupt that led here
    yield,           // what sched_yield() did before
    place_woken,     // tasks woken since the last schedule() were put in their places in an ordered queue
    begin,           // schedule() itself, before it looks at any task
    renew,           // prev, of class rr, gets a new slice
    leave,           // prev is no longer runnable and leaves the queue
    put_back,        // prev, which could go on, is put in its place in an ordered queue before the search
    find_bit,        // finds the first list that has a task, by its bit in a bitmap
    consider,        // looks at one task
    keep,            // which becomes the best so far
    insert,          // prev is put in its place in an ordered queue after it
    recalc_test,     // is the best goodness 0?
    refill,          // the counter of one task is refilled
    reorder,         // an ordered queue is put in order again
    switch_context,  // saves what every switch has to save, and restores it
    switch_mm,       // another address space
    resume,          // the chosen task goes on
};

inline constexpr std::size_t kPhases = 17;

const char* to_string(Phase phase);

struct PseudoLine {
    Phase phase;
    int indent;        // levels
    const char* text;  // at most 80 characters
};

}  // namespace sim
