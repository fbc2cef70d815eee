// What one call of schedule() decided, in countable work, and, when somebody asks, how it got there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/types.h"

namespace sim {

// The outcome of one schedule(). The work is counted, not timed: a CostModel turns it into time.
struct Decision {
    TaskId next = 0;                 // the task to run; the idle task when nobody is runnable
    std::uint32_t considered = 0;    // tasks whose goodness was looked at
    std::uint32_t recalcs = 0;       // times that the counters of all tasks were refilled
    std::uint32_t recalculated = 0;  // counters refilled in all
    // Links followed to find a place in an ordered queue; where lists of priorities are kept, words of their
    // bitmap looked at and tasks put on a list or taken off.
    std::uint32_t queue_steps = 0;
};

// Why a candidate's goodness is not what its counter makes of it.
enum class Remark : std::uint8_t {
    none,
    elsewhere,     // it runs on another CPU
    not_allowed,   // its affinity keeps it off this CPU
    yielded,       // it has called sched_yield() and is not weighed (Linux 2.2, 2.4)
    asleep,        // the search walks sleeping tasks, too (Linux 1.2)
    real_time,     // of a class that comes before all others (CFS and later)
    buddy,         // who gave way to a wake-up comes first if it is not far behind (Linux 2.6.32)
    not_eligible,  // it has had more than its share (EEVDF)
    parity,        // it runs, and may do so to its deadline (EEVDF)
};

// One task that the search looked at.
struct Candidate {
    TaskId task;
    std::int32_t counter;  // as the search found it
    std::int32_t bonus;    // what goodness() added to it: for being prev, for the last CPU, and the two below
    std::int32_t goodness;
    bool best;  // it became the best so far
    Remark remark = Remark::none;
    std::int32_t for_priority = 0;  // of the bonus: 20 - nice (Linux 2.2 and later)
    std::int32_t for_mm = 0;  // of the bonus: for the address space that is loaded (Linux 2.2 and later)
    std::int64_t key =
        0;  // where the least wins: its prio, its vruntime or its deadline (Linux 2.6 and later)
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
    bool prev_renewed = false;           // prev, of class rr, had used up its slice and got a new one
    bool prev_first = false;             // the search began with prev as the best so far, at...
    std::int32_t prev_goodness[2] = {};  // ...this goodness; of two searches, the first and the second
    std::vector<Candidate> candidates;   // in the order of the search
    std::size_t searched_before = 0;     // of them, those of the search that a refill made begin anew
    std::vector<Refill> refills;        // in the order of the recalculation; only tasks whose counter changed
    std::vector<Insertion> insertions;  // those of schedule() itself: enqueue() made the other queue steps
    // Where tasks are on lists of priorities, what schedule() did itself: words of the bitmap that it looked
    // at for the first bit, and tasks off a list or onto one, of prev, which leaves, and of the chosen one,
    // whose priority has changed.
    bool has_lists = false;
    std::uint32_t bitmap_words = 0, leave_steps = 0, requeue_steps = 0;
    Decision decision;

    void clear() {
        candidates.clear();
        refills.clear();
        insertions.clear();
        prev_renewed = prev_first = false;
        searched_before = 0;
        has_lists = false;
        bitmap_words = leave_steps = requeue_steps = 0;
        decision = {};
    }

    void begin_with_prev(std::int32_t goodness) {
        prev_first = true;
        prev_goodness[searched_before > 0 ? 1 : 0] = goodness;
    }

    // The candidates of the search that chose: all of them, unless a refill made it begin anew.
    std::span<const Candidate> last_search() const { return std::span(candidates).subspan(searched_before); }
};

}  // namespace sim
