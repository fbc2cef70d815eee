// The mistakes in wrong answers. Each mistake has a name, a title and a sentence. misconception_of() finds
// the mistake in a wrong answer to the question which task runs next.
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
    none,  // no mistake: the answer is right
    // --- answers to the question which task runs next ---
    forgot_prev_bonus,     // chose the highest counter, but the running task has a bonus of 1
    overrated_prev_bonus,  // chose the running task, but its bonus of 1 is not enough
    tie_to_last,           // chose one of several equal tasks, but not the first in the queue
    tie_to_prev,           // chose the running task, but its bonus of 1 only makes it equal
    // Chose a task that is only equal to the running task, but 2.4.0 begins the search with the running task.
    tie_from_prev,
    // Chose the task that is best after the recalculation, but schedule() chose before the recalculation.
    after_the_recalculation,
    // Chose the best task of the first search, but 2.4 recalculates and searches again.
    before_the_recalculation,
    yielder_runs,          // chose the task that has just yielded
    yield_must_switch,     // chose another task, but the task that yielded is still the best
    sleeper_runs,          // chose a task that is not runnable
    forgot_real_time,      // chose an ordinary task, but a real-time task is runnable
    real_time_by_counter,  // chose a real-time task whose rt_priority is not the highest
    zero_gets_bonus,       // chose a task with counter 0, but it gets no bonus
    priority_is_goodness,  // chose the highest priority, but in 2.0 it only sets the size of a slice
    forgot_priority,       // chose the highest counter, but 2.2 and later add the priority
    forgot_mm,             // omitted the bonus of 1 for the loaded address space (2.2 and later)
    forgot_last_cpu,       // omitted the bonus for the last CPU
    head_of_queue,         // chose the first task in the queue, as if there were no search
    runs_elsewhere,        // chose a task that runs on another CPU, or that must not run on this CPU
    idle_too_early,        // chose the idle task, but another task is runnable
    not_its_turn,          // chose a task that is not first in line (round-robin)
    lower_level,           // chose a task of a lower priority level (nt4)
    lower_goodness,        // chose a task of lower goodness, for no reason listed above
    // --- answers about recalculations ---
    recalculation_unneeded,  // assumed a recalculation, but a runnable task has ticks left
    recalculation_for_idle,  // assumed a recalculation, but no task is runnable
    recalculation_missed,    // assumed no recalculation, but no runnable task has ticks left
    // Recalculated only runnable tasks, but sleeping tasks are recalculated, too.
    recalculation_runnable_only,
    recalculation_replaces,     // replaced the counter by the new slice, but half of the counter is kept
    recalculation_adds_all,     // kept the entire old counter, but only half of it is kept
    recalculation_by_priority,  // used the priority as the new slice, but 2.4 computes the slice from it
    // --- answers about the number of tasks considered ---
    skips_prev,        // did not count the running task
    counts_sleepers,   // counted all tasks, including sleeping ones
    counts_leaver,     // counted the task that has just gone to sleep
    stops_at_best,     // ended the search at the best task
    forgets_sleepers,  // did not count sleeping tasks, but 1.2 visits all tasks
    searches_sorted,   // counted the entire sorted queue, but its head and the running task suffice
    only_the_head,     // counted only the head of a sorted queue, but the running task is examined, too
    one_search,        // counted one search, but the search restarted
    two_searches,      // counted two searches, but the search did not restart
    miscounted,        // any other wrong number
    // --- answers about the columns of vmstat ---
    vmstat_ready_only,        // did not count the running task in r
    vmstat_counts_sleepers,   // counted sleeping tasks in r
    vmstat_forgets_idle,      // did not count the switches to and from idle in cs
    vmstat_per_tick,          // assumed that cs counts a switch at each tick
    vmstat_voluntary_only,    // counted in cs only the switches of tasks that go to sleep
    vmstat_forgets_slices,    // omitted from cs the involuntary switches, such as those at ends of slices
    vmstat_ticks_only,        // did not count device interrupts in `in`
    vmstat_sleeps_interrupt,  // counted ends of sleeps as more interrupts, but sleeps end at tick interrupts
    vmstat_exact_sleeps,      // assumed that sleeps end between two ticks
    vmstat_idle_is_user,      // counted idle time as user time
    vmstat_kernel_is_user,    // counted kernel time as user time
    // --- answers about voluntary and involuntary switches ---
    yield_is_voluntary,        // took sched_yield() for a voluntary switch
    blames_next,               // named the next task as the cause, but that task did not cause a switch
    blames_the_slice,          // named the end of a slice as the cause, but the slice is not used up
    end_of_slice_unseen,       // took the end of a slice for a preemption
    sleep_is_involuntary,      // took going to sleep for an involuntary switch
    preemption_is_voluntary,   // took an involuntary switch for a voluntary switch
    switch_missed,             // answered that there is no switch, but there is a switch
    small_advantage_preempts,  // assumed a preemption, but the advantage of the woken task is too small
    slice_ends_at_zero,        // assumed that a slice ends as soon as the counter is 0 (2.0, 2.2)
    // --- answers to the question which kernel's yield produced the trace ---
    takes_for_whole_slice,  // wrongly named linux-2.0, where the caller loses its whole slice
    takes_for_one_tick,     // wrongly named linux-2.0:yield=one_tick, where a yield costs the caller one tick
    takes_for_move_last,    // wrongly named an early linux-2.0, whose yield only moves the caller to the tail
    takes_for_yield_flag,   // wrongly named 2.2, where a yield sets a flag
    // --- answers about page tables ---
    threads_load,     // assumed that threads load page tables of their own
    forgot_lazy,      // assumed that kernel threads load page tables, but they borrow them
    imagined_lazy,    // assumed that kernel threads borrow page tables, but they load them
    idle_is_free,     // assumed that the idle task loads no page tables, unlike kernel threads
    processes_share,  // assumed that processes share page tables
    // --- answers about the two arrays of 2.6.20 ---
    o1_from_expired,         // chose a task of the expired array, but the active one is not empty
    o1_not_head,             // chose a task that is not the head of its list
    o1_worse_prio,           // chose a task of worse prio: a higher number
    o1_expired_goes_on,      // chose the task that has used up its slice
    o1_interactive_expires,  // chose another task, but prev is interactive and stays in the active array
    o1_wake_waits,           // chose the running task, but the woken task has a better prio
    o1_swap_missed,          // chose the right task, but overlooked the swap of the arrays
    o1_no_better_preempts,   // chose the woken task, but its prio is not better
    o1_swap_unneeded,        // chose the right task, but assumed a swap of the arrays
    // --- answers about vruntime and deadlines (2.6.24, 6.6) ---
    fair_not_charged,       // chose the running task by its vruntime before its run time was added
    fair_unweighted,        // chose the task that would be right if vruntime ignored weights
    fair_by_weight,         // chose the task with the highest weight
    fair_most,              // chose the task with the largest vruntime
    fair_not_least,         // chose any other task whose vruntime is not the least
    eevdf_not_eligible,     // chose a task with an earlier deadline, but its vruntime is above the average
    eevdf_ahead_and_later,  // chose a task with a vruntime above the average and no earlier deadline
    eevdf_least_vruntime,   // chose the least vruntime, as in CFS
    eevdf_old_deadline,     // chose the running task by its old deadline, which has passed
    eevdf_later_deadline,   // chose an eligible task, but another eligible task has an earlier deadline
    count_,
};
inline constexpr std::size_t kMisconceptions = static_cast<std::size_t>(Misconception::count_);

// The name of a mistake for programs, such as "forgot-prev-bonus".
std::string_view name_of(Misconception m);
// The title of a mistake in a score, such as "forgot the +1 of the running task".
std::string_view title_of(Misconception m);
// The sentence that explains a mistake to the user, such as "You forgot that the running task has +1, and
// that decides.".
std::string_view sentence_of(Misconception m);

// The mistake in the answer that `chosen` runs next. `after`: the machine when schedule() returned;
// `after_yield`: the decision follows sched_yield().
Misconception misconception_of(const DecisionLog& log, const Machine& after, const NamedPolicy& policy,
                               bool after_yield, TaskId chosen);
Misconception misconception_of(const DecisionView& view, const NamedPolicy& policy, TaskId chosen);

// The mistake in a yes/no answer (`answered_yes`) to the question whether this decision recalculated all
// counters.
Misconception misconception_of_recalculation(const DecisionLog& log, const Machine& after, bool answered_yes);

// A possible answer to the question how many tasks were considered.
struct ConsideredCountAnswer {
    std::uint32_t tasks;
    Misconception misconception;
};
// Returns the right number of considered tasks, followed by the wrong numbers that mistakes lead to. Each
// number occurs once.
std::vector<ConsideredCountAnswer> considered_count_answers(const DecisionLog& log, const Machine& after,
                                                            const NamedPolicy& policy);

}  // namespace sim::quiz
