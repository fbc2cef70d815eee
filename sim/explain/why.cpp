#include "sim/explain/why.h"

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
TaskId head_of(const Machine& m, TaskId p) {
    if (m.next_run[p] == kNoTask) return kNoTask;
    TaskId head = p;
    while (!m.is_idle_task(head)) head = m.next_run[head];
    return head;
}

// The ready tasks of the list of this head, without running tasks, in order.
std::vector<TaskId> waiting_in(const Machine& m, TaskId head) {
    std::vector<TaskId> tasks;
    for (TaskId p = m.next_run[head]; p != head && p != kNoTask; p = m.next_run[p])
        if (m.task[p].processor == Task::kNoProcessor) tasks.push_back(p);
    return tasks;
}

struct QueuePlace {
    std::size_t place = 0, count = 0;  // place: from 1; 0: on no queue
    std::string part;                  // name of the part of the queue, if it has several
};

QueuePlace place_of(const Machine& m, const Policy& policy, TaskId p) {
    const TaskId head = head_of(m, p);
    if (head == kNoTask) return {};
    const std::vector<TaskId> waiting = waiting_in(m, head);
    const auto at = static_cast<std::size_t>(std::find(waiting.begin(), waiting.end(), p) - waiting.begin());
    if (at == waiting.size()) return {};
    QueuePlace result{at + 1, waiting.size(), {}};
    std::size_t first = 0;
    for (const Policy::QueuePart& part : policy.queue_parts(m)) {
        if (at < first + part.tasks) return {at - first + 1, part.tasks, part.name};
        first += part.tasks;
    }
    return result;
}

std::string place_text(const QueuePlace& place, const std::string& queue) {
    const std::string in = place.part.empty() ? queue : place.part;
    if (place.count == 1) return fmt::format("the only task in {}", in);
    return fmt::format("number {} of {} in {}", place.place, place.count, in);
}

// --- the cause of the schedule() ---

// The check that requested this schedule() for the CPU of the decision: its comparison, or what the policy
// says of the state before the decision.
std::string reason_of_check(const DecisionView& view, const NamedPolicy& policy, const TaskNamer& name) {
    const TraceRecord& r = view.record;
    if (view.check) return view.check->reason;
    if (r.cause == ReschedCause::tick || r.cause == ReschedCause::slice_end)
        return policy.policy->tick_reason(view.before, r.other, true, name);
    return {};
}

// `prev`: name of the previous task.
std::string cause_clause(const DecisionView& view, const NamedPolicy& policy, const TaskNamer& name,
                         const std::string& prev) {
    const TraceRecord& r = view.record;
    const auto cause_is_live = [&] {
        return r.caused_by != kNoTask && (view.after.is_live(r.caused_by) || view.before.is_live(r.caused_by));
    };
    switch (r.cause) {
        case ReschedCause::tick:
        case ReschedCause::slice_end: {
            const std::string reason = reason_of_check(view, policy, name);
            return !reason.empty() ? reason : prev + "'s slice is used up";
        }
        case ReschedCause::wake_up: {
            if (!cause_is_live()) return "A task has woken up";
            std::string text = name(r.caused_by) + " has become ready";
            if (const std::string reason = reason_of_check(view, policy, name); !reason.empty())
                text += ", and " + reason;
            return text;
        }
        case ReschedCause::offered:
            return cause_is_live() ? name(r.caused_by) + ", which has lost another CPU, may run here"
                                   : "A task that has lost another CPU may run here";
        case ReschedCause::balance:
            return "Load balancing has moved a task, or looks for one";
        case ReschedCause::yield:
            return prev + " calls sched_yield()";
        case ReschedCause::new_job:
            return prev + " begins another job";
        case ReschedCause::fork:
            return prev + " has given half of its slice to its child, and the rest is used up";
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

std::string idle_until(const DecisionView& view, const TaskNamer& name) {
    const TraceRecord& r = view.record;
    const std::string cpu = view.before.shape().cpus > 1 ? fmt::format("cpu{}", r.cpu) : "The CPU";
    if (r.cause == ReschedCause::wake_up && r.caused_by != kNoTask)
        return fmt::format("{} is idle until {} becomes ready.", cpu, name(r.caused_by));
    if (r.cause == ReschedCause::offered && r.caused_by != kNoTask)
        return fmt::format("{} is idle until {} loses another CPU.", cpu, name(r.caused_by));
    if (r.cause == ReschedCause::balance)
        return fmt::format("{} is idle, and looks for a task that waits on another CPU.", cpu);
    return fmt::format("{} is idle.", cpu);
}

std::string stopped_text(const DecisionView& view, const NamedPolicy& policy, const Scenario& scenario,
                         const TaskNamer& name) {
    const TraceRecord& r = view.record;
    if (view.before.is_idle_task(r.other)) return idle_until(view, name);
    const std::string prev = name(r.other);
    if (r.voluntary)
        return fmt::format("{} {}.", prev,
                           is_gone(view, r.other) ? "has exited" : absence_text(view.after, scenario, r.other));
    if (r.after_yield) return fmt::format("{} calls sched_yield().", prev);
    return cause_clause(view, policy, name, prev) + ".";
}

// --- the tasks ---

std::string since_text(const DecisionView& view, const TaskNamer& name) {
    const TraceRecord& r = view.record;
    if (!view.ready_since || r.task == r.other || view.after.is_idle_task(r.task)) return {};
    const Nanos waited = r.time - *view.ready_since;
    if (waited <= Nanos{}) return fmt::format("{} became ready at this moment.", name(r.task));
    if (*view.ready_since == Nanos{})
        return fmt::format("{} was ready since the start, for {}.", name(r.task), human_time(waited));
    return fmt::format("{} was ready since {}, for {}.", name(r.task), human_time(*view.ready_since),
                       human_time(waited));
}

std::string goes_text(const DecisionView& view, const NamedPolicy& policy, const TaskNamer& name) {
    const TraceRecord& r = view.record;
    if (r.voluntary || r.task == r.other || view.before.is_idle_task(r.other)) return {};
    if (!view.after.is_live(r.other)) return {};
    const std::uint16_t elsewhere = view.after.task[r.other].processor;
    if (elsewhere != Task::kNoProcessor) return fmt::format("{} runs on cpu{}.", name(r.other), elsewhere);
    const QueuePlace place = place_of(view.after, *policy.policy, r.other);
    if (place.place == 0) return {};
    return fmt::format("{} is now {}.", name(r.other),
                       place_text(place, policy.policy->queue_name(view.after, r.other)));
}


// "its burst is 9 ms, B's 4 ms".
std::string compared(const Candidate& c, const Candidate& winner, const std::string& best,
                     const NamedPolicy& policy) {
    if (winner.remark == Remark::real_time) return fmt::format("{} is a real-time task", best);
    const std::string own = key_value_text(policy.criterion, c.key),
                      theirs = key_value_text(policy.criterion, winner.key);
    if (own == theirs) return fmt::format("its {} is {}, as {}'s, which comes first", policy.criterion, own, best);
    return fmt::format("its {} is {}, {}'s {}", policy.criterion, own, best, theirs);
}

// Why a candidate of the search that chose `winner` was not chosen.
std::string reason_of_candidate(const Candidate& c, const Candidate* winner, const DecisionView& view,
                                const NamedPolicy& policy, const TaskNamer& name) {
    const std::string best = winner == nullptr ? "" : name(winner->task);
    if (c.remark == Remark::not_allowed) return "its affinity excludes this CPU";
    if (c.remark == Remark::yielded) return "it has yielded";
    if (c.remark == Remark::not_eligible) return "it is not eligible: it has received more than its share";
    if (winner == nullptr) return "the policy leaves the CPU idle";
    if (policy.why) {
        if (winner->remark == Remark::real_time || winner->remark == Remark::parity)
            return fmt::format("{} precedes it", best);
        return compared(c, *winner, best, policy);
    }
    if (policy.criterion == "goodness" || policy.criterion == "priority") {
        if (c.goodness == winner->goodness)
            return fmt::format("its {} is {}, as {}'s, which {}", policy.criterion, c.goodness, best,
                               view.log.prev_first && winner->task == view.log.prev ? "is already running"
                                                                                   : "comes first");
        return fmt::format("its {} is {}, {}'s {}", policy.criterion, c.goodness, best, winner->goodness);
    }
    return fmt::format("pick_next() chooses {}", best);
}

// A candidate that schedule() has not examined, for key_text().
Candidate with_key(TaskId p, std::int64_t key) {
    Candidate candidate{p, 0, 0, 0, false};
    candidate.key = key;
    return candidate;
}

std::vector<Why::Other> others_of(const DecisionView& view, const NamedPolicy& policy,
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
    std::vector<Why::Other> others;
    const auto add = [&](TaskId p) {
        if (p == r.task || !m.may_run(p, r.cpu)) return;
        if (const Candidate* const c = in_search(p); c != nullptr && c->remark != Remark::elsewhere) {
            others.push_back({p, reason_of_candidate(*c, winner, view, policy, name)});
            return;
        }
        const QueuePlace place = place_of(m, *policy.policy, p);
        if (place.place == 0) return;
        std::string reason = "it is " + place_text(place, policy.policy->queue_name(m, p));
        if (policy.why && policy.policy->has_keys_in_queue() && winner != nullptr &&
            !is_real_time(m.sched_class[p]))
            reason += "; " + compared(with_key(p, policy.policy->key_of(m, p)), *winner, name(r.task), policy);
        others.push_back({p, reason});
    };
    // A policy with a queue per CPU chooses only from this CPU's queue.
    const bool per_cpu = policy.policy->has_queue_per_cpu();
    for (const TaskId p : waiting_in(m, per_cpu ? r.cpu : 0)) add(p);
    return others;
}

}  // namespace

std::string Why::text() const {
    std::string all = stopped;
    append(all, chosen);
    append(all, since);
    append(all, goes);
    return all;
}

Why why(const DecisionView& view, const NamedPolicy& policy, const Scenario& scenario) {
    const TaskNamer name = names_in(view, scenario);
    return {.stopped = stopped_text(view, policy, scenario, name),
            .chosen = why_it_won(view.log, policy, name),
            .since = since_text(view, name),
            .goes = goes_text(view, policy, name),
            .others = others_of(view, policy, name)};
}

std::string check_text(const ReschedCheck& check, const Machine& m, const TaskNamer& name) {
    const bool is_idle = m.is_idle_task(check.current);
    std::string text;
    switch (check.at) {
        case ReschedCheck::At::wake_up:
            if (is_idle)
                text = fmt::format("{} becomes ready, and cpu{} is idle", name(check.task), check.cpu);
            else
                text = fmt::format("{} becomes ready and {} {}", name(check.task),
                                   check.asks ? "preempts" : "does not preempt", name(check.current));
            break;
        case ReschedCheck::At::tick:
            text = fmt::format("At this tick, {} {}", name(check.current),
                               check.asks ? "must give way" : "keeps the CPU");
            break;
        case ReschedCheck::At::slice_end:
            text = fmt::format("{}'s slice ends, and it {}", name(check.current),
                               check.asks ? "must give way" : "keeps the CPU");
            break;
    }
    if (check.pending && !check.asks) return text + ": a schedule() has already been requested.";
    return check.reason.empty() || is_idle ? text + "." : text + ": " + check.reason + ".";
}

std::string why_not_running(const Machine& m, const NamedPolicy& policy, const Scenario& scenario, TaskId p) {
    const std::string name = scenario.task_name(m, p);
    if (!m.is_live(p)) return "This task has exited.";
    const Task& task = m.task[p];
    if (task.state != TaskState::runnable) return fmt::format("{} {}.", name, absence_text(m, scenario, p));
    if (task.processor != Task::kNoProcessor) return fmt::format("{} runs on cpu{}.", name, task.processor);
    const QueuePlace place = place_of(m, *policy.policy, p);
    const std::string where =
        place.place == 0 ? "" : fmt::format(": it is {}", place_text(place, policy.policy->queue_name(m, p)));
    return fmt::format("{} is ready and waits{}.", name, where);
}

}  // namespace sim
