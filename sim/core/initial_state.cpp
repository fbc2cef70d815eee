// Creation of tasks, and the state of a machine at time 0.
#include <cassert>
#include <cstdint>

#include "sim/base/rng.h"
#include "sim/core/engine.h"
#include "sim/core/jobs.h"

namespace sim {

TaskId create_task(Machine& m, const Scenario& scenario, std::uint32_t group, std::uint32_t ordinal,
                   TaskId parent) {
    const TaskId p = m.allocate_task();
    if (p == kNoTask) return p;
    const TaskGroup& g = scenario.groups[group];
    const bool forked = parent != kNoTask;
    const bool inherits_priority = forked && !g.has_priority;
    const bool inherits_class = forked && !g.has_class;
    m.task[p].group = static_cast<std::uint16_t>(group);
    // Unique in the group, because every pid is greater than all initial ordinals.
    m.task[p].ordinal = forked ? m.task[p].pid : ordinal;
    m.task[p].step = g.program;
    m.priority[p] = inherits_priority ? m.priority[parent] : g.priority;
    m.sched_class[p] = inherits_class ? m.sched_class[parent] : g.sched_class;
    m.rt_priority[p] = inherits_class ? m.rt_priority[parent] : g.rt_priority;
    switch (g.mm) {
        case TaskGroup::MmKind::own:
            m.task[p].mm = new_mm(m);
            break;
        case TaskGroup::MmKind::shared:
            m.task[p].mm = g.shared_mm;
            break;
        case TaskGroup::MmKind::kernel:
            m.task[p].mm = kKernelMm;
            break;
    }
    add_mm_user(m, m.task[p].mm);
    if (m.shape().cpus > 1) {
        const bool states_it = g.affinity != ~std::uint64_t{0};
        m.cpus_allowed[p] = forked && !states_it ? m.cpus_allowed[parent] : g.affinity;
    }
    m.task[p].birth_stream = forked ? next_random(m.task[parent].birth_stream)
                                    : named_random_stream(scenario.seed, scenario.task_name(group, ordinal));
    m.task[p].stream = m.task[p].birth_stream;
    if (m.shape().has_jobs) {
        const Nanos arrival = forked ? m.globals().now : g.start;
        m.job[p] = {arrival, arrival, false};
    }
    return p;
}

Machine Engine::initial_state() const {
    MachineShape shape = with_policy_state_size(policy_, scenario_.shape);
    shape.hz = scenario_.machine.hz;
    shape.siblings = scenario_.machine.siblings;
    shape.cores = scenario_.machine.cores;
    shape.seed = scenario_.seed;
    Machine m(shape);
    policy_.initialize_cpu_state(m);
    Globals& g = m.globals();
    g.next_tick = g.next_interrupt = scenario_.time_of_tick(1);
    g.next_mm = kKernelMm + 1 + scenario_.shared_mms;
    for (ChannelId c = 0; c < m.shape().channels; ++c) {
        const ChannelSpec& spec = scenario_.channels[c];
        m.channel(c).tokens = spec.kind == ChannelSpec::Kind::lock ? 1 : spec.capacity;
    }
    for (std::uint32_t group = 0; group < scenario_.groups.size(); ++group) {
        const TaskGroup& spec = scenario_.groups[group];
        for (std::uint32_t i = 1; i <= spec.count; ++i) {
            const TaskId p = create_task(m, scenario_, group, i, kNoTask);
            assert(p != kNoTask);
            if (policy_wants_bursts_) context(m, {}).draw_next_burst_length(p);
            notify_job_parameters(policy_, m, scenario_, p);
            policy_.start(m, p);
            if (spec.start > Nanos{}) {
                m.task[p].state = TaskState::interruptible;
                m.task[p].wake_at = spec.start;
                m.events().push(EventQueue::key(spec.start, p));
            } else {
                context(m, {}).wake_up_process(p, kNoTask);
            }
        }
    }
    for (CpuId c = 0; c < m.shape().cpus; ++c) m.cpu(c).ipi_pending = false;  // no IPI is sent at time 0
    stop_if_over(m);
    return m;
}

}  // namespace sim
