// The mistakes in wrong answers, with a name, a title and a sentence each; and for the question of which task
// runs next, the mistake in choosing a certain task.
//
// A mistake is derived from the engine's decision, not from another scheduler, so its sentence is true of the
// simulated kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/core/decision.h"
#include "sim/core/machine.h"
#include "sim/core/policy.h"
#include "sim/explain/decision_view.h"

namespace sim::quiz {

enum class Misconception : std::uint8_t {
    none,  // the answer is right
    // --- which task runs next; the comments describe the wrong answer ---
    forgot_prev_bonus,     // the highest counter, but the running task has +1
    overrated_prev_bonus,  // the running task, whose +1 is not enough
    tie_to_last,           // of equal tasks, one later in the queue
    tie_to_prev,           // the running task, which the +1 only makes equal
    tie_from_prev,         // a task as good as the running one, with which the search begins (2.4.0)
    after_the_refill,      // the best after the recalculation, but the choice precedes it
    before_the_refill,     // the best before the recalculation, but the search restarts after it (2.4)
    yielder_runs,          // the task that has just yielded
    yield_must_switch,     // another task, although the yielding one is still the best
    sleeper_runs,          // a task that is not runnable
    forgot_real_time,      // an ordinary task, although a real-time task is runnable
    real_time_by_counter,  // a real-time task of a lower rt_priority
    zero_gets_bonus,       // a task with counter 0, to which no bonus is added
    priority_is_goodness,  // the highest priority, which only sets the size of a slice (2.0)
    forgot_priority,       // the highest counter, but priority is added (2.2 and later)
    forgot_mm,             // the highest sum without the point for the address space (2.2 and later)
    forgot_last_cpu,       // the highest counter without the points for the last CPU
    head_of_queue,         // the first of the queue, as if there were no search
    runs_elsewhere,        // a task that runs on another CPU, or that may not run here
    idle_too_early,        // the idle task, although a task is runnable
    not_its_turn,          // a task that is not the first in line (round-robin)
    lower_level,           // a task of a lower level (nt4)
    lower_goodness,        // a task of lower goodness, without a more specific mistake
    // --- recalculations ---
    refill_unasked,        // the counters are recalculated, although a task has ticks left
    refill_for_idle,       // the counters are recalculated, although no task is runnable
    refill_missed,         // no recalculation, although every slice is used up
    refill_runnable_only,  // sleeping tasks are not recalculated
    refill_replaces,       // the counter is replaced by the new slice
    refill_adds_all,       // the entire old counter is kept, not half of it
    refill_by_priority,    // 2.4: the priority is taken for the new slice
    // --- tasks considered ---
    skips_prev,        // the running task is not counted
    counts_sleepers,   // all tasks are counted, sleeping ones included
    counts_leaver,     // the task that has just gone to sleep is counted
    stops_at_best,     // the search ends at the best task
    forgets_sleepers,  // sleeping tasks are not counted, although all tasks are visited (1.2)
    searches_sorted,   // the entire queue is counted, although its head suffices
    only_the_head,     // only the head of a sorted queue is counted
    one_search,        // one search, although it restarted
    two_searches,      // two searches, although it did not restart
    miscounted,        // another number
    // --- vmstat ---
    vmstat_ready_only,        // r without the running task
    vmstat_counts_sleepers,   // r with sleeping tasks
    vmstat_forgets_idle,      // cs without the switches to and from idle
    vmstat_per_tick,          // cs as if each tick were a switch
    vmstat_voluntary_only,    // cs of only the tasks that go to sleep
    vmstat_forgets_slices,    // cs without the switches at the ends of slices
    vmstat_ticks_only,        // in without device interrupts
    vmstat_sleeps_interrupt,  // in with the ends of sleeps, which occur at ticks
    vmstat_exact_sleeps,      // sleeps that end between two ticks
    vmstat_busy_when_ready,   // idle time counted as user time
    vmstat_kernel_is_user,    // kernel time counted as user time
    // --- voluntary or not ---
    yield_is_voluntary,        // sched_yield() taken for a voluntary switch
    blames_next,               // the next task blamed for an action of prev
    blames_the_slice,          // the slice blamed for the effect of a wake-up
    end_of_slice_unseen,       // the end of a slice taken for a preemption
    sleep_is_involuntary,      // going to sleep taken for an involuntary switch
    preemption_is_voluntary,   // an involuntary switch taken for a voluntary one
    switch_missed,             // no switch, although there is one
    small_advantage_preempts,  // a preemption by a task whose advantage is too small
    slice_ends_at_zero,        // a slice that is over as soon as the counter is 0 (2.0, 2.2)
    // --- yields: the kernel to which the trace is attributed ---
    takes_for_whole_slice,  // unpatched linux-2.0
    takes_for_one_tick,     // the two-line patch
    takes_for_move_last,    // an early 2.0
    takes_for_mark,         // 2.2, where a yield sets a flag
    // --- page tables ---
    threads_load,     // threads load page tables of their own
    forgot_lazy,      // kernel threads load page tables, although they borrow them
    imagined_lazy,    // kernel threads borrow page tables, although they do not
    idle_is_free,     // only the idle task loads nothing
    processes_share,  // processes share page tables
    // --- two arrays (2.6.20) ---
    o1_from_expired,         // a task of the expired array, although the active one is not empty
    o1_not_head,             // a task that is not the head of its list
    o1_worse_prio,           // a task of worse prio: a higher number
    o1_expired_goes_on,      // the task that has used up its slice
    o1_interactive_expires,  // another task, although the one that has used up its slice is interactive
    o1_wake_waits,           // the running task, although the woken one is better
    o1_swap_missed,          // the right task, but after a swap of the arrays
    o1_no_better_preempts,   // the woken task, although its prio is not better
    o1_swap_unasked,         // the right task, but without a swap of the arrays
    // --- vruntime and deadlines (2.6.24, 6.6) ---
    fair_not_charged,       // the running task, by its vruntime before it is charged
    fair_unweighted,        // the task that would be right if vruntime ignored weights
    fair_by_weight,         // the heaviest task
    fair_most,              // the task with the largest vruntime
    fair_not_least,         // another task without the least vruntime
    eevdf_not_eligible,     // a task with an earlier deadline, but ahead of the average
    eevdf_ahead_and_later,  // a task ahead of the average, with no earlier deadline
    eevdf_least_vruntime,   // the task with the least vruntime, as in CFS
    eevdf_old_deadline,     // the running task, by the deadline that it has passed
    eevdf_later_deadline,   // an eligible task with a later deadline
    count_,
};
inline constexpr std::size_t kMisconceptions = static_cast<std::size_t>(Misconception::count_);

// The name for programs: "forgot-prev-bonus".
std::string_view name_of(Misconception m);
// The title in a score: "the +1 of the running task forgotten".
std::string_view title_of(Misconception m);
// The sentence for the user: "You forgot that the running task has +1, and that decides.".
std::string_view sentence_of(Misconception m);

// The mistake in the answer that `chosen` runs next. `after`: the machine when schedule() returned;
// `after_yield`: the decision follows sched_yield().
Misconception misconception_of(const DecisionLog& log, const Machine& after, const NamedPolicy& policy,
                               bool after_yield, TaskId chosen);
Misconception misconception_of(const DecisionView& view, const NamedPolicy& policy, TaskId chosen);

// The mistake in the answer `said` to the question whether this decision recalculated all counters.
Misconception misconception_of_refill(const DecisionLog& log, const Machine& after, bool said);

// A possible answer to the number of tasks considered.
struct Count {
    std::uint32_t tasks;
    Misconception misconception;
};
// Returns the right number first, then the numbers that mistakes lead to. Each number occurs once.
std::vector<Count> considered_counts(const DecisionLog& log, const Machine& after, const NamedPolicy& policy);

}  // namespace sim::quiz
