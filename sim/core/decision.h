// The result of one schedule() and, on request, a log of its steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/base/types.h"

namespace sim {

// The chosen task, and the work of the choice as counts; a CostModel converts the counts to time.
struct Decision {
    TaskId next = 0;                   // the CPU's idle task if no task is runnable
    std::uint32_t considered = 0;      // number of tasks examined by the search for the next task
    std::uint32_t recalculations = 0;  // number of times that all counters were recalculated
    std::uint32_t recalculated = 0;    // counters recalculated in total
    // Links followed in an ordered queue. With priority lists: bitmap words examined, and tasks put on or
    // taken off a list.
    std::uint32_t queue_steps = 0;
};

// Reason why the rank of a candidate does not follow from its counter or key only.
enum class CandidateRemark : std::uint8_t {
    none,
    elsewhere,     // runs on another CPU
    not_allowed,   // its affinity does not allow this CPU
    yielded,       // has called sched_yield(), so its goodness is not computed (Linux 2.2, 2.4)
    asleep,        // is asleep; the search also visits sleeping tasks (Linux 1.2)
    real_time,     // real-time task: its class precedes all other classes (CFS and later)
    buddy,         // preempted by a wake-up: preferred unless its vruntime is too far ahead (Linux 2.6.32)
    not_eligible,  // has received more than its share (EEVDF)
    parity,        // the running task, kept by RUN_TO_PARITY while it is eligible (EEVDF)
};

// One task examined by the search.
struct Candidate {
    TaskId task;
    std::int32_t counter;  // counter of the task at the time of the search
    std::int32_t bonus;    // total that goodness() adds to counter, including bonuses for prev and last CPU
    std::int32_t goodness;
    bool best;  // the task became the best candidate so far
    CandidateRemark remark = CandidateRemark::none;
    std::int32_t for_priority = 0;  // part of bonus: 20 - nice (Linux 2.2 and later)
    std::int32_t for_mm = 0;        // part of bonus: for the loaded address space (Linux 2.2 and later)
    std::int64_t key = 0;           // the lowest key wins: prio, vruntime, deadline (Linux 2.6 and later)
};

// One counter changed by a recalculation.
struct CounterChange {
    TaskId task;
    std::int32_t before;
    std::int32_t after;
};

// One search for a position in an ordered queue.
struct Insertion {
    TaskId task;  // the inserted task; kNoTask: all ready tasks, reordered after a recalculation
    std::uint32_t steps;
};

// The steps of one schedule(), filled by Policy::pick_next(). Logging does not affect the decision.
struct DecisionLog {
    TaskId prev = 0;
    bool prev_runnable = false;
    bool prev_renewed = false;           // prev is of class rr, had used up its slice and got a new slice
    bool prev_first = false;             // the search began with prev as the best
    std::int32_t prev_goodness[2] = {};  // prev's goodness in the first and second search
    std::vector<Candidate> candidates;   // in search order
    // Number of candidates of the first search if a recalculation led to a second search; otherwise 0.
    std::size_t searched_before = 0;
    std::vector<CounterChange> counter_changes;  // counters that changed, in order
    std::vector<Insertion> insertions;  // insertions by schedule() itself, excluding those by enqueue()
    // Whether the policy has priority lists. If so, the next three fields count queue steps of schedule()
    // itself: the bitmap words examined, the steps to remove a blocked prev, and the steps to requeue the
    // chosen task if its priority changed.
    bool has_lists = false;
    std::uint32_t bitmap_words = 0, leave_steps = 0, requeue_steps = 0;
    // The reason for the choice, if the policy does not compare values: "it is first in the queue". Otherwise
    // empty.
    std::string because;
    Decision decision;

    void clear() {
        candidates.clear();
        counter_changes.clear();
        insertions.clear();
        prev_renewed = prev_first = false;
        searched_before = 0;
        has_lists = false;
        bitmap_words = leave_steps = requeue_steps = 0;
        because.clear();
        decision = {};
    }

    void begin_search_with_prev(std::int32_t goodness) {
        prev_first = true;
        prev_goodness[searched_before > 0 ? 1 : 0] = goodness;
    }

    // Candidates of the search that chose the next task.
    std::span<const Candidate> last_search() const { return std::span(candidates).subspan(searched_before); }
};

}  // namespace sim
