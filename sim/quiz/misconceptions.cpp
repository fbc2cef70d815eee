#include "sim/quiz/misconceptions.h"

#include <algorithm>
#include <array>

#include "sim/explain/explain.h"

namespace sim::quiz {
namespace {

struct Words {
    std::string_view name, title, sentence;
};

constexpr std::array<Words, kMisconceptions> kWords{{
    {"none", "", ""},
    {"forgot-prev-bonus", "the +1 of the running task forgotten",
     "You forgot that the running task has +1, and that decides."},
    {"overrated-prev-bonus", "the running task taken although it is beaten",
     "You let the running task go on, but its goodness is not the highest."},
    {"tie-to-last", "of equals, not the first taken",
     "You took one of several equals, but not the first: of equals, the first in the order of the queue "
     "wins."},
    {"tie-to-prev", "the +1 taken for more than a tie",
     "You took the running task, but its +1 only makes it as good as one that is ahead of it in the queue, "
     "and of equals the first wins."},
    {"tie-from-prev", "a tie taken from the running task (2.4.0)",
     "You took one that is as good as the running task, but this search begins with the running task, and as "
     "good is not better."},
    {"after-the-refill", "the choice made after the refill",
     "You took the one with most after the refill, but the winner is chosen before the counters are "
     "refilled, and there is no second search."},
    {"before-the-refill", "the second search forgotten (2.4)",
     "You took the one that was ahead before the refill, but this kernel searches again after it."},
    {"yielder-runs", "whoever yields taken for the best",
     "You took the one that has just yielded, as if it were weighed as before."},
    {"yield-must-switch", "a yield taken for a switch in any case",
     "You took another than the caller of sched_yield(), but the caller is still the best."},
    {"sleeper-runs", "a sleeping task taken",
     "You took a task that is not runnable: nobody who sleeps is chosen, whatever it has left."},
    {"forgot-real-time", "a real-time task overlooked",
     "You took an ordinary task, but the goodness of a real-time task is 1000 and more."},
    {"real-time-by-counter", "real-time tasks compared by something else than rt_priority",
     "You took a real-time task, but another one has a higher rt_priority, and nothing else counts between "
     "them."},
    {"zero-gets-bonus", "something added to a counter of 0",
     "You took a task whose counter is 0: then its goodness is 0, and no bonus or priority is added."},
    {"priority-is-goodness", "the priority taken for goodness (2.0)",
     "You took the higher priority, but in this kernel it only says how large a new slice is; goodness is "
     "what is left of the slice."},
    {"forgot-priority", "the priority in goodness forgotten (2.2 and later)",
     "You left the priority out, but this kernel adds it to the counter."},
    {"forgot-mm", "the point for the address space forgotten (2.2 and later)",
     "You forgot the point for having the address space that is loaded."},
    {"forgot-last-cpu", "the points for the last CPU forgotten",
     "You forgot what is added for having run on this CPU last."},
    {"head-of-queue", "the head of the queue taken",
     "You took the head of the queue, but the whole queue is searched for the highest goodness."},
    {"runs-elsewhere", "a task taken that this CPU cannot have",
     "You took a task that another CPU runs, or that may not use this one."},
    {"idle-too-early", "the idle task taken though somebody is runnable",
     "You took the idle task, but somebody is runnable."},
    {"not-its-turn", "another taken than the first in line",
     "You took one that is not first in line, and this policy asks for nothing else."},
    {"lower-level", "a lower level taken",
     "You took a task of a lower priority, but the highest list that is not empty decides."},
    {"lower-goodness", "a lower goodness taken", "You took a task whose goodness is lower."},
    {"refill-unasked", "a refill although somebody has a slice left",
     "You had the counters refilled, but somebody who is runnable has a slice left: the best goodness is not "
     "0."},
    {"refill-for-idle", "a refill although nobody is runnable",
     "You had the counters refilled, but nobody is runnable: then the idle task runs and nothing is "
     "refilled."},
    {"refill-missed", "a refill missed",
     "You left the counters as they are, but the best goodness is 0: all are refilled."},
    {"refill-runnable-only", "sleeping tasks left out of a refill",
     "You refilled the runnable tasks alone, but a refill goes over all tasks there are, asleep or not."},
    {"refill-replaces", "what is left lost in a refill",
     "You gave everybody a new slice and no more, but half of what was left is added to it."},
    {"refill-adds-all", "the whole counter kept in a refill",
     "You added the new slice to all that was left, but only half of it is kept."},
    {"refill-by-priority", "the priority taken for the slice (2.4)",
     "You added the priority, but in this kernel a new slice is a quarter of it, and one."},
    {"skips-prev", "the running task not looked at",
     "You left the running task out, but it is runnable and is weighed like any other."},
    {"counts-sleepers", "sleeping tasks looked at",
     "You counted tasks that sleep, but they are not on the run queue."},
    {"counts-leaver", "the task that leaves looked at",
     "You counted the task that goes to sleep, but it is taken off the queue before the search."},
    {"stops-at-best", "the search ended at the best",
     "You stopped at the best, but the search goes to the end of the queue: who is the best shows only "
     "there."},
    {"forgets-sleepers", "sleeping tasks left out where all are walked (1.2)",
     "You left the sleeping tasks out, but this kernel has no run queue: it walks all tasks there are."},
    {"searches-sorted", "the whole queue searched where its head will do",
     "You searched the whole queue, but this one is kept in order: only its head, and the running task, can "
     "be the best."},
    {"only-the-head", "only the head looked at",
     "You looked at the head alone, as if the queue were in order with the running task in it, or nobody "
     "else."},
    {"one-search", "the second search not counted",
     "You counted one search, but after its refill this kernel searches again."},
    {"two-searches", "a second search counted", "You counted two searches, but there is only one here."},
    {"miscounted", "another number", "You counted something else."},
    {"vmstat-ready-only", "r without the running task",
     "You left the running task out of r, which counts all that are runnable, the one that runs included."},
    {"vmstat-counts-sleepers", "r with those that sleep", "You counted a sleeping task in r."},
    {"vmstat-forgets-idle", "cs without the idle task",
     "You left the switches to or from the idle task out of cs."},
    {"vmstat-per-tick", "cs as if each tick switched",
     "You had each timer interrupt switch, but the running task goes on until its slice is used up or "
     "somebody better wakes up."},
    {"vmstat-voluntary-only", "cs of those who go to sleep alone",
     "You counted each wake-up as one switch, but there is one to the task and one away from it."},
    {"vmstat-forgets-slices", "cs without the involuntary switches",
     "You left the involuntary switches out of cs: those at the end of a slice, or when somebody better "
     "wakes up."},
    {"vmstat-ticks-only", "in without what comes from outside",
     "You counted only the timer's ticks in `in`, but each packet is an interrupt, too."},
    {"vmstat-sleeps-interrupt", "in with the ends of sleeps",
     "You counted the end of each sleep in `in`, but this kernel's timers run off the tick: it is no "
     "interrupt "
     "of its own."},
    {"vmstat-exact-sleeps", "sleeps that end between two ticks",
     "You let the sleeps end when they should, but this kernel rounds them up to whole ticks, adds one, and "
     "ends them at a tick."},
    {"vmstat-busy-when-ready", "idle time forgotten",
     "You left the CPU no idle time, but it has nothing to do while all sleep."},
    {"vmstat-kernel-is-user", "the kernel's time taken for user's",
     "You took the time that system calls and schedule() take for the user's: it is in sy."},
    {"yield-is-voluntary", "sched_yield() taken for voluntary",
     "You took sched_yield() for a voluntary switch, but its caller is still runnable, and that is what is "
     "counted."},
    {"blames-next", "whoever runs next blamed",
     "You blamed the one that runs next, but it did nothing for it."},
    {"blames-the-slice", "the slice blamed for a wake-up", "You blamed the slice, but it is not used up."},
    {"end-of-slice-unseen", "the end of a slice not seen",
     "You blamed a wake-up, but nobody woke up: the slice was used up."},
    {"sleep-is-involuntary", "going to sleep taken for involuntary",
     "You took going to sleep for an involuntary switch, but whoever is no longer runnable has given the CPU "
     "up itself."},
    {"preemption-is-voluntary", "being pushed aside taken for voluntary",
     "You took it for a voluntary switch, but the one that lost the CPU is still runnable."},
    {"switch-missed", "a switch missed", "You saw no switch, but the running task loses the CPU."},
    {"small-advantage-preempts", "a wake-up taken for a preemption in any case",
     "You had the woken task preempt, but its advantage is not large enough for that."},
    {"slice-ends-at-zero", "a slice thought to be over at 0",
     "You took the slice for used up, but in this kernel the tick that brings the counter to 0 asks for "
     "nothing: a slice of 20 lasts 21 ticks."},
    {"takes-for-whole-slice", "another yield taken for that of Linux 2.0",
     "You took it for Linux 2.0, where the caller's whole slice is gone and it does not run again before a "
     "refill."},
    {"takes-for-one-tick", "another yield taken for the two-line patch",
     "You took it for the patch, where a yield costs one tick and the caller stays among the best."},
    {"takes-for-move-last", "another yield taken for that of an early 2.0",
     "You took it for an early 2.0, where a yield asks for no schedule() and the caller simply goes on."},
    {"takes-for-mark", "another yield taken for that of Linux 2.2",
     "You took it for Linux 2.2, where the caller keeps its counter and counts for nothing just once."},
    {"threads-load", "threads taken for processes",
     "You had every switch load page tables, but threads of one address space share them."},
    {"forgot-lazy", "lazy TLB forgotten",
     "You had kernel threads and the idle task load the kernel's page tables, but here they borrow what is "
     "loaded."},
    {"imagined-lazy", "lazy TLB where there is none",
     "You had kernel threads and the idle task borrow page tables, but this kernel loads the kernel's own "
     "for them."},
    {"idle-is-free", "the idle task taken for free",
     "You had the idle task leave the page tables alone, but this kernel loads the kernel's own for it, as "
     "for any kernel thread."},
    {"processes-share", "processes taken for threads",
     "You had tasks of different address spaces share page tables."},
    {"o1-from-expired", "a task of the expired array taken",
     "You took a task of the expired array, but as long as somebody is in the active one, only that counts."},
    {"o1-not-head", "of a list, not the head taken",
     "You took another of the same list, but of a list the head runs."},
    {"o1-worse-prio", "a worse prio taken",
     "You took a task of a worse prio: the lower the number, the better."},
    {"o1-expired-goes-on", "whoever has used up its slice taken",
     "You took the one that has used up its slice: it has a new one, but waits in the expired array."},
    {"o1-interactive-expires", "an interactive task put into the expired array",
     "You took another, but whoever has used up its slice is interactive here, and goes back to the active "
     "array."},
    {"o1-wake-waits", "a better one that wakes up made to wait",
     "You let the running task go on, but the one that wakes up has a better prio: it preempts."},
    {"o1-swap-missed", "the swap of the arrays missed",
     "You have the right task, but the active array was empty: the two change places."},
    {"o1-no-better-preempts", "a wake-up taken for a preemption though the prio is no better",
     "You had the woken task preempt, but its prio is not better than that of the running one."},
    {"o1-swap-unasked", "a swap of the arrays though one has tasks left",
     "You have the right task, but the active array is not empty: nothing changes places."},
    {"fair-not-charged", "the running task taken by what it had before",
     "You took the running task by its old vruntime, but what it has run is added before the choice."},
    {"fair-unweighted", "weights left out",
     "You let all clocks go equally fast, but vruntime is time * 1024 / weight."},
    {"fair-by-weight", "the heaviest taken",
     "You took the heaviest, but weight only says how fast the clock goes."},
    {"fair-most", "the greatest vruntime taken",
     "You took the greatest vruntime, but that is who has had the most."},
    {"fair-not-least", "not the least vruntime taken", "You took a task whose vruntime is not the least."},
    {"eevdf-not-eligible", "a deadline taken that is not eligible",
     "You took an earlier deadline, but that task is ahead of the average: it is not eligible."},
    {"eevdf-ahead-and-later", "neither eligible nor due",
     "You took a task that is ahead of the average, and its deadline is later, too."},
    {"eevdf-least-vruntime", "the least vruntime taken, as in CFS",
     "You took the least vruntime, which was CFS's rule: here those that are eligible compare deadlines."},
    {"eevdf-old-deadline", "a deadline taken that has passed",
     "You took the running task by its old deadline, but its vruntime has passed that: the next one is a "
     "slice later."},
    {"eevdf-later-deadline", "a later deadline taken",
     "You took one that is eligible, but due later than another."},
}};

// The candidate p of the search; null: it was not examined, but perhaps passed over.
const Candidate* find(std::span<const Candidate> search, TaskId p) {
    const auto place = std::find_if(search.begin(), search.end(), [p](const Candidate& c) {
        return c.task == p && c.remark != Remark::asleep;
    });
    return place == search.end() ? nullptr : &*place;
}

bool is_runnable(const Machine& m, TaskId p) {
    return m.is_live(p) && m.task[p].state == TaskState::runnable;
}

// For a decision by goodness in which every candidate had 0.
Misconception mistake_at_zero(const DecisionLog& log, const Machine& after, bool after_yield, TaskId chosen) {
    if (after_yield && chosen == log.prev) return Misconception::yielder_runs;
    const TaskId next = log.decision.next;
    if (after.counter[chosen] > after.counter[next]) return Misconception::after_the_refill;
    if (chosen == log.prev) return Misconception::overrated_prev_bonus;
    return log.prev_first && next == log.prev ? Misconception::tie_from_prev : Misconception::tie_to_last;
}

// For two candidates of equal goodness.
Misconception mistake_between_equals(const DecisionLog& log, const Candidate& winner, const Candidate& c) {
    if (log.prev_first && winner.task == log.prev) return Misconception::tie_from_prev;
    if (c.task == log.prev && bonus_for_prev(c, log) > 0) return Misconception::tie_to_prev;
    // The bonus without which the winner would have less goodness.
    if (winner.for_mm > c.for_mm) return Misconception::forgot_mm;
    if (bonus_for_cpu(winner, log) > bonus_for_cpu(c, log)) return Misconception::forgot_last_cpu;
    if (bonus_for_prev(winner, log) > 0) return Misconception::forgot_prev_bonus;
    return Misconception::tie_to_last;
}

// For a candidate of lower goodness: the decisive part of the winner's goodness, or else what suggests `c`.
Misconception mistake_below(const DecisionLog& log, const Machine& after, bool after_yield,
                            const Candidate& winner, const Candidate& c, bool first) {
    if (after_yield && c.task == log.prev) return Misconception::yielder_runs;
    if (c.remark == Remark::yielded) return Misconception::yielder_runs;
    if (is_real_time(winner))
        return is_real_time(c) ? Misconception::real_time_by_counter : Misconception::forgot_real_time;
    const bool adds_priority = winner.for_priority > 0;
    if (c.counter == 0) {
        const bool speaks = c.task == log.prev || after.priority[c.task] > after.priority[winner.task];
        if (speaks || !first) return Misconception::zero_gets_bonus;
        return Misconception::head_of_queue;
    }
    if (after_yield && winner.task == log.prev) return Misconception::yield_must_switch;
    const std::int32_t short_of = winner.goodness - c.goodness;
    if (const std::int32_t mm = winner.for_mm - c.for_mm; mm > 0 && short_of <= mm)
        return Misconception::forgot_mm;
    if (c.counter >= winner.counter) {
        if (adds_priority && winner.for_priority > c.for_priority) return Misconception::forgot_priority;
        if (bonus_for_cpu(winner, log) > bonus_for_cpu(c, log)) return Misconception::forgot_last_cpu;
        if (bonus_for_prev(winner, log) > 0) return Misconception::forgot_prev_bonus;
    }
    if (c.task == log.prev) return Misconception::overrated_prev_bonus;
    if (!adds_priority && after.priority[c.task] > after.priority[winner.task])
        return Misconception::priority_is_goodness;
    return first ? Misconception::head_of_queue : Misconception::lower_goodness;
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
    if (c != nullptr && (c->remark == Remark::elsewhere || c->remark == Remark::not_allowed))
        return Misconception::runs_elsewhere;
    if (!is_runnable(after, chosen) || winner == nullptr) return Misconception::sleeper_runs;

    const std::string_view criterion = policy.criterion;
    if (criterion != "goodness" && criterion != "priority") return Misconception::not_its_turn;
    // Only the head of an ordered queue was examined: tasks after it are not better.
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

    if (log.searched_before > 0) {  // best task of the first search
        const auto first = std::span(log.candidates).first(log.searched_before);
        TaskId best = log.prev_first ? log.prev : kNoTask;
        for (const Candidate& candidate : first)
            if (candidate.best) best = candidate.task;
        if (chosen == best) return Misconception::before_the_refill;
    } else if (log.decision.recalcs > 0) {
        return mistake_at_zero(log, after, after_yield, chosen);
    }
    if (c->goodness == winner->goodness)
        return after_yield && next == log.prev     ? Misconception::yield_must_switch
               : after_yield && chosen == log.prev ? Misconception::yielder_runs
                                                   : mistake_between_equals(log, *winner, *c);
    return mistake_below(log, after, after_yield, *winner, *c, c == &search.front());
}

Misconception misconception_of(const DecisionView& view, const NamedPolicy& policy, TaskId chosen) {
    return misconception_of(view.log, view.after, policy, view.record.after_yield, chosen);
}

Misconception misconception_of_refill(const DecisionLog& log, const Machine& after, bool said) {
    if (said == (log.decision.recalcs > 0)) return Misconception::none;
    if (!said) return Misconception::refill_missed;
    return after.is_idle_task(log.decision.next) ? Misconception::refill_for_idle
                                                 : Misconception::refill_unasked;
}

std::vector<Count> considered_counts(const DecisionLog& log, const Machine& after,
                                     const NamedPolicy& policy) {
    const std::uint32_t considered = log.decision.considered;
    std::vector<Count> counts{{considered, Misconception::none}};
    const auto add = [&](std::size_t tasks, Misconception mistake) {
        for (const Count& count : counts)
            if (count.tasks == tasks) return;
        counts.push_back({static_cast<std::uint32_t>(tasks), mistake});
    };
    const std::uint32_t all = after.globals().nr_tasks + (after.is_live(log.prev) ? 0 : 1);
    const std::uint32_t ready = after.globals().nr_running;
    const bool stays = log.prev_runnable && !after.is_idle_task(log.prev);
    const bool walks_all = std::any_of(log.candidates.begin(), log.candidates.end(),
                                       [](const Candidate& c) { return c.remark == Remark::asleep; });
    if (walks_all) {
        add(ready, Misconception::forgets_sleepers);
    } else if (!policy.policy->keeps_running_task_queued()) {
        if (ready > considered) add(ready, Misconception::searches_sorted);
        if (considered == 2) add(1, Misconception::only_the_head);
        add(all, Misconception::counts_sleepers);
    } else {
        const std::uint32_t times = log.searched_before > 0 ? 2 : 1, once = considered / times;
        if (log.searched_before > 0) add(once, Misconception::one_search);
        if (times == 1 && log.decision.recalcs > 0) add(std::size_t{once} * 2, Misconception::two_searches);
        if (stays && once > 0) add(std::size_t{once - 1} * times, Misconception::skips_prev);
        if (!stays && !after.is_idle_task(log.prev)) add(once + 1, Misconception::counts_leaver);
        const std::span<const Candidate> search = log.last_search();
        const auto winner = std::find_if(search.begin(), search.end(),
                                         [&](const Candidate& c) { return c.task == log.decision.next; });
        if (winner != search.end() && log.decision.recalcs == 0)
            add(static_cast<std::size_t>(winner - search.begin()) + 1, Misconception::stops_at_best);
        if (all > once) add(std::size_t{all} * times, Misconception::counts_sleepers);
    }
    return counts;
}

}  // namespace sim::quiz
