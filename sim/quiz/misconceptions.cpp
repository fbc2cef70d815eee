#include "sim/quiz/misconceptions.h"

#include <algorithm>
#include <array>

#include "sim/explain/explain.h"

namespace sim::quiz {
namespace {

struct MisconceptionWords {
    std::string_view name, title, sentence;
};

constexpr std::array<MisconceptionWords, kMisconceptions> kWords{{
    {"none", "", ""},
    {"forgot-prev-bonus", "forgot the +1 of the running task",
     "You forgot that the running task gets +1, which decides here."},
    {"overrated-prev-bonus", "chose the running task although another task wins",
     "You let the running task continue, but another task wins the comparison."},
    {"tie-to-last", "chose an equal task that is not the first in the queue",
     "You chose one of several equal tasks, but not the first: among equal tasks, the first in the queue "
     "wins."},
    {"tie-to-prev", "let the +1 decide although it only makes a tie",
     "You chose the running task, but its +1 only makes it equal to a task ahead of it in the queue. Among "
     "equal tasks, the first wins."},
    {"tie-from-prev", "let an equal task beat the running task (2.4.0)",
     "You chose a task that is only equal to the running task. This search starts with the running task, "
     "and an equal task is not better."},
    {"after-the-refill", "made the choice after the recalculation",
     "You chose the task with the higher counter after the recalculation. The winner is chosen before it, "
     "and there is no second search."},
    {"before-the-refill", "forgot the second search (2.4)",
     "You chose the task that was ahead before the recalculation, but this kernel searches again after it."},
    {"yielder-runs", "chose the task that has just yielded",
     "You chose the task that has just yielded, as if its goodness were the same as before."},
    {"yield-must-switch", "expected a switch at every yield",
     "You chose a task other than the caller of sched_yield(), but the caller is still the best."},
    {"sleeper-runs", "chose a sleeping task",
     "You chose a task that is not runnable: a sleeping task is never chosen, however much of its slice is "
     "left."},
    {"forgot-real-time", "overlooked a real-time task",
     "You chose an ordinary task, but the goodness of a real-time task is 1000 or more."},
    {"real-time-by-counter", "compared real-time tasks by something other than rt_priority",
     "You chose a real-time task, but another one has a higher rt_priority, and nothing else counts between "
     "real-time tasks."},
    {"zero-gets-bonus", "added a bonus to a counter of 0",
     "You chose a task whose counter is 0: its goodness is 0, because no bonus or priority is added to a "
     "counter of 0."},
    {"priority-is-goodness", "mistook the priority for goodness (2.0)",
     "You chose the higher priority, but in this kernel the priority only sets the size of a new slice. "
     "Goodness is the rest of the slice."},
    {"forgot-priority", "forgot the priority in goodness (2.2 and later)",
     "You omitted the priority, but this kernel adds it to the counter."},
    {"forgot-mm", "forgot the point for the address space (2.2 and later)",
     "You forgot the point for a task whose address space is already loaded."},
    {"forgot-last-cpu", "forgot the points for the last CPU",
     "You forgot the points for a task that last ran on this CPU."},
    {"head-of-queue", "chose the head of the queue",
     "You chose the head of the queue, but the whole queue is searched for the highest goodness."},
    {"runs-elsewhere", "chose a task that this CPU cannot run",
     "You chose a task that another CPU runs, or that may not run on this CPU."},
    {"idle-too-early", "chose the idle task although a task is runnable",
     "You chose the idle task, but another task is runnable."},
    {"not-its-turn", "chose a task that is not first in the policy's order",
     "You chose a task that is not first in the order of this policy."},
    {"lower-level", "chose a task of a lower priority",
     "You chose a task of a lower priority, but the non-empty list of the highest priority decides."},
    {"lower-goodness", "chose a task of lower goodness", "You chose a task whose goodness is lower."},
    {"refill-unasked", "recalculated the counters although a task has a slice left",
     "You recalculated the counters, but a runnable task has a slice left: the best goodness is not 0."},
    {"refill-for-idle", "recalculated the counters although no task is runnable",
     "You recalculated the counters, but no task is runnable: the idle task runs and nothing is "
     "recalculated."},
    {"refill-missed", "missed a recalculation",
     "You left the counters as they are, but the best goodness is 0: all counters are recalculated."},
    {"refill-runnable-only", "omitted sleeping tasks from a recalculation",
     "You recalculated only the runnable tasks, but a recalculation visits all tasks, asleep or not."},
    {"refill-replaces", "dropped the rest of the slice in a recalculation",
     "You gave each task only a new slice, but half of the old counter is added to it."},
    {"refill-adds-all", "kept the whole counter in a recalculation",
     "You added the new slice to the whole old counter, but only half of the old counter is kept."},
    {"refill-by-priority", "mistook the priority for the new slice (2.4)",
     "You added the priority, but in this kernel a new slice is a quarter of it, plus one."},
    {"skips-prev", "did not count the running task",
     "You left out the running task, but it is runnable and is examined like any other."},
    {"counts-sleepers", "counted sleeping tasks",
     "You counted tasks that sleep, but they are not on the run queue."},
    {"counts-leaver", "counted the task that goes to sleep",
     "You counted the task that goes to sleep, but it is taken off the queue before the search."},
    {"stops-at-best", "ended the search at the best task",
     "You stopped at the best task, but the search runs to the end of the queue: a better task could "
     "follow."},
    {"forgets-sleepers", "omitted sleeping tasks although all tasks are visited (1.2)",
     "You left out the sleeping tasks, but this kernel has no run queue: it visits all tasks."},
    {"searches-sorted", "searched the whole queue where its head is enough",
     "You searched the whole queue, but this queue is sorted: only its head and the running task can be the "
     "best."},
    {"only-the-head", "counted only the head",
     "You counted only the head of the sorted queue, but the running task, which is not on it, is compared "
     "with the head."},
    {"one-search", "did not count the second search",
     "You counted one search, but after the recalculation this kernel searches again."},
    {"two-searches", "counted a second search", "You counted two searches, but there is only one here."},
    {"miscounted", "gave a wrong number for an unknown reason",
     "Your number is wrong, and the reason is unknown."},
    {"vmstat-ready-only", "r: omitted the running task",
     "You left the running task out of r, which counts all runnable tasks, including the running one."},
    {"vmstat-counts-sleepers", "r: counted sleeping tasks", "You counted a sleeping task in r."},
    {"vmstat-forgets-idle", "cs: omitted the idle task",
     "You left the switches to or from the idle task out of cs."},
    {"vmstat-per-tick", "cs: counted a switch at each tick",
     "You counted a switch at each timer interrupt, but the running task continues until its slice is used "
     "up or a better task wakes up."},
    {"vmstat-voluntary-only", "cs: counted one switch for each wake-up",
     "You counted each wake-up as one switch, but it causes two: one to the task and one away from the "
     "task."},
    {"vmstat-forgets-slices", "cs: omitted the involuntary switches",
     "You left the involuntary switches out of cs: those at the end of a slice, or when a better task wakes "
     "up."},
    {"vmstat-ticks-only", "in: omitted interrupts from outside",
     "You counted only the timer's ticks in `in`, but each packet is an interrupt, too."},
    {"vmstat-sleeps-interrupt", "in: counted the ends of sleeps",
     "You counted the end of each sleep in `in`, but in this kernel the tick runs the timers: the end of a "
     "sleep is not a separate interrupt."},
    {"vmstat-exact-sleeps", "let sleeps end between two ticks",
     "You let the sleeps end exactly on time, but this kernel rounds them up to whole ticks, adds one, and "
     "ends them at a tick."},
    {"vmstat-busy-when-ready", "forgot idle time",
     "You counted no idle time, but the CPU is idle while all tasks sleep."},
    {"vmstat-kernel-is-user", "counted kernel time as user time",
     "You counted the time of system calls and schedule() as user time, but it is in sy."},
    {"yield-is-voluntary", "counted sched_yield() as voluntary",
     "You counted sched_yield() as a voluntary switch, but its caller is still runnable: only a task that "
     "is not runnable switches voluntarily."},
    {"blames-next", "blamed the next task",
     "You blamed the task that runs next, but it did not cause the switch."},
    {"blames-the-slice", "blamed the slice although it is not used up",
     "You blamed the slice, but it is not used up."},
    {"end-of-slice-unseen", "missed the end of a slice",
     "You blamed a wake-up, but no task woke up: the slice was used up."},
    {"sleep-is-involuntary", "counted going to sleep as involuntary",
     "You counted going to sleep as an involuntary switch, but a task that is no longer runnable has given "
     "up the CPU itself."},
    {"preemption-is-voluntary", "counted a preemption as voluntary",
     "You chose a voluntary switch, but the task that lost the CPU is still runnable."},
    {"switch-missed", "missed a switch", "You saw no switch, but the running task loses the CPU."},
    {"small-advantage-preempts", "expected a preemption at every wake-up",
     "You let the woken task preempt the running task, but its advantage is too small."},
    {"slice-ends-at-zero", "ended a slice at a counter of 0",
     "You counted the slice as used up, but in this kernel the tick that brings the counter to 0 requests "
     "no schedule(): a slice of 20 ticks lasts 21."},
    {"takes-for-whole-slice", "mistook another kernel's yield for that of Linux 2.0",
     "You chose Linux 2.0, where the caller loses its whole slice and does not run again before a "
     "recalculation."},
    {"takes-for-one-tick", "mistook another kernel's yield for that of the two-line patch",
     "You chose the patched kernel, where a yield costs one tick and the caller may still have the highest "
     "goodness."},
    {"takes-for-move-last", "mistook another kernel's yield for that of an early 2.0",
     "You chose an early 2.0, where a yield requests no schedule() and the caller simply continues."},
    {"takes-for-mark", "mistook another kernel's yield for that of Linux 2.2",
     "You chose Linux 2.2, where the caller keeps its counter and has a goodness of 0 in one search only."},
    {"threads-load", "treated threads as processes",
     "You counted a load of page tables at every switch, but threads of one address space share them."},
    {"forgot-lazy", "forgot lazy TLB",
     "You let kernel threads and the idle task load the kernel's page tables, but in this kernel they "
     "borrow the loaded ones."},
    {"imagined-lazy", "assumed lazy TLB where there is none",
     "You let kernel threads and the idle task borrow page tables, but this kernel loads its own page "
     "tables for them."},
    {"idle-is-free", "assumed that the idle task loads no page tables",
     "You assumed that the idle task loads no page tables, but this kernel loads its own page tables for "
     "it, as for any kernel thread."},
    {"processes-share", "treated processes as threads",
     "You treated tasks of different address spaces as if they shared page tables."},
    {"o1-from-expired", "chose a task of the expired array",
     "You chose a task of the expired array, but while the active array has a task, only that array counts."},
    {"o1-not-head", "chose a task that is not the head of its list",
     "You chose another task of the same list, but the head of the list runs."},
    {"o1-worse-prio", "chose a task with a worse prio",
     "You chose a task with a worse prio: a lower number is better."},
    {"o1-expired-goes-on", "chose the task that has used up its slice",
     "You chose the task that has used up its slice: it has a new slice, but waits in the expired array."},
    {"o1-interactive-expires", "put an interactive task into the expired array",
     "You chose another task, but the task that has used up its slice is interactive here, and returns to "
     "the active array."},
    {"o1-wake-waits", "let the running task continue although a woken task has a better prio",
     "You let the running task continue, but the task that wakes up has a better prio and preempts it."},
    {"o1-swap-missed", "missed the swap of the arrays",
     "You have the right task, but the active array was empty: the two arrays are swapped."},
    {"o1-no-better-preempts", "let a woken task preempt although its prio is not better",
     "You let the woken task preempt the running task, but its prio is not better."},
    {"o1-swap-unasked", "swapped the arrays although the active array has tasks left",
     "You have the right task, but the active array is not empty: the two arrays are not swapped."},
    {"fair-not-charged", "compared the running task by its old vruntime",
     "You compared the running task by its old vruntime, but its run time is added before the choice."},
    {"fair-unweighted", "omitted the weights",
     "You let the vruntimes of all tasks advance equally fast, but vruntime advances by time * 1024 / "
     "weight."},
    {"fair-by-weight", "chose the heaviest task",
     "You chose the heaviest task, but the weight only sets how fast the vruntime advances."},
    {"fair-most", "chose the greatest vruntime",
     "You chose the greatest vruntime, but that task has had the most CPU time for its weight."},
    {"fair-not-least", "did not choose the least vruntime",
     "You chose a task whose vruntime is not the "
     "least."},
    {"eevdf-not-eligible", "chose an ineligible task by its deadline",
     "You chose a task with an earlier deadline, but its vruntime is ahead of the average: the task is not "
     "eligible."},
    {"eevdf-ahead-and-later", "chose an ineligible task without an earlier deadline",
     "You chose a task whose vruntime is ahead of the average and whose deadline is not earlier."},
    {"eevdf-least-vruntime", "chose the least vruntime, as in CFS",
     "You chose the least vruntime, which is the rule of CFS: in EEVDF, the eligible tasks are compared by "
     "deadline."},
    {"eevdf-old-deadline", "used a deadline that has passed",
     "You compared the running task by its old deadline, but its vruntime has passed it: the new deadline "
     "is a slice later."},
    {"eevdf-later-deadline", "chose a later deadline",
     "You chose an eligible task, but another eligible task has an earlier deadline."},
}};

// The entry of task p among the candidates of the search. Entries of tasks that the search skipped are
// included. Returns null if p was not examined or is asleep.
const Candidate* find(std::span<const Candidate> search, TaskId p) {
    const auto place = std::find_if(search.begin(), search.end(), [p](const Candidate& c) {
        return c.task == p && c.remark != CandidateRemark::asleep;
    });
    return place == search.end() ? nullptr : &*place;
}

bool is_runnable(const Machine& m, TaskId p) {
    return m.is_live(p) && m.task[p].state == TaskState::runnable;
}

// The mistake if the decision is by goodness and every candidate had a goodness of 0.
Misconception mistake_at_zero_goodness(const DecisionLog& log, const Machine& after, bool after_yield,
                                       TaskId chosen) {
    if (after_yield && chosen == log.prev) return Misconception::yielder_runs;
    const TaskId next = log.decision.next;
    if (after.counter[chosen] > after.counter[next]) return Misconception::after_the_recalculation;
    if (chosen == log.prev) return Misconception::overrated_prev_bonus;
    return log.prev_first && next == log.prev ? Misconception::tie_from_prev : Misconception::tie_to_last;
}

// The mistake if both candidates have equal goodness.
Misconception mistake_between_equals(const DecisionLog& log, const Candidate& winner,
                                     const Candidate& chosen) {
    if (log.prev_first && winner.task == log.prev) return Misconception::tie_from_prev;
    if (chosen.task == log.prev && bonus_for_prev(chosen, log) > 0) return Misconception::tie_to_prev;
    // Looks for the bonus without which the winner would have less goodness.
    if (winner.for_mm > chosen.for_mm) return Misconception::forgot_mm;
    if (bonus_for_last_cpu(winner, log) > bonus_for_last_cpu(chosen, log))
        return Misconception::forgot_last_cpu;
    if (bonus_for_prev(winner, log) > 0) return Misconception::forgot_prev_bonus;
    return Misconception::tie_to_last;
}

// The mistake if the goodness of `chosen` is lower than that of the winner. Usually the student has ignored a
// summand of the winner's goodness, such as a bonus, and this summand decides. If no single summand decides,
// the result is a likely reason for choosing `chosen`.
Misconception mistake_of_lower_goodness(const DecisionLog& log, const Machine& after, bool after_yield,
                                        const Candidate& winner, const Candidate& chosen, bool is_first) {
    if (after_yield && chosen.task == log.prev) return Misconception::yielder_runs;
    if (chosen.remark == CandidateRemark::yielded) return Misconception::yielder_runs;
    if (is_real_time(winner))
        return is_real_time(chosen) ? Misconception::real_time_by_counter : Misconception::forgot_real_time;
    const bool adds_priority = winner.for_priority > 0;
    if (chosen.counter == 0) {
        const bool speaks =
            chosen.task == log.prev || after.priority[chosen.task] > after.priority[winner.task];
        if (speaks || !is_first) return Misconception::zero_gets_bonus;
        return Misconception::head_of_queue;
    }
    if (after_yield && winner.task == log.prev) return Misconception::yield_must_switch;
    const std::int32_t short_of = winner.goodness - chosen.goodness;
    if (const std::int32_t mm = winner.for_mm - chosen.for_mm; mm > 0 && short_of <= mm)
        return Misconception::forgot_mm;
    if (chosen.counter >= winner.counter) {
        if (adds_priority && winner.for_priority > chosen.for_priority) return Misconception::forgot_priority;
        if (bonus_for_last_cpu(winner, log) > bonus_for_last_cpu(chosen, log))
            return Misconception::forgot_last_cpu;
        if (bonus_for_prev(winner, log) > 0) return Misconception::forgot_prev_bonus;
    }
    if (chosen.task == log.prev) return Misconception::overrated_prev_bonus;
    if (!adds_priority && after.priority[chosen.task] > after.priority[winner.task])
        return Misconception::priority_is_goodness;
    return is_first ? Misconception::head_of_queue : Misconception::lower_goodness;
}

}  // namespace

std::string_view name_of(Misconception m) { return kWords[static_cast<std::size_t>(m)].name; }
std::string_view title_of(Misconception m) { return kWords[static_cast<std::size_t>(m)].title; }
std::string_view sentence_of(Misconception m) { return kWords[static_cast<std::size_t>(m)].sentence; }

Misconception misconception_of(const DecisionLog& log, const Machine& after, const NamedPolicy& policy,
                               bool after_yield, TaskId chosen) {
    const TaskId next = log.decision.next;
    if (chosen == next) return Misconception::none;
    if (after.is_idle_task(chosen)) return Misconception::idle_too_early;
    const std::span<const Candidate> search = log.last_search();
    const Candidate* const c = find(search, chosen);
    const Candidate* const winner = find(search, next);
    if (c != nullptr &&
        (c->remark == CandidateRemark::elsewhere || c->remark == CandidateRemark::not_allowed))
        return Misconception::runs_elsewhere;
    if (!is_runnable(after, chosen) || winner == nullptr) return Misconception::sleeper_runs;

    const std::string_view criterion = policy.criterion;
    if (criterion != "goodness" && criterion != "priority") return Misconception::not_its_turn;
    // The chosen task was not examined, because schedule() examines only the head of an ordered queue. The
    // tasks after the head are not better than the head.
    if (c == nullptr) {
        if (is_real_time(*winner)) return Misconception::forgot_real_time;
        if (criterion == "priority") return Misconception::lower_level;
        if (after.counter[chosen] >= winner->counter)
            return bonus_for_prev(*winner, log) > 0 ? Misconception::forgot_prev_bonus
                                                    : Misconception::tie_to_last;
        return after.priority[chosen] > after.priority[next] ? Misconception::priority_is_goodness
                                                             : Misconception::lower_goodness;
    }
    if (criterion == "priority")
        return c->goodness < winner->goodness ? Misconception::lower_level : Misconception::tie_to_last;

    // If schedule() searched twice, `best` becomes the best task of the first search.
    if (log.searched_before > 0) {
        const auto first = std::span(log.candidates).first(log.searched_before);
        TaskId best = log.prev_first ? log.prev : kNoTask;
        for (const Candidate& candidate : first)
            if (candidate.best) best = candidate.task;
        if (chosen == best) return Misconception::before_the_recalculation;
    } else if (log.decision.recalculations > 0) {
        return mistake_at_zero_goodness(log, after, after_yield, chosen);
    }
    if (c->goodness == winner->goodness)
        return after_yield && next == log.prev     ? Misconception::yield_must_switch
               : after_yield && chosen == log.prev ? Misconception::yielder_runs
                                                   : mistake_between_equals(log, *winner, *c);
    return mistake_of_lower_goodness(log, after, after_yield, *winner, *c, c == &search.front());
}

Misconception misconception_of(const DecisionView& view, const NamedPolicy& policy, TaskId chosen) {
    return misconception_of(view.log, view.after, policy, view.record.after_yield, chosen);
}

Misconception misconception_of_recalculation(const DecisionLog& log, const Machine& after,
                                             bool answered_yes) {
    if (answered_yes == (log.decision.recalculations > 0)) return Misconception::none;
    if (!answered_yes) return Misconception::recalculation_missed;
    return after.is_idle_task(log.decision.next) ? Misconception::recalculation_for_idle
                                                 : Misconception::recalculation_unneeded;
}

std::vector<ConsideredCountAnswer> considered_count_answers(const DecisionLog& log, const Machine& after,
                                                            const NamedPolicy& policy) {
    const std::uint32_t considered = log.decision.considered;
    std::vector<ConsideredCountAnswer> counts{{considered, Misconception::none}};
    const auto add = [&](std::size_t tasks, Misconception mistake) {
        for (const ConsideredCountAnswer& count : counts)
            if (count.tasks == tasks) return;
        counts.push_back({static_cast<std::uint32_t>(tasks), mistake});
    };
    const std::uint32_t all = after.globals().nr_tasks + (after.is_live(log.prev) ? 0 : 1);
    const std::uint32_t ready = after.globals().nr_running;
    const bool stays = log.prev_runnable && !after.is_idle_task(log.prev);
    const bool walks_all = std::any_of(log.candidates.begin(), log.candidates.end(), [](const Candidate& c) {
        return c.remark == CandidateRemark::asleep;
    });
    if (walks_all) {
        add(ready, Misconception::forgets_sleepers);
    } else if (!policy.policy->keeps_running_task_queued()) {
        if (ready > considered) add(ready, Misconception::searches_sorted);
        if (considered == 2) add(1, Misconception::only_the_head);
        add(all, Misconception::counts_sleepers);
    } else {
        const std::uint32_t times = log.searched_before > 0 ? 2 : 1, once = considered / times;
        if (log.searched_before > 0) add(once, Misconception::one_search);
        if (times == 1 && log.decision.recalculations > 0)
            add(std::size_t{once} * 2, Misconception::two_searches);
        if (stays && once > 0) add(std::size_t{once - 1} * times, Misconception::skips_prev);
        if (!stays && !after.is_idle_task(log.prev)) add(once + 1, Misconception::counts_leaver);
        const std::span<const Candidate> search = log.last_search();
        const auto winner = std::find_if(search.begin(), search.end(),
                                         [&](const Candidate& c) { return c.task == log.decision.next; });
        if (winner != search.end() && log.decision.recalculations == 0)
            add(static_cast<std::size_t>(winner - search.begin()) + 1, Misconception::stops_at_best);
        if (all > once) add(std::size_t{all} * times, Misconception::counts_sleepers);
    }
    return counts;
}

}  // namespace sim::quiz
