#include "sim/invariants.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/summary.h"

namespace sim {

std::string broken_invariant(const Machine& m, const Scenario& scenario, const Policy& policy,
                             const Statistics* statistics) {
    const Globals& g = m.globals();
    const TaskId rows = m.first_task() + m.shape().tasks;
    if (statistics != nullptr) {
        const TimeParts time = settled_time(scenario, *statistics, m);
        const Nanos expected = g.now * m.shape().cpus;
        if (time.total() != expected)
            return fmt::format("time is not conserved: the parts add up to {} of {} ns", time.total().count(),
                               expected.count());
        for (const Nanos part :
             {time.user, time.idle, time.overhead.system, time.overhead.select, time.overhead.recalc,
              time.overhead.context_switch, time.overhead.address_space})
            if (part < Nanos{}) return "a part of the time is negative";
        if (statistics->switches.total() != g.switches) return "the switches counted twice do not agree";
    }

    std::vector<int> places(rows, 0);
    for (CpuId c = 0; c < m.shape().cpus; ++c) {
        const Cpu& cpu = m.cpu(c);
        if (cpu.current >= rows || !m.is_live(cpu.current))
            return fmt::format("cpu{} runs a task that is none", c);
        if (m.task[cpu.current].state != TaskState::runnable)
            return fmt::format("cpu{} runs a sleeping task", c);
        if (m.task[cpu.current].processor != c)
            return fmt::format("the task on cpu{} does not know where it is", c);
        if (!policy.keeps_running_task_queued() && !m.is_idle_task(cpu.current)) ++places[cpu.current];
        TaskId before = c;
        std::uint32_t length = 0;
        for (TaskId p = m.next_run[c]; p != c; before = p, p = m.next_run[p]) {
            if (p >= rows || ++length > rows || m.prev_run[p] != before) return "the run queue is broken";
            if (m.task[p].state != TaskState::runnable)
                return fmt::format("task row {} is queued and not runnable", p);
            ++places[p];
        }
    }
    if (!m.events().consistent(rows)) return "the event queue is no tournament";
    for (TaskId p = 0; p < rows; ++p) {
        if (!m.events().contains(p)) continue;
        if (m.task[p].state != TaskState::interruptible) return "a timer is pending for a task that is awake";
        if (m.events().time_of_task(p) != m.task[p].wake_at) return "a timer is set to another time";
        if (m.task[p].wake_at < g.now) return "a timer was missed";
        ++places[p];
    }
    for (ChannelId c = 0; c < m.shape().channels; ++c) {
        std::uint32_t length = 0;
        for (TaskId p = m.channel(c).first; p != kNoTask; p = m.task[p].wait_next) {
            if (p >= rows || ++length > rows) return "the queue of a channel is broken";
            if (m.task[p].state != TaskState::waiting || m.task[p].waiting_on != c)
                return "a task waits that does not wait";
            ++places[p];
        }
        if (length > 0 && m.channel(c).tokens > 0) return "a channel has waiting tasks and wake-ups to spare";
    }

    std::int32_t most_priority = 40;  // what a task can have
    for (const TaskGroup& group : scenario.groups) most_priority = std::max(most_priority, group.priority);
    std::uint32_t live = 0, runnable = 0;
    for (TaskId p = m.first_task(); p < rows; ++p) {
        if (!m.is_live(p)) {
            if (places[p] != 0) return fmt::format("row {} is unused and somewhere", p);
            continue;
        }
        ++live;
        if (m.task[p].state == TaskState::runnable) ++runnable;
        if (places[p] != 1)
            return fmt::format("task {} is in {} places", scenario.task_name(m, p), places[p]);
        if (m.sched_class[p] == SchedClass::other && policy.criterion() == std::string_view("goodness") &&
            (m.counter[p] < 0 || m.counter[p] > 2 * most_priority))
            return fmt::format("task {} has the counter {}", scenario.task_name(m, p), m.counter[p]);
    }
    if (live != g.nr_tasks) return fmt::format("{} tasks are alive, {} were counted", live, g.nr_tasks);
    if (runnable != g.nr_running)
        return fmt::format("{} tasks are runnable, {} were counted", runnable, g.nr_running);
    return {};
}

}  // namespace sim
