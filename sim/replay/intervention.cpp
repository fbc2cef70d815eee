#include "sim/replay/intervention.h"

#include <vector>

#include "sim/core/intervene.h"
#include "sim/core/jobs.h"
#include "sim/core/run_queue.h"

namespace sim {
namespace {

constexpr std::int32_t kHighestPriority = 40;

bool has_waiting_task(const Machine& m, CpuId c) {
    if (m.shape().cpus == 1) return false;
    for (TaskId p = m.first_task(); p < m.globals().high_row; ++p)
        if (m.task[p].state == TaskState::runnable && m.task[p].processor == Task::kNoProcessor &&
            m.may_run(p, c))
            return true;
    return false;
}

// Passes the run queue to a new policy. Running tasks keep their CPUs. Waiting and running tasks are enqueued
// in their order, so the new policy gets all tasks. adopt_running_task() then removes the running tasks if
// the new policy does not keep running tasks queued. A running task that the old policy did not keep queued
// (sorted-queue) is enqueued before all waiting tasks.
void hand_over_queue(const ActionContext& c) {
    Machine& m = c.m;
    const Policy::StateSize state_size = c.policy.state_size();
    m.resize_policy_state(state_size.task_bytes, state_size.cpu_bytes);
    c.policy.initialize_cpu_state(m);
    set_next_timer_interrupt(m, c.scenario, c.policy);
    for (TaskId p = m.first_task(); p < m.globals().high_row; ++p)
        if (m.is_live(p)) {
            notify_job_parameters(c.policy, m, c.scenario, p);
            if (m.counter[p] > 2 * kHighestPriority) c.policy.start(m, p);
            const bool waits =
                m.task[p].state == TaskState::runnable && m.task[p].processor == Task::kNoProcessor;
            if (waits && c.policy_wants_bursts) c.draw_next_burst_length(p);
            c.policy.adopt(m, p);
        }
    // For each CPU, the tasks of its queue in order, starting at the CPU's idle task, which is the head of
    // the queue.
    std::vector<std::vector<TaskId>> order(m.shape().cpus);
    for (CpuId head = 0; head < m.shape().cpus; ++head) {
        RunQueue queue(m, head);
        const TaskId current = m.cpu(head).current;
        if (!m.is_idle_task(current) && !queue.contains(current)) order[head].push_back(current);
        for (TaskId p = queue.first(); p != head; p = m.next_run[p]) order[head].push_back(p);
    }
    for (CpuId head = 0; head < m.shape().cpus; ++head)
        for (const TaskId p : order[head])
            if (RunQueue queue(m, head); queue.contains(p)) queue.remove(p);
    for (CpuId head = 0; head < m.shape().cpus; ++head) {
        const TaskId current = m.cpu(head).current;
        const bool runs = !m.is_idle_task(current);
        for (const TaskId p : order[head]) c.policy.enqueue(m, p);
        if (runs) c.policy.adopt_running_task(m, head, current);
        if (runs && !m.cpu(head).need_resched) m.cpu(head).deadline = c.end_of_burst_or_slice(head);
        // A new decision is needed in two cases. A new policy with state of its own might not choose the
        // running task. If the old policy had a queue per CPU, tasks might be waiting while other CPUs are
        // idle.
        if (runs ? state_size.task_bytes > 0 : has_waiting_task(m, head))
            m.set_need_resched(head, ReschedCause::policy);
    }
}

}  // namespace

std::string refusal(const Intervention& i, const Machine& m) {
    const Globals& g = m.globals();
    if (g.is_stopped && g.stopped != StopReason::deadlock) return "the run is over";
    if (i.kind == Intervention::Kind::policy) {
        try {
            make_policy(i.policy, m.shape().cpus, i.scripts);
        } catch (const PolicyError& error) {
            return error.what();
        }
        return {};
    }
    if (i.task >= g.high_row || m.is_idle_task(i.task) || !m.is_live(i.task))
        return "this task does not exist at this time";
    if (i.kind == Intervention::Kind::wake &&
        predict_intervention_result(ScenarioIntervention::Kind::wake, m, i.task) == InterventionResult::awake)
        return "the task is already awake";
    if (i.kind == Intervention::Kind::renice && (i.priority < 1 || i.priority > kHighestPriority))
        return "expected a priority from 1 to 40";
    return {};
}

void intervene(const Intervention& i, const ActionContext& c) {
    switch (i.kind) {
        case Intervention::Kind::renice:
            renice_task(c, i.task, i.priority);
            break;
        case Intervention::Kind::kill:
            kill_task(c, i.task);
            break;
        case Intervention::Kind::wake:
            wake_task(c, i.task);
            break;
        case Intervention::Kind::policy:
            hand_over_queue(c);
            break;
    }
    Globals& g = c.m.globals();
    if (g.is_stopped && g.stopped == StopReason::deadlock && g.nr_running > 0) g.is_stopped = false;
}

}  // namespace sim
