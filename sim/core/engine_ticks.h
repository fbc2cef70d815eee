// Engine: ticks and the timer interrupts of the CPUs. Only engine.cpp includes this file.
#pragma once

#include "sim/core/engine.h"

namespace sim {

template <Engine::RunKind kind>
inline void Engine::interrupt(const ActionContext& run, CpuId c, Interrupt which) const {
    if (kind == RunKind::any)
        run.interrupt(c, which);
    else if (run.statistics != nullptr)  // a plain run only counts interrupts: they take no time there
        run.statistics->count_interrupt(which);
}

// Whether a ready task may run on the idle CPU c. The engine checks this condition at each tick, because the
// idle task of Linux 2.0 and 2.2 calls schedule() after every interrupt. The idle task of Linux 2.4 waits for
// a reschedule request instead. So on Linux 2.4 a ready task could wait longer if tasks have different
// affinities; this is not modelled.
inline bool Engine::has_ready_task_for(const Machine& m, CpuId c) {
    for (const CpuId head : {CpuId{0}, c})
        for (TaskId p = m.next_run[head]; p != head; p = m.next_run[p])
            if (m.task[p].processor == Task::kNoProcessor && m.may_run(p, c)) return true;
    return false;
}

// Counts a tick, and samples the load if a sample is due.
inline void Engine::count_tick(const ActionContext& run, Machine& m, Globals& g) const {
    ++g.ticks;
    g.next_tick = tick_period_ != Nanos{} ? g.next_tick + tick_period_ : scenario_.time_of_tick(g.ticks + 1);
    if (run.statistics != nullptr && g.ticks >= run.statistics->load.next_tick()) [[unlikely]]
        run.statistics->sample_load(m, policy_.load_average_rule());
}

template <Engine::RunKind kind>
void Engine::handle_timer_interrupt(const ActionContext& run, Machine& m, Globals& g) const {
    if (kind == RunKind::plain || tick_groups_.size() == 1) {
        count_tick(run, m, g);
        g.next_interrupt = g.next_tick;
        for (CpuId c = 0; c < cpu_count<kind>(m); ++c) handle_timer_interrupt_on<kind>(run, m, g, c);
        return;
    }
    const std::uint64_t takers = tick_groups_[g.tick_group].cpus;
    if (g.tick_group == 0) count_tick(run, m, g);
    g.tick_group = g.tick_group + 1 < tick_groups_.size() ? g.tick_group + 1 : 0;
    g.next_interrupt =
        g.tick_group == 0 ? g.next_tick : scenario_.time_of_tick(g.ticks) + tick_groups_[g.tick_group].phase;
    for (CpuId c = 0; c < cpu_count<kind>(m); ++c)
        if ((takers >> c & 1) != 0) handle_timer_interrupt_on<kind>(run, m, g, c);
}

template <Engine::RunKind kind>
[[gnu::always_inline]] inline void Engine::handle_timer_interrupt_on(const ActionContext& run, Machine& m,
                                                                     const Globals& g, CpuId c) const {
    const TaskId p = m.cpu(c).current;
    if (is_idle_task<kind>(m, p)) {
        if (!scenario_.machine.dynticks) interrupt<kind>(run, c, Interrupt::timer);
        if (cpu_count<kind>(m) > 1) find_work_at_idle_tick(run, c);
        return;
    }
    interrupt<kind>(run, c, Interrupt::timer);
    if (kind == RunKind::any && run.trace != nullptr) [[unlikely]]
        run.trace->tick(g.now, c, p);
    const bool asks = policy_.tick(m, p);
    if (kind == RunKind::any && run.trace != nullptr) [[unlikely]]
        run.log_resched_check(c, asks, ReschedCheck::Point::tick);
    if (asks) m.set_need_resched(c, ReschedCause::tick);
    if (cpu_count<kind>(m) > 1 && has_queue_per_cpu_) [[unlikely]]
        rebalance(run, c);
}

// Called at a tick of an idle CPU on a multiprocessor. If each CPU has a run queue, balances the load;
// otherwise requests a schedule() if a ready task may run on CPU c.
inline void Engine::find_work_at_idle_tick(const ActionContext& run, CpuId c) const {
    if (has_queue_per_cpu_)
        rebalance(run, c);
    else if (has_ready_task_for(run.m, c))
        run.m.set_need_resched(c, ReschedCause::balance);
}

// Balances the load at a tick of CPU c and requests schedule() where necessary.
void Engine::rebalance(const ActionContext& run, CpuId c) const {
    Machine& m = run.m;
    const std::uint64_t asked = policy_.rebalance(m, c);
    for (CpuId other = 0; other < m.shape().cpus; ++other)
        if ((asked >> other & 1) != 0)
            run.ask_to_reschedule(std::uint64_t{1} << other, c, m.cpu(other).current, ReschedCause::balance);
}

}  // namespace sim
