#include "sim/explain/decision_reasons.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/human_text.h"
#include "sim/core/run_queue.h"
#include "sim/explain/decision_facts.h"
#include "sim/explain/decision_steps.h"
#include "sim/explain/wait_text.h"

namespace sim {
namespace {

// Adds a sentence or clause after a space.
void append(std::string& text, const std::string& more) {
    if (more.empty()) return;
    if (!text.empty()) text += ' ';
    text += more;
}

// --- places in a queue ---

// The head of the list that contains p; kNoTask: p is on no list.
TaskId queue_head_of(const Machine& m, TaskId p) {
    if (m.next_run[p] == kNoTask) return kNoTask;
    TaskId head = p;
    while (!m.is_idle_task(head)) head = m.next_run[head];
    return head;
}

// The ready tasks on the list with this head, in list order. Running tasks are excluded.
std::vector<TaskId> ready_tasks_of_queue(const Machine& m, TaskId head) {
    std::vector<TaskId> tasks;
    for (TaskId p = m.next_run[head]; p != head && p != kNoTask; p = m.next_run[p])
        if (m.task[p].processor == Task::kNoProcessor) tasks.push_back(p);
    return tasks;
}

// The position of the ready task p among the tasks in the same part of the queue: "number 2 of the 3 tasks
// that wait in the expired array". Empty if p runs or is on no queue.
std::string place_of(const Machine& m, const Policy& policy, TaskId p) {
    const TaskId head = queue_head_of(m, p);
    if (head == kNoTask || m.task[p].processor != Task::kNoProcessor) return {};
    const std::string queue = policy.queue_name(m, p);
    std::size_t place = 0, count = 0;
    for (const TaskId q : ready_tasks_of_queue(m, head)) {
        if (q != p && policy.queue_name(m, q) != queue) continue;
        ++count;
        if (q == p) place = count;
    }
    if (count == 1) return "the only task that waits in " + queue;
    return fmt::format("number {} of the {} tasks that wait in {}", place, count, queue);
}

// --- the cause of the schedule() ---

// Returns the reason why the policy requested this schedule(): the comparison in the recorded check. For a
// tick or the end of a slice without a recorded check, returns Policy::tick_reason() for the state before the
// decision.
std::string resched_check_reason(const DecisionView& view, const NamedPolicy& policy, const TaskNamer& name) {
    const TraceRecord& r = view.record;
    if (view.check) return view.check->reason;
    if (r.cause == ReschedCause::tick)
        return policy.policy->tick_reason(view.before, r.other, ReschedCheck::Point::tick, true, name);
    if (r.cause == ReschedCause::slice_end)
        return policy.policy->tick_reason(view.before, r.other, ReschedCheck::Point::slice_end, true, name);
    return {};
}

// `prev`: name of the previous task.
std::string schedule_cause_clause(const DecisionView& view, const NamedPolicy& policy, const TaskNamer& name,
                                  const std::string& prev) {
    const TraceRecord& r = view.record;
    const auto cause_is_live = [&] {
        return r.caused_by != kNoTask &&
               (view.after.is_live(r.caused_by) || view.before.is_live(r.caused_by));
    };
    switch (r.cause) {
        case ReschedCause::tick:
        case ReschedCause::slice_end: {
            const std::string reason = resched_check_reason(view, policy, name);
            std::string text = !reason.empty() ? reason : prev + "'s slice is used up";
            if (r.cause == ReschedCause::slice_end && view.prev_since)
                text += fmt::format(": it has had the CPU for {}", human_time(r.time - *view.prev_since));
            return text;
        }
        case ReschedCause::wake_up: {
            if (!cause_is_live()) return "A task has woken up";
            std::string text = name(r.caused_by) + " has become ready";
            if (const std::string reason = resched_check_reason(view, policy, name); !reason.empty())
                text += ", and " + reason;
            return text;
        }
        case ReschedCause::offered:
            return cause_is_live() ? name(r.caused_by) + ", which has lost its CPU, may run on this one"
                                   : "A task that has lost its CPU may run on this one";
        case ReschedCause::balance:
            return "Load balancing has moved a task, or looks for a task to move";
        case ReschedCause::yield:
            return prev + " calls sched_yield()";
        case ReschedCause::sleep_over:
            return prev + " asks to sleep until a time that has already come, so it stays ready";
        case ReschedCause::new_job:
            return prev + " begins its next job";
        case ReschedCause::deadline:
            return prev + " has called exec, and its program has another deadline";
        case ReschedCause::fork:
            return prev + "'s slice is used up by its fork";
        case ReschedCause::exec:
            return prev + " has called exec, and the policy moves it to another CPU";
        case ReschedCause::renice:
            return "A priority has been changed";
        case ReschedCause::block:
            return "An intervention puts " + prev + " to sleep";
        case ReschedCause::policy:
            return "The policy has been changed";
        case ReschedCause::none:
            break;
    }
    return "need_resched is set";
}

std::string idle_until_text(const DecisionView& view, const NamedPolicy& policy, const TaskNamer& name) {
    const TraceRecord& r = view.record;
    const std::string cpu = view.before.shape().cpus > 1 ? fmt::format("cpu{}", r.cpu) : "The CPU";
    if (r.cause == ReschedCause::wake_up && r.caused_by != kNoTask)
        // True for the first decision of each CPU. The number is tested, too, because later decisions can
        // also be at time 0 if costs are 0.
        return r.time == Nanos{} && view.number <= view.before.shape().cpus
                   ? "The run starts."
                   : fmt::format("{} is idle until {} becomes ready.", cpu, name(r.caused_by));
    if (r.cause == ReschedCause::offered && r.caused_by != kNoTask)
        return fmt::format("{} is idle until {} loses its own CPU.", cpu, name(r.caused_by));
    if (r.cause == ReschedCause::balance)
        return policy.policy->has_queue_per_cpu()
                   ? fmt::format("{} is idle, and looks for a task that waits on another CPU.", cpu)
                   : fmt::format("{} is idle, and finds a ready task at a tick.", cpu);
    return fmt::format("{} is idle.", cpu);
}

std::string why_prev_stopped(const DecisionView& view, const NamedPolicy& policy, const Scenario& scenario,
                             const TaskNamer& name) {
    const TraceRecord& r = view.record;
    if (view.before.is_idle_task(r.other)) return idle_until_text(view, policy, name);
    const std::string prev = name(r.other);
    if (view.before.has_pending_block(r.other)) return fmt::format("An intervention puts {} to sleep.", prev);
    if (r.voluntary)
        return fmt::format(
            "{} {}.", prev,
            has_exited(view, r.other) ? "has exited" : not_runnable_text(view.after, scenario, r.other));
    if (r.after_yield) return fmt::format("{} calls sched_yield().", prev);
    return schedule_cause_clause(view, policy, name, prev) + ".";
}

// --- the tasks ---

std::string ready_since_text(const DecisionView& view, const TaskNamer& name) {
    const TraceRecord& r = view.record;
    if (!view.ready_since || r.task == r.other || view.after.is_idle_task(r.task)) return {};
    const Nanos waited = r.time - *view.ready_since;
    if (waited <= Nanos{}) return {};
    if (*view.ready_since == Nanos{})
        return fmt::format("{} had been ready since the start, for {}.", name(r.task), human_time(waited));
    return fmt::format("{} had been ready since {}, for {}.", name(r.task), human_instant(*view.ready_since),
                       human_time(waited));
}

std::string where_prev_goes_text(const DecisionView& view, const NamedPolicy& policy, const TaskNamer& name) {
    const TraceRecord& r = view.record;
    if (r.voluntary || r.task == r.other || view.before.is_idle_task(r.other)) return {};
    if (!view.after.is_live(r.other)) return {};
    const std::uint16_t elsewhere = view.after.task[r.other].processor;
    if (elsewhere != Task::kNoProcessor) return fmt::format("{} runs on cpu{}.", name(r.other), elsewhere);
    const std::string place = place_of(view.after, *policy.policy, r.other);
    return place.empty() ? place : fmt::format("{} is now {}.", name(r.other), place);
}

// Compares two keys in a clause: "its burst is 9 ms, B's is 4 ms". `best`: name of the winner.
std::string compared(const Candidate& c, const Candidate& winner, const std::string& best,
                     const NamedPolicy& policy) {
    if (winner.remark == CandidateRemark::real_time) return fmt::format("{} is a real-time task", best);
    if (winner.remark == CandidateRemark::buddy)
        return fmt::format("{} was preempted by a wake-up, and its vruntime is close to the least vruntime",
                           best);
    const std::string own = criterion_value_text(policy.criterion, c.key),
                      theirs = criterion_value_text(policy.criterion, winner.key);
    if (own == theirs)
        return fmt::format("its {} is {}, the same as {}'s, which comes first", policy.criterion, own, best);
    return fmt::format("its {} is {}, {}'s is {}", policy.criterion, own, best, theirs);
}

// Why a candidate of the search that chose `winner` was not chosen.
std::string why_not_chosen(const Candidate& c, const Candidate* winner, const DecisionView& view,
                           const NamedPolicy& policy, const TaskNamer& name) {
    const std::string best = winner == nullptr ? "" : name(winner->task);
    if (c.remark == CandidateRemark::not_allowed) return "its affinity excludes this CPU";
    if (c.remark == CandidateRemark::yielded) return "it has yielded";
    if (c.remark == CandidateRemark::not_eligible)
        return "it is not eligible: it has received more than its share";
    if (winner == nullptr) return "the policy leaves the CPU idle";
    if (policy.why) {
        if (winner->remark == CandidateRemark::real_time || winner->remark == CandidateRemark::parity)
            return fmt::format("{} takes precedence", best);
        return compared(c, *winner, best, policy);
    }
    if (policy.criterion == "goodness" || policy.criterion == "priority") {
        if (policy.criterion == "priority" && winner->task == view.log.prev && c.goodness == winner->goodness)
            return fmt::format("its priority is {}, and {}, which is running, gives way only to a higher one",
                               c.goodness, best);
        if (c.goodness == winner->goodness)
            return fmt::format(
                "its {} is {}, the same as {}'s, which {}", policy.criterion, c.goodness, best,
                view.log.prev_first && winner->task == view.log.prev ? "is already running" : "comes first");
        return fmt::format("its {} is {}, {}'s is {}", policy.criterion, c.goodness, best, winner->goodness);
    }
    return fmt::format("pick_next() chooses {}", best);
}

// Returns a Candidate with this key for a task that schedule() has not examined. It is an argument for
// compared().
Candidate candidate_with_key(TaskId p, std::int64_t key) {
    Candidate candidate{p, 0, 0, 0, false};
    candidate.key = key;
    return candidate;
}

std::vector<DecisionReasons::NotChosenTask> other_ready_tasks(const DecisionView& view,
                                                              const NamedPolicy& policy,
                                                              const TaskNamer& name) {
    const TraceRecord& r = view.record;
    const Machine& m = view.after;
    const std::span<const Candidate> search = view.log.last_search();
    const auto in_search = [&](TaskId p) -> const Candidate* {
        const auto found =
            std::find_if(search.begin(), search.end(), [p](const Candidate& c) { return c.task == p; });
        return found == search.end() ? nullptr : &*found;
    };
    const Candidate* const winner = in_search(r.task);
    std::vector<DecisionReasons::NotChosenTask> others;
    const auto add = [&](TaskId p) {
        if (p == r.task || !m.may_run(p, r.cpu)) return;
        if (const Candidate* const c = in_search(p);
            c != nullptr && c->remark != CandidateRemark::elsewhere) {
            others.push_back({p, why_not_chosen(*c, winner, view, policy, name)});
            return;
        }
        if (place_of(m, *policy.policy, p).empty()) return;
        std::string reason = winner == nullptr ? "" : policy.policy->not_chosen_reason(m, p, r.task, name);
        if (reason.empty() && winner != nullptr && policy.why && policy.policy->has_keys_in_queue() &&
            policy.policy->candidate_key(m, p) >= winner->key)
            reason = compared(candidate_with_key(p, policy.policy->candidate_key(m, p)), *winner,
                              name(r.task), policy);
        if (reason.empty())
            reason = winner == nullptr ? "the policy leaves the CPU idle"
                                       : fmt::format("it was behind {} in {}", name(r.task),
                                                     policy.policy->queue_name(m, p));
        others.push_back({p, reason});
    };
    // A policy with a queue per CPU chooses only from this CPU's queue.
    const bool per_cpu = policy.policy->has_queue_per_cpu();
    for (const TaskId p : ready_tasks_of_queue(m, per_cpu ? r.cpu : 0)) add(p);
    return others;
}

}  // namespace

std::string DecisionReasons::text() const {
    std::string all = stopped;
    append(all, changed);
    append(all, chosen);
    append(all, since);
    append(all, goes);
    return all;
}

DecisionReasons decision_reasons(const DecisionView& view, const NamedPolicy& policy,
                                 const Scenario& scenario) {
    const TaskNamer name = make_task_namer(view, scenario);
    return {.stopped = why_prev_stopped(view, policy, scenario, name),
            .changed = policy.policy->queue_change(view.before, view.after, view.record.cpu),
            .chosen = why_winner_won(view.log, policy, name),
            .since = ready_since_text(view, name),
            .goes = where_prev_goes_text(view, policy, name),
            .others = other_ready_tasks(view, policy, name)};
}

std::string resched_check_text(const ReschedCheck& check, const Machine& m, const TaskNamer& name) {
    const bool is_idle = m.is_idle_task(check.current);
    const std::string current = name(check.current);
    const bool adds_nothing = check.pending && !check.asks;
    std::string text;
    switch (check.at) {
        case ReschedCheck::Point::wake_up:
            text = name(check.task) + " becomes ready";
            if (is_idle)
                text += fmt::format(", and cpu{} is idle", check.cpu);
            else if (check.asks)
                text += ", and a schedule() is requested";
            else if (!adds_nothing)
                text += fmt::format(" and does not preempt {}", current);
            break;
        case ReschedCheck::Point::tick:
            text = adds_nothing ? "At this tick, nothing changes"
                   : check.asks ? std::string("At this tick, a schedule() is requested")
                                : fmt::format("At this tick, {} keeps the CPU", current);
            break;
        case ReschedCheck::Point::slice_end:
            text = check.asks ? fmt::format("At the end of {}'s slice, a schedule() is requested", current)
                              : fmt::format("At the end of {0}'s slice, {0} keeps the CPU", current);
            break;
        case ReschedCheck::Point::yield:
            text = check.asks ? current + " calls sched_yield(), which requests a schedule()"
                              : current + " calls sched_yield(), which requests no schedule()";
            break;
    }
    if (adds_nothing) return text + ": a schedule() has already been requested.";
    return check.reason.empty() || is_idle ? text + "." : text + ": " + check.reason + ".";
}

std::string why_not_running(const Machine& m, const NamedPolicy& policy, const Scenario& scenario, TaskId p) {
    const std::string name = scenario.task_name(m, p);
    if (!m.is_live(p)) return "This task has exited.";
    const Task& task = m.task[p];
    if (task.state != TaskState::runnable)
        return fmt::format("{} {}.", name, not_runnable_text(m, scenario, p));
    if (task.processor != Task::kNoProcessor) return fmt::format("{} runs on cpu{}.", name, task.processor);
    const std::string place = place_of(m, *policy.policy, p);
    return fmt::format("{} is ready and waits{}.", name, place.empty() ? "" : ": it is " + place);
}

}  // namespace sim
