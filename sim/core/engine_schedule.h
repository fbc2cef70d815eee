// Engine::schedule() and the inline functions of its hot path. Only engine.cpp includes this file.
#pragma once

#include <algorithm>
#include <utility>

#include "sim/core/address_space.h"
#include "sim/core/engine.h"
#include "sim/core/jobs.h"
#include "sim/core/schedule_call.h"

namespace sim {

// Draws the length of the next burst early: when the task goes to sleep, or at the latest when it is
// chosen. No other task can observe the length. Drawing early saves an event per burst and keeps the draw
// off the path that finds the next event.
inline void Engine::draw_burst_length(Task& task) const {
    if (task.remaining != Nanos{}) return;
    const DecodedStep& step = decoded_[task.step];
    if (step.effect != StepEffect::compute) return;
    task.remaining = step.duration.draw(task.stream);
    task.step = step.next;
}

// Asks the policy for the next task.
template <Engine::RunKind kind>
[[gnu::always_inline]] inline Decision Engine::choose_next_task(const ActionContext& run, Machine& m,
                                                                Cpu& cpu, CpuId c, TaskId prev,
                                                                bool voluntary) const {
    if (kind == RunKind::any && run.log != nullptr) [[unlikely]] {
        run.log->clear();
        run.log->prev = prev;
        run.log->prev_runnable = !voluntary;
    }
    if (can_cut_bursts_short<kind>() && policy_wants_bursts_ && !voluntary && !is_idle_task<kind>(m, prev))
        [[unlikely]] {
        run.draw_next_burst_length(prev);
        cpu.burst_end = std::max(m.globals().now, cpu.kernel_until) + m.task[prev].remaining;
    }
    Decision decision = policy_.pick_next(m, c, prev, kind == RunKind::any ? run.log : nullptr);
    decision.queue_steps += cpu.pending_steps;
    cpu.pending_steps = 0;
    if (kind == RunKind::any && run.log != nullptr) [[unlikely]]
        run.log->decision = decision;
    return decision;
}

[[gnu::always_inline]] inline MmSwitch Engine::switch_mm(const ActionContext& run, Machine& m, CpuId c,
                                                         TaskId prev, TaskId next, MmId loaded_mm) const {
    MmSwitch mm_switch;
    if (lazy_tlb_)
        mm_switch = switch_lazily(run, c, prev, next, loaded_mm);
    else if (next != prev)
        mm_switch = switch_mm_eagerly(m, c, prev, next, loaded_mm);
    else
        m.cpu(c).active_mm = loaded_mm;
    return mm_switch;
}

// Begins the burst of the next task at the time at which the kernel work, including schedule(), ends.
template <Engine::RunKind kind>
[[gnu::always_inline]] inline void Engine::begin_burst(Machine& m, Cpu& cpu, TaskId next, Task& task) const {
    draw_burst_length(task);
    if (can_cut_bursts_short<kind>() && jobs_give_up_) [[unlikely]]
        cut_burst_at_deadline(m, scenario_, next, cpu.kernel_until);
    cpu.burst_end = cpu.deadline = cpu.kernel_until + task.remaining;
}

template <Engine::RunKind kind>
void Engine::schedule(const ActionContext& run, Machine& m, Globals& g, CpuId number,
                      KernelEntry entry) const {
    const CpuId c = kind == RunKind::plain ? 0 : number;  // a compile-time constant in plain runs
    Cpu& cpu = m.cpu(c);
    const TaskId prev = cpu.current;
    const Task& before = m.task[prev];
    const MmId loaded_mm = cpu.active_mm, prev_mm = before.mm;
    const bool voluntary = before.state != TaskState::runnable;
    const bool from_syscall = entry != KernelEntry::interrupt;
    const bool after_yield = entry == KernelEntry::yield;
    // Why schedule() was called, for the trace. `none`: the task blocked or exited, or no cause was set.
    const ReschedCause cause = !cpu.need_resched || voluntary ? ReschedCause::none
                               : after_yield                  ? ReschedCause::yield
                                                              : cpu.cause;
    const TaskId caused_by = cpu.caused_by;
    cpu.need_resched = false;
    const Decision decision = choose_next_task<kind>(run, m, cpu, c, prev, voluntary);

    const TaskId next = decision.next;
    const bool switched = next != prev;
    const bool to_idle = is_idle_task<kind>(m, next), from_idle = is_idle_task<kind>(m, prev);
    Task& after = m.task[next];
    const MmId mm = after.mm;
    const bool other_mm = prev_mm != mm;
    const MmSwitch mm_switch = switch_mm(run, m, c, prev, next, loaded_mm);
    if (cpu_count<kind>(m) > 1 && has_queue_per_cpu_) [[unlikely]]
        charge_balancing_work(run, c);
    Nanos extra = std::exchange(cpu.pending_work, {});
    if (from_idle) extra += idle_exit_;
    RefillWork refilled;
    if (residency_.is_modelled()) [[unlikely]]
        refilled = refill_tlb_and_cache(run, c, switched && !to_idle ? next : kNoTask, mm_switch.loads);
    const Nanos span = cost_calculator_.syscall_cost() * int{from_syscall} +
                       extra +  // int{from_syscall}: a factor 0 or 1 replaces a branch
                       cost_calculator_.cost_of_schedule(decision, switched, mm_switch.loads) + refilled.time;
    ++g.decisions;
    g.switches += switched ? 1 : 0;
    cpu.current = next;
    cpu.kernel_until = g.now + span;
    if (to_idle)
        cpu.deadline = kHorizon;
    else
        begin_burst<kind>(m, cpu, next, after);
    if (can_cut_bursts_short<kind>() && policy_has_slices_) [[unlikely]]
        begin_slice(run, c, to_idle ? Nanos{} : policy_.slice_of(m, next));

    const ScheduleCall call{.cpu = c,
                            .prev = prev,
                            .decision = decision,
                            .span = span,
                            .extra = extra,
                            .refilled = refilled,
                            .mm = mm,
                            .from_syscall = from_syscall,
                            .after_yield = after_yield,
                            .voluntary = voluntary,
                            .switched = switched,
                            .from_idle = from_idle,
                            .to_idle = to_idle,
                            .other_mm = other_mm,
                            .loads_mm = mm_switch.loads,
                            .cause = cause,
                            .caused_by = caused_by};
    notify_sinks<kind>(run, call, loaded_mm, mm_switch);
    if (cpu_count<kind>(m) > 1 && switched) [[unlikely]]
        schedule_tail(run, c, prev, voluntary);
    if (can_cut_bursts_short<kind>() && m.has_pending_block(next)) [[unlikely]]
        m.set_need_resched(c, ReschedCause::block);
}

// Inline, so that the fields of `call` stay in registers.
template <Engine::RunKind kind>
[[gnu::always_inline]] inline void Engine::notify_sinks(const ActionContext& run, const ScheduleCall& call,
                                                        MmId loaded_mm, const MmSwitch& mm_switch) const {
    if (run.statistics != nullptr) run.statistics->count_schedule(run.m, call);
    if (kind == RunKind::any && run.trace != nullptr) [[unlikely]] {
        TraceRecord record = schedule_record(call);
        record.time = run.m.globals().now;
        record.mm = run.m.cpu(call.cpu).active_mm;
        record.flushes_tlb = mm_switch.loads && !scenario_.machine.costs.tlb.tagged;
        trace_switch(run, record, loaded_mm, mm_switch);
    }
}

}  // namespace sim
