#include "ui/panels/queue_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "ui/view/fair_queue.h"
#include "ui/view/format.h"
#include "ui/view/priority_arrays.h"
#include "ui/view/queue_moment.h"
#include "ui/view/workload.h"

namespace ui {
namespace {

using sim::Machine;
using sim::Phase;
using sim::TaskId;

std::vector<TaskId> queued_tasks(const Machine& m) {
    std::vector<TaskId> tasks;
    for (TaskId head = 0; head < m.first_task(); ++head) {
        if (m.next_run[head] == sim::kNoTask) continue;
        for (TaskId p = m.next_run[head]; p != head; p = m.next_run[p]) tasks.push_back(p);
    }
    return tasks;
}

bool contains(const std::vector<TaskId>& tasks, TaskId p) {
    return std::find(tasks.begin(), tasks.end(), p) != tasks.end();
}

void append(std::vector<TaskId>& tasks, const std::vector<TaskId>& more) {
    tasks.insert(tasks.end(), more.begin(), more.end());
}

// The order of the queue in the middle of schedule(). If the policy keeps running tasks on the queue, the
// order is final as soon as prev has been moved or removed.
std::vector<TaskId> queued_tasks_inside_schedule(const Cursor& c, Phase phase) {
    const sim::DecisionView& view = c.decision();
    if (phase >= Phase::switch_context) return queued_tasks(view.after);
    std::vector<TaskId> before = queued_tasks(view.before);
    if (phase <= Phase::enter) return before;
    if (c.policy().policy->keeps_running_task_queued()) {
        const bool not_yet = (view.record.voluntary && phase < Phase::leave) ||
                             (view.log.prev_renewed && phase < Phase::renew);
        if (!not_yet) return queued_tasks(view.after);
        std::vector<bool> there(view.after.task.size());
        for (const TaskId p : before) there[p] = true;
        for (const TaskId p : queued_tasks(view.after))
            if (!there[p]) before.push_back(p);  // adds p, which the event of this decision has woken
        return before;
    }
    // A candidate that is not in `before` was woken by the event that caused this decision. In a sorted
    // queue, it is at the head.
    for (const sim::Candidate& candidate : view.log.candidates)
        if (candidate.task != view.record.other && !contains(before, candidate.task))
            before.insert(before.begin(), candidate.task);
    return before;
}

// Returns p's counter after the first `skipped_changes` counter changes (of any tasks) of the decision. This
// value is the old value in the next change of p's counter. nullopt: p's counter does not change again.
std::optional<std::int32_t> counter_before_change(const Cursor& c, std::uint32_t skipped_changes, TaskId p) {
    const auto& counter_changes = c.decision().log.counter_changes;
    const auto first = counter_changes.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                     std::size_t{skipped_changes}, counter_changes.size()));
    const auto less = [](const sim::CounterChange& r, TaskId q) { return r.task < q; };
    const auto found =
        c.decision().log.decision.recalculations == 1
            ? std::lower_bound(first, counter_changes.end(), p, less)
            : std::find_if(first, counter_changes.end(), [p](const auto& r) { return r.task == p; });
    if (found == counter_changes.end() || found->task != p) return std::nullopt;
    return found->before;
}

}  // namespace

std::optional<sim::CpuId> QueueView::cpu_of(TaskId p) const {
    const auto found = std::find(running.begin(), running.end(), p);
    if (found == running.end()) return std::nullopt;
    return static_cast<sim::CpuId>(found - running.begin());
}

bool QueueView::is_queued(TaskId p) const { return contains(tasks, p); }

QueueView queue_view(const Run& run, const ViewState& view) {
    const QueueMoment moment = queue_moment(run, view);
    const std::optional<Cursor>& c = moment.cursor;
    const std::optional<Phase>& phase = moment.phase;
    QueueView queue;
    queue.inside = phase.has_value();
    queue.machine = moment.machine;
    const Machine& m = *queue.machine;
    if (const auto kernel = fair_kernel(run, moment); kernel != sim::fair::FairKernel::none) {
        for (sim::CpuId cpu = 0; cpu < m.shape().cpus; ++cpu)
            append(queue.tasks, fair_queue(moment, cpu, kernel).waiting());
    } else if (has_priority_arrays(run, moment)) {
        for (sim::CpuId cpu = 0; cpu < m.shape().cpus; ++cpu)
            append(queue.tasks, priority_arrays(moment, cpu).tasks());
    } else if (const bool before_or_after =
                   !phase || *phase <= Phase::enter || *phase >= Phase::switch_context;
               before_or_after || moment.is_reexecuted || !c->decision().script.empty()) {
        queue.tasks = queued_tasks(m);
        queue.parts = policy_at(run, moment).policy->queue_parts(m);
    } else if (auto parts = policy_at(run, moment).policy->queue_parts(c->decision().before);
               !parts.empty()) {
        // The policy is a script whose lines were not recorded.
        queue.tasks = queued_tasks(c->decision().before);
        queue.parts = std::move(parts);
    } else {
        queue.tasks = queued_tasks_inside_schedule(*c, *phase);
    }
    for (sim::CpuId cpu = 0; cpu < m.shape().cpus; ++cpu) queue.running.push_back(m.cpu(cpu).current);
    if (phase && *phase < Phase::switch_context)
        queue.running[c->decision().record.cpu] = c->decision().record.other;
    if (phase && !is_outcome_hidden(view)) {
        queue.best = c->step().best;
        if (*phase == Phase::consider || *phase == Phase::keep || *phase == Phase::put_back ||
            *phase == Phase::insert)
            queue.current = c->step().task;
    }
    for (TaskId p = m.first_task(); p < m.globals().high_row; ++p) {
        const bool has_event = m.has_event(p);
        if (!has_event && m.task[p].state != sim::TaskState::waiting) continue;
        const sim::Nanos start = run.scenario().groups[m.task[p].group].start;
        const bool is_to_arrive = has_event && m.task[p].wake_at == start && start > m.globals().now &&
                                  run.scenario().groups[m.task[p].group].count == 1;
        ++(is_to_arrive ? queue.to_arrive : queue.asleep);
        if (!is_to_arrive && queue.sleepers.size() < QueueView::kMostSleepers) queue.sleepers.push_back(p);
        sim::Nanos& next = is_to_arrive ? queue.next_arrival : queue.next_wake;
        if (has_event) next = std::min(next, m.task[p].wake_at);
    }
    return queue;
}

std::string queue_marker_text(const QueueView& queue, TaskId p) {
    std::string marks;
    if (const auto cpu = queue.cpu_of(p)) marks += fmt::format("cpu{} ", *cpu);
    if (queue.current == p) marks += "looked at ";
    if (queue.best == p) marks += "best so far";
    return marks;
}

namespace {

// The remaining CPU time of a burst as text, such as "2.5 ms left", without trailing zeros.
std::string remaining_burst_text(sim::Nanos left) {
    const bool is_usual = sim::Nanos{1'000'000} <= left && left < sim::Nanos{10'000'000'000};
    return !is_usual ? span(left) + " left" : rounded_ms_text(static_cast<double>(left.count())) + " ms left";
}

}  // namespace

QueueTask queue_task(const Run& run, const ViewState& view, const QueueView& queue, TaskId p) {
    const std::optional<Cursor> c = cursor_in(&run, view);
    const bool decision = queue.inside && c;
    // `m`: usually the machine of the queue. During schedule(), p may not be live in this machine, because
    // prev may have exited and a task may have been created. `m` is then the machine after or before the
    // decision.
    const Machine& m = decision && !queue.machine->is_live(p)
                           ? (c->decision().after.is_live(p) ? c->decision().after : c->decision().before)
                           : *queue.machine;
    QueueTask task{.name = c && (queue.inside || c->stepping) ? c->name(p) : run.scenario().task_name(m, p),
                   .counter = m.counter[p],
                   .priority = m.priority[p],
                   .rt_priority = m.rt_priority[p],
                   .sched_class = m.sched_class[p]};
    const sim::Policy& policy = *run.history().policy_at(m).policy;
    if (policy.state_size().task_bytes > 0) {
        const sim::Policy::SchedulingKey key = policy.scheduling_key(m, p);
        // A short name is used for the scheduling key, because cards are small.
        task.key_text = (key.name == "vruntime" ? "v" : key.name) + " " + key.value;
        // If the policy needs burst lengths, a card shows the remaining burst instead of a counter of 0.
        if (key.name == "counter" && m.counter[p] == 0 && policy.needs_burst_lengths())
            task.key_text = remaining_burst_text(m.remaining_burst(p));
    }
    if (decision && &m == &c->decision().after) {
        const std::uint32_t done = is_outcome_hidden(view) ? 0 : c->step().counter_changes;
        if (const auto before = counter_before_change(*c, done, p)) task.counter = *before;
    }
    return task;
}

}  // namespace ui
