// What one call of schedule() decided, in countable work, and, when somebody asks, how it got there.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/types.h"

namespace sim {

// The outcome of one schedule(). The work is counted, not timed: a CostModel turns it into time.
struct Decision {
    TaskId next = 0;                 // the task to run; the idle task when nobody is runnable
    std::uint32_t considered = 0;    // tasks whose goodness was looked at
    std::uint32_t recalcs = 0;       // times that the counters of all tasks were refilled
    std::uint32_t recalculated = 0;  // counters refilled in all
    std::uint32_t queue_steps = 0;   // links followed to find a place in an ordered queue
};

// One task that the search looked at.
struct Candidate {
    TaskId task;
    std::int32_t counter;  // as the search found it
    std::int32_t bonus;    // what goodness() added for being prev or for the last CPU
    std::int32_t goodness;
    bool best;  // it became the best so far
};

// One counter that the recalculation refilled.
struct Refill {
    TaskId task;
    std::int32_t before;
    std::int32_t after;
};

// One walk to a place in an ordered queue.
struct Insertion {
    TaskId task;  // kNoTask: all ready tasks, which a recalculation has left out of order
    std::uint32_t steps;
};

// The inside of one schedule(), filled by Policy::pick_next() when it is given one. Recording changes
// nothing.
struct DecisionLog {
    TaskId prev = 0;
    bool prev_runnable = false;
    bool prev_renewed = false;          // prev, of class rr, had used up its slice and got a new one
    std::vector<Candidate> candidates;  // in the order of the search
    std::vector<Refill> refills;        // in the order of the recalculation; only tasks whose counter changed
    std::vector<Insertion> insertions;  // those of schedule() itself: enqueue() made the other queue steps
    Decision decision;

    void clear() {
        candidates.clear();
        refills.clear();
        insertions.clear();
        prev_renewed = false;
        decision = {};
    }
};

}  // namespace sim
