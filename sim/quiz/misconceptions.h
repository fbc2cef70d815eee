// What somebody believes who answers wrongly: a word for each mistake, a sentence to say it with, and, for
// the question who runs next, the mistake behind a task that was chosen and does not run.
//
// A mistake is found by looking at the decision that the engine made, never by scheduling in another way; so
// what is said about it is true of the kernel at hand.
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
    // --- who runs next ---
    forgot_prev_bonus,     // the highest counter, but the running task has +1
    overrated_prev_bonus,  // the running task, whose +1 is not enough
    tie_to_last,           // of equals, one behind in the queue
    tie_to_prev,           // the running task, which the +1 makes equal and no better
    tie_from_prev,         // one as good as the running task, with which the search began (2.4.0)
    after_the_refill,      // the best after the refill, but the choice was made before it
    before_the_refill,     // the best before the refill, but the search began anew after it (2.4)
    yielder_runs,          // whoever has just yielded, or takes it for going on
    yield_must_switch,     // anybody else, although the yielder is still the best
    sleeper_runs,          // a task that is not runnable
    forgot_real_time,      // an ordinary task, though there is a real-time one
    real_time_by_counter,  // a real-time task of a lower rt_priority
    zero_gets_bonus,       // a counter of 0, to which nothing is added
    priority_is_goodness,  // the highest priority, which only sets the size of a slice (2.0)
    forgot_priority,       // the highest counter, but priority is added (2.2 and later)
    forgot_mm,             // the highest sum, but for the point for the address space (2.2 and later)
    forgot_last_cpu,       // the highest counter, but for the points for the last CPU
    head_of_queue,         // the first of the queue, as if nothing were searched for
    runs_elsewhere,        // a task that another CPU has, or that may not run here
    idle_too_early,        // the idle task, though somebody is runnable
    not_its_turn,          // another than the first in line (round-robin)
    lower_level,           // a task of a lower level (nt4)
    lower_goodness,        // a goodness that is simply lower
    // --- refills ---
    refill_unasked,        // counters are refilled although somebody has a slice left
    refill_for_idle,       // counters are refilled though nobody is runnable
    refill_missed,         // nothing is refilled although every slice is used up
    refill_runnable_only,  // the sleeping tasks are left out
    refill_replaces,       // the counter becomes what a new slice is
    refill_adds_all,       // the whole of what is left is kept, not half of it
    refill_by_priority,    // 2.4: the priority taken for the new slice
    // --- how much is looked at ---
    skips_prev,        // the running task is not counted
    counts_sleepers,   // all tasks there are, asleep or not
    counts_leaver,     // the task that has just gone to sleep, too
    stops_at_best,     // the search ends at the best
    forgets_sleepers,  // sleeping tasks left out where all are walked (1.2)
    searches_sorted,   // the whole queue, where its head will do
    only_the_head,     // the head of a sorted queue alone
    one_search,        // one search, though it began anew
    two_searches,      // two searches, though it does not begin anew
    miscounted,        // another number altogether
    // --- vmstat ---
    vmstat_ready_only,        // r without the running task
    vmstat_counts_sleepers,   // r with those that sleep
    vmstat_forgets_idle,      // cs without the switches to and from idle
    vmstat_per_tick,          // cs as if each tick switched
    vmstat_voluntary_only,    // cs of the tasks that go to sleep alone
    vmstat_forgets_slices,    // cs without the switches at the end of slices
    vmstat_ticks_only,        // in without what comes from outside
    vmstat_sleeps_interrupt,  // in with the ends of sleeps, which are at ticks
    vmstat_exact_sleeps,      // sleeps that end between two ticks
    vmstat_busy_when_ready,   // sleeping counted as computing
    vmstat_kernel_is_user,    // the kernel's time counted as user's
    // --- voluntary or not ---
    yield_is_voluntary,        // sched_yield() taken for a voluntary switch
    blames_next,               // whoever runs next blamed for what prev did itself
    blames_the_slice,          // the slice blamed for what a wake-up did
    end_of_slice_unseen,       // the end of a slice taken for a preemption
    sleep_is_involuntary,      // going to sleep taken for being pushed aside
    preemption_is_voluntary,   // being pushed aside taken for giving way
    switch_missed,             // no switch, though there is one
    small_advantage_preempts,  // a preemption by a task that is not better by enough
    slice_ends_at_zero,        // a slice over as soon as the counter is 0 (2.0, 2.2)
    // --- yields ---
    takes_for_whole_slice,  // linux-2.0 as it was
    takes_for_one_tick,     // the two-line patch
    takes_for_move_last,    // an early 2.0
    takes_for_mark,         // the mark of 2.2
    // --- page tables ---
    threads_load,     // threads that load page tables of their own
    forgot_lazy,      // kernel threads that load the kernel's page tables, where they borrow
    imagined_lazy,    // kernel threads that borrow, where they do not
    idle_is_free,     // the idle task alone thought to load nothing
    processes_share,  // processes thought to share page tables
    // --- two arrays (2.6.20) ---
    o1_from_expired,         // a task of the expired array, though the active one is not empty
    o1_not_head,             // of a list, another than the head
    o1_worse_prio,           // a prio that is worse: a higher number
    o1_expired_goes_on,      // whoever has used up its slice
    o1_interactive_expires,  // another, though whoever has used up its slice is interactive
    o1_wake_waits,           // the running task, though the one that woke is better
    o1_swap_missed,          // the right task, but the arrays change places first
    o1_no_better_preempts,   // the one that woke, though its prio is no better
    o1_swap_unasked,         // the right task, but the arrays stay
    // --- clocks (2.6.24, 6.6) ---
    fair_not_charged,       // the running task, by its clock before it is charged
    fair_unweighted,        // who would be right if all clocks went equally fast
    fair_by_weight,         // the heaviest
    fair_most,              // the clock that is furthest ahead
    fair_not_least,         // another that is not the least
    eevdf_not_eligible,     // the earlier deadline, but ahead of the average
    eevdf_ahead_and_later,  // ahead of the average, and not even the earlier deadline
    eevdf_least_vruntime,   // the least vruntime, as in CFS
    eevdf_old_deadline,     // the running task, by the deadline that it has passed
    eevdf_later_deadline,   // eligible, but due later
    count_,
};
inline constexpr std::size_t kMisconceptions = static_cast<std::size_t>(Misconception::count_);

// "forgot-prev-bonus": for machines.
std::string_view name_of(Misconception m);
// "the +1 of the running task is forgotten": for a score.
std::string_view title_of(Misconception m);
// "You took the highest counter, but the running task has +1, and that decides.": for whoever answered.
std::string_view sentence_of(Misconception m);

// The mistake of whoever says that `chosen` runs next after this decision. `after` is the machine as
// schedule() returned; `after_yield` says that sched_yield() led to it.
Misconception misconception_of(const DecisionLog& log, const Machine& after, const NamedPolicy& policy,
                               bool after_yield, TaskId chosen);
Misconception misconception_of(const DecisionView& view, const NamedPolicy& policy, TaskId chosen);

// The mistake of whoever says that this decision refilled all counters, or that it did not.
Misconception misconception_of_refill(const DecisionLog& log, const Machine& after, bool said);

// What one may say to how many tasks it looked at.
struct Count {
    std::uint32_t tasks;
    Misconception misconception;
};
// The right number, and those that a mistake leads to; each once, the right one first.
std::vector<Count> considered_counts(const DecisionLog& log, const Machine& after, const NamedPolicy& policy);

}  // namespace sim::quiz
