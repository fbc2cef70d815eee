// Descriptions of the steps of a decision: describe() in decision_steps.h.
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/units.h"
#include "sim/explain/decision_facts.h"
#include "sim/explain/decision_steps.h"
#include "sim/explain/script_step_text.h"

namespace sim {
namespace {

// The log entry of candidate p; if there are two searches, the entry in the first search; null: none.
const Candidate* candidate_of(const DecisionLog& log, TaskId p) {
    const auto found = std::find_if(log.candidates.begin(), log.candidates.end(),
                                    [p](const Candidate& c) { return c.task == p; });
    return found == log.candidates.end() ? nullptr : &*found;
}

// Goodness of the best task so far in the current search, at this step. If no candidate has been best yet,
// prev's goodness.
std::int32_t goodness_of_best(const DecisionStep& step, const DecisionLog& log) {
    const bool again = log.searched_before > 0 && step.candidates > log.searched_before;
    for (std::size_t i = step.candidates; i-- > (again ? log.searched_before : 0);)
        if (log.candidates[i].task == step.best && log.candidates[i].best) return log.candidates[i].goodness;
    return log.prev_goodness[again ? 1 : 0];
}

// The counter of p when schedule() started, before any recalculation.
std::int32_t counter_at_start(const DecisionView& view, TaskId p) {
    if (const Candidate* c = candidate_of(view.log, p)) return c->counter;
    for (const CounterChange& r : view.log.counter_changes)
        if (r.task == p) return r.before;
    return has_exited(view, p) ? view.before.counter[p] : view.after.counter[p];
}

std::string entry_reason(const DecisionView& view, const std::string& task_name) {
    const TraceRecord& r = view.record;
    if (!r.from_syscall) {
        if (view.before.is_idle_task(r.other))
            return fmt::format("A task has woken up: need_resched is set, and {} gives way.", task_name);
        return fmt::format("need_resched is set: {} gives way before it returns to user mode.", task_name);
    }
    if (r.after_yield) return fmt::format("{} calls sched_yield().", task_name);
    if (!r.voluntary)
        return fmt::format("need_resched is set: {} gives way at the end of its system call.", task_name);
    if (has_exited(view, r.other)) return fmt::format("{} calls exit().", task_name);
    return fmt::format("{} makes a system call and goes to sleep in it.", task_name);
}

std::string describe_kernel_entry(const DecisionView& view, const std::string& task_name) {
    const std::string why = entry_reason(view, task_name);
    const TraceRecord& r = view.record;
    if (r.extra == Nanos{}) return why;
    if (view.before.is_idle_task(r.other))
        return why + fmt::format(" Leaving the halt takes {}.", format_time(r.extra));
    return why + fmt::format(" The kernel's work before this takes {}.", format_time(r.extra));
}

std::string describe_switch_mm(const DecisionStep& step, const DecisionView& view, const NamedPolicy& policy,
                               const std::string& task_name) {
    const TraceRecord& r = view.record;
    if (policy.system.empty() && step.cost == Nanos{} && r.refill == Nanos{})
        return fmt::format("{} has another address space; changing to it takes no time.", task_name);
    const Cpu& found = view.before.cpu(r.cpu);
    const bool left = found.left_mm && found.active_mm == view.after.task[r.task].mm;
    const char* const flush = r.flushes_tlb ? "the TLB is flushed" : "the tagged TLB is kept";
    if (left)
        return fmt::format(
            "{}'s page tables were borrowed, but leave_mm() has replaced them: they are loaded again, and "
            "{}.",
            task_name, flush);
    return fmt::format("{} has another address space: its page tables are loaded, and {}.", task_name, flush);
}

// Describes the TLB entries and cache lines that the task must reload.
std::string describe_cache_refill(const TraceRecord& r) {
    if (r.refill == Nanos{}) return {};
    return fmt::format(
        " First, {} of its data and code and the TLB entries of {} are reloaded, which takes "
        "{}.",
        count_with_noun(r.refilled_lines + r.streamed_lines, "line"),
        count_with_noun(r.refilled_entries, "page"), format_time(r.refill));
}

std::string describe_yield(const DecisionView& view, const std::string& task_name) {
    const std::int32_t before = view.before.counter[view.record.other];
    const Candidate* const weighed = candidate_of(view.log, view.record.other);
    if (weighed != nullptr && weighed->remark == CandidateRemark::yielded)
        return fmt::format("sched_yield() has flagged {}: its goodness is {} in this search.", task_name,
                           weighed->goodness == 0 ? "0" : "negative");
    if (view.log.prev_renewed) return fmt::format("sched_yield() has taken the slice of {}.", task_name);
    const std::int32_t after = counter_at_start(view, view.record.other);
    if (before == after)
        return fmt::format("sched_yield() has put {} after the others; its counter stays {}.", task_name,
                           after);
    return fmt::format("sched_yield() has put {} after the others; its counter went from {} to {}.",
                       task_name, before, after);
}

// `task_name`: name of p, an rr task. The slice of an exited task is unknown.
std::string describe_renewal(const DecisionView& view, TaskId p, const std::string& task_name) {
    const std::string size =
        has_exited(view, p)
            ? std::string()
            : " of " + count_with_noun(static_cast<std::uint32_t>(counter_at_start(view, p)), "tick");
    return fmt::format(
        "{} (class rr) has used up its slice: it gets a new slice{} and goes after all tasks that are equal "
        "to it.",
        task_name, size);
}

std::string describe_candidate(const DecisionStep& step, const DecisionView& view, const NamedPolicy& policy,
                               const TaskNamer& name) {
    if (step.task == kNoTask)
        return fmt::format("{} examined.",
                           count_with_noun(view.log.decision.considered - step.candidates, "more task"));
    const Candidate& c = view.log.candidates[step.candidates - 1];
    const std::string task_name = name(c.task);
    const std::string criterion = policy.criterion;
    if (policy.why) {
        const char* const remark = reason_not_compared(c);
        return fmt::format("{}: {}{}{}.", task_name, key_text(c, policy), remark == nullptr ? "" : ", ",
                           remark == nullptr ? "" : remark);
    }
    if (criterion == "priority")
        return fmt::format("{}: priority {}: {}.", task_name, c.goodness,
                           c.best ? "it is the best so far" : "it does not replace the best so far");
    if (criterion != "goodness")
        return fmt::format("{}: {}.", task_name,
                           !c.best                    ? "it is not chosen"
                           : view.log.because.empty() ? "it is chosen"
                                                      : view.log.because);
    if (c.remark == CandidateRemark::asleep) return fmt::format("{}: asleep.", task_name);
    if (c.goodness < 0 && c.remark != CandidateRemark::yielded)
        return fmt::format(
            "{}: {}.", task_name,
            c.remark == CandidateRemark::not_allowed ? reason_not_compared(c) : "runs on another CPU");

    std::string text;
    if (c.remark == CandidateRemark::yielded) {
        text = fmt::format("{}: has yielded, {} {}", task_name, criterion, c.goodness);
    } else if (is_real_time(c)) {
        text = fmt::format("{}: real time, {} {}", task_name, criterion, c.goodness);
    } else {
        text = fmt::format("{}: counter {}", task_name, c.counter);
        const std::int32_t for_prev = bonus_for_prev(c, view.log);
        if (for_prev != 0) text += fmt::format(", +{} for being prev", for_prev);
        if (c.for_priority != 0) text += fmt::format(", +{} for its priority", c.for_priority);
        if (c.for_mm != 0) text += fmt::format(", +{} for its address space", c.for_mm);
        if (const std::int32_t for_cpu = bonus_for_last_cpu(c, view.log); for_cpu != 0)
            text += fmt::format(", +{} for its last CPU", for_cpu);
        text += fmt::format(", {} {}", criterion, c.goodness);
    }
    if (step.best == kNoTask) return text + ": the first task examined.";
    const std::string rival = name(step.best);
    const std::int32_t best = goodness_of_best(step, view.log);
    if (c.task == step.best) return text + ": the search started with it, and no task before it is better.";
    if (c.goodness > best) return text + fmt::format(": more than {}'s {}.", rival, best);
    if (c.goodness < best) return text + fmt::format(": less than {}'s {}.", rival, best);
    if (c.best) return text + fmt::format(": the same as {}, but this task came first.", rival);
    return text + fmt::format(": the same as {}, which comes first.", rival);
}

std::string describe_recalculation(const DecisionStep& step, const DecisionView& view,
                                   const TaskNamer& name) {
    const DecisionLog& log = view.log;
    if (step.task == kNoTask)
        return fmt::format("{} visited.",
                           count_with_noun(log.decision.recalculated -
                                               static_cast<std::uint32_t>(log.counter_changes.size()),
                                           "more task"));
    const bool gone = has_exited(view, step.task);
    std::string task_name = name(step.task);
    if (gone)
        task_name += ", which has exited";
    else if (view.after.task[step.task].state != TaskState::runnable)
        task_name += ", asleep";
    const bool changed =
        step.counter_changes > 0 && log.counter_changes[step.counter_changes - 1].task == step.task;
    if (!changed && gone) return fmt::format("{}: its counter does not change.", task_name);
    const Machine& m = gone ? view.before : view.after;
    const CounterChange r = changed ? log.counter_changes[step.counter_changes - 1]
                                    : CounterChange{step.task, m.counter[step.task], m.counter[step.task]};
    const std::int32_t half = r.before >> 1;
    const std::int32_t priority = m.priority[step.task], grant = r.after - half;
    // The change follows neither the rule of Linux 2.0 and 2.2 nor that of 2.4.
    if (grant != priority && grant != (priority >> 2) + 1)
        return fmt::format("{}: {} -> {}.", task_name, r.before, r.after);
    return fmt::format("{}: half of {} is {}, plus {} is {}.", task_name, r.before, half, grant, r.after);
}

std::string describe_woken_placement(const DecisionLog& log) {
    if (log.has_lists)
        return fmt::format(
            "Tasks were put on or taken off lists {}; the cost is charged now.",
            queue_steps_of_enqueue(log) == 1 ? "once" : fmt::format("{} times", queue_steps_of_enqueue(log)));
    return fmt::format("Putting woken tasks into the queue took {}; the cost is charged now.",
                       count_with_noun(queue_steps_of_enqueue(log), "comparison"));
}

std::string describe_new_best(const DecisionStep& step, const DecisionLog& log, const NamedPolicy& policy,
                              const std::string& task_name) {
    const Candidate& c = log.candidates[step.candidates - 1];
    if (policy.why && step.task != log.decision.next) return fmt::format("{} is the best so far.", task_name);
    if (policy.criterion != "goodness") return fmt::format("{} is chosen.", task_name);
    return fmt::format("{} is the best so far, with goodness {}.", task_name, c.goodness);
}

std::string describe_insertion(const DecisionStep& step, const DecisionLog& log,
                               const std::string& task_name) {
    std::uint32_t steps = 0;
    for (const Insertion& insertion : log.insertions)
        if (insertion.task == step.task) steps = insertion.steps;
    const std::string comparisons = count_with_noun(steps, "comparison");
    if (step.phase == Phase::put_back)
        return fmt::format("{} is still runnable and is put back into the queue: {}.", task_name,
                           comparisons);
    return fmt::format("{} is not chosen and is inserted into the queue: {}.", task_name, comparisons);
}

std::string describe_recalculation_test(const DecisionStep& step, const DecisionLog& log) {
    if (step.best == kNoTask) return "No task is runnable: nothing is recalculated.";
    const std::int32_t goodness = goodness_of_best(step, log);
    if (goodness != 0) return fmt::format("The best goodness is {}: nothing is recalculated.", goodness);
    return "The best goodness is 0: every runnable task's counter is 0.";
}

std::string describe_queue_reorder(const DecisionLog& log) {
    std::uint32_t steps = 0;
    for (const Insertion& insertion : log.insertions)
        if (insertion.task == kNoTask) steps += insertion.steps;
    return fmt::format("The queue is sorted by priority again: {}.", count_with_noun(steps, "queue step"));
}

std::string describe_resume(const DecisionStep& step, const DecisionView& view,
                            const std::string& task_name) {
    if (step.task == view.record.other)
        return view.before.is_idle_task(step.task) ? fmt::format("{} continues to wait.", task_name)
                                                   : fmt::format("{} continues.", task_name);
    if (view.after.is_idle_task(step.task))
        return fmt::format("{} runs and waits for an interrupt.", task_name);
    return fmt::format("{} runs.", task_name) + describe_cache_refill(view.record);
}

}  // namespace

std::string describe(const DecisionStep& step, const DecisionView& view, const NamedPolicy& policy,
                     const TaskNamer& name) {
    const DecisionLog& log = view.log;
    const auto task_name = [&] { return name(step.task); };
    const std::string prev = name(view.record.other);
    if (step.is_script()) return describe_script_step(step, view, policy, name);
    if (std::string text = describe_engine_step(step, view, name); !text.empty()) return text;
    switch (step.phase) {
        case Phase::enter:
            return describe_kernel_entry(view, prev);
        case Phase::yield:
            if (policy.why) return fmt::format("{} has called sched_yield().", prev);
            return describe_yield(view, prev);
        case Phase::place_woken:
            return describe_woken_placement(log);
        case Phase::begin:
            return fmt::format("schedule() begins: prev is {}.", prev);
        case Phase::renew:
            return describe_renewal(view, step.task, prev);
        case Phase::leave:
            return fmt::format("{} {}: it leaves the queue.", prev,
                               has_exited(view, step.task) ? "has exited" : "is asleep");
        case Phase::find_bit:
            return fmt::format("The first set bit is in word {} of the bitmap.", log.bitmap_words);
        case Phase::consider:
            return describe_candidate(step, view, policy, name);
        case Phase::keep:
            return describe_new_best(step, log, policy, task_name());
        case Phase::put_back:
        case Phase::insert:
            return describe_insertion(step, log, task_name());
        case Phase::recalc_test:
            return describe_recalculation_test(step, log);
        case Phase::recalculate:
            return describe_recalculation(step, view, name);
        case Phase::reorder:
            return describe_queue_reorder(log);
        case Phase::switch_context:
            return fmt::format("{} replaces {}: the state of {} is saved, the state of {} is loaded.",
                               task_name(), prev, prev, task_name());
        case Phase::switch_mm:
            return describe_switch_mm(step, view, policy, task_name());
        case Phase::resume:
            return describe_resume(step, view, task_name());
    }
    return {};
}

}  // namespace sim
