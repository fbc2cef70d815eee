// The engine executes the events of a run. schedule() is in engine_schedule.h, and ticks are in
// engine_ticks.h.
#include "sim/core/engine.h"

#include <algorithm>
#include <utility>

#include "sim/core/engine_schedule.h"
#include "sim/core/engine_ticks.h"
#include "sim/core/intervene.h"
#include "sim/core/jobs.h"
#include "sim/core/missed_recalculations.h"

namespace sim {
namespace {

// Maximum number of events at the same simulated time, and of program steps that a task executes while
// simulated time does not advance. A run that exceeds the maximum is a livelock. The maximum allows 65,000
// tasks with 64 events each.
constexpr std::uint32_t kLivelock = 1 << 22;

void disown_locks(Machine& m, TaskId p) {
    for (ChannelId c = 0; c < m.shape().channels; ++c)
        if (m.channel(c).owner == p) m.channel(c).owner = kNoTask;
}

}  // namespace

Engine::Engine(const Scenario& scenario, const Policy& policy)
    : scenario_(scenario),
      policy_(policy),
      cost_calculator_(scenario.machine.costs),
      residency_(scenario),
      timers_(scenario, policy),
      lazy_tlb_(scenario.machine.lazy_tlb.value_or(policy.lazy_tlb())),
      interrupts_take_time_(scenario.machine.costs.interrupts_take_time()),
      policy_has_own_wake_(policy.overrides_wake()),
      policy_wants_bursts_(policy.needs_burst_lengths()),
      policy_has_slices_(policy.has_slices()),
      jobs_give_up_(std::any_of(scenario.groups.begin(), scenario.groups.end(),
                                [](const TaskGroup& g) { return g.late == TaskGroup::LateJobs::gives_up; })),
      blocks_tasks_(scenario.shape.has_blocks),
      cuts_bursts_short_(policy_wants_bursts_ || policy_has_slices_ || jobs_give_up_ || blocks_tasks_),
      has_queue_per_cpu_(policy.has_queue_per_cpu()),
      idle_exit_(scenario.machine.costs.cost_of(KernelWork::idle_exit)),
      tick_period_(1'000'000'000 % scenario.machine.hz == 0 ? scenario.time_of_tick(1) : Nanos{}),
      tick_groups_(tick_groups(scenario.machine, policy, scenario.cpus)) {
    for (const ActionInfo& action : actions()) actions_.push_back(action.begin);
    for (const Step& step : scenario.steps) {
        const StepEffect effect = actions()[step.action].effect;
        const bool takes_time = effect == StepEffect::compute || effect == StepEffect::arrival;
        const TimeDistribution duration = takes_time ? scenario.durations[step.target] : TimeDistribution{};
        decoded_.push_back({duration, step.next, effect});
    }
}

void Engine::stop(Machine& m, StopReason reason) {
    if (m.globals().is_stopped) return;  // keep the first reason
    m.globals().stopped = reason;
    m.globals().is_stopped = true;
}

// Stops the run if no task is running or ready and no timer or intervention is pending, because then no task
// can ever run again.
void Engine::stop_if_over(Machine& m) const {
    const Globals& g = m.globals();
    if (g.nr_running > 0 || !m.events().empty()) return;
    if (g.nr_tasks > 0 && g.next_intervention < scenario_.interventions.size()) return;
    stop(m, g.nr_tasks == 0 ? StopReason::all_exited : StopReason::deadlock);
}

StopReason Engine::run(Machine& m, const Limits& limits, const Sinks& sinks) const {
    while (const ScenarioIntervention* next = intervention_before(m, limits.until)) {
        Limits piece = limits;
        piece.until = next->at;
        if (const StopReason reason = run_without_interventions(m, piece, sinks); reason != StopReason::until)
            return reason;
        execute_intervention(m, sinks);
    }
    return run_without_interventions(m, limits, sinks);
}

StopReason Engine::run_without_interventions(Machine& m, const Limits& limits, const Sinks& sinks) const {
    // With a decision log, the policy must examine every task, so the index of ready tasks is not used.
    const bool logs = sinks.log != nullptr;
    if (!logs) m.ready.open(m.shape().tasks);
    const bool plain = m.shape().cpus == 1 && sinks.trace == nullptr && !logs && !interrupts_take_time_ &&
                       !cuts_bursts_short_ && tick_groups_.size() == 1;
    const StopReason reason = plain ? run_event_loop<RunKind::plain>(m, limits, sinks)
                                    : run_event_loop<RunKind::any>(m, limits, sinks);
    if (m.ready.is_live()) apply_all_missed_recalculations(m);
    m.ready.close();
    return reason;
}

void Engine::throw_if_policy_failed(const Machine& m) const {
    const Globals& g = m.globals();
    if (!g.is_stopped || g.stopped != StopReason::policy_failed || policy_.failure() == nullptr) return;
    throw PolicyError(describe(*policy_.failure(), [&](TaskId p) { return scenario_.task_name(m, p); }));
}

// The earliest deadline of all CPUs. If several CPUs have it, the CPU with the lowest number comes first.
// The time and the number of the CPU are compared as one value, because a branch per CPU would be
// unpredictable.
template <Engine::RunKind kind>
[[gnu::always_inline]] inline Engine::CpuDeadline Engine::first_cpu_deadline(const Machine& m) {
    if (kind == RunKind::plain) return {m.cpu(0).deadline, 0};
    const auto key = [&m](CpuId c) {
        return static_cast<std::uint64_t>(m.cpu(c).deadline.count()) * kMaxCpus + c;
    };
    std::uint64_t first = key(0);
    for (CpuId c = 1; c < cpu_count<kind>(m); ++c) first = key(c) < first ? key(c) : first;
    return {Nanos{static_cast<std::int64_t>(first / kMaxCpus)}, static_cast<CpuId>(first % kMaxCpus)};
}

// The code that runs between one event and the next is always inlined. schedule() is not inlined, so that
// it can use all registers.
template <Engine::RunKind kind>
[[gnu::always_inline]] inline bool Engine::execute_next_event(const ActionContext& run, Machine& m,
                                                              Globals& g, Nanos until) const {
    const auto [at_cpu, cpu] = first_cpu_deadline<kind>(m);
    const Nanos at_timer = m.events().next_time();
    // std::min() is not used: it takes references, for which g++ would store the times in memory.
    Nanos at = at_cpu < at_timer ? at_cpu : at_timer;
    at = g.next_interrupt < at ? g.next_interrupt : at;
    if (at >= until) {
        if (until > g.now) {
            g.now = until;
            g.events_at_last_advance = g.events;
        }
        return false;
    }
    if (at > g.now) {
        g.now = at;
        g.events_at_last_advance = g.events;
    } else if (g.events - g.events_at_last_advance > kLivelock) {
        stop(m, StopReason::livelock);
        return false;
    }
    ++g.events;
    const bool is_tick = at == g.next_interrupt;
    TaskId woken = kNoTask;
    if (at == at_timer) woken = is_tick ? first_wake_up_before_tick(m) : m.events().first();
    if (woken != kNoTask)
        wake<kind>(run, m, woken);
    else if (is_tick)
        handle_timer_interrupt<kind>(run, m, g);
    else
        handle_cpu_deadline<kind>(run, m, g, cpu);
    return true;
}

template <Engine::RunKind kind>
StopReason Engine::run_event_loop(Machine& m, const Limits& limits, const Sinks& sinks) const {
    const ActionContext run = context(m, sinks);
    Globals& g = m.globals();
    while (!g.is_stopped) {
        if (g.decisions >= limits.decisions) return StopReason::decision_limit;
        if (g.switches >= limits.switches) return StopReason::switch_limit;
        if (g.events >= limits.events) return StopReason::event_limit;
        // An event causes at most one decision and one switch. So after up to `more` further events no
        // limit is exceeded, and the inner loop need not check the limits.
        const std::uint64_t more = std::min(
            {limits.decisions - g.decisions, limits.switches - g.switches, limits.events - g.events});
        for (const std::uint64_t end = g.events + more; g.events != end && !g.is_stopped;)
            if (!execute_next_event<kind>(run, m, g, limits.until))
                return g.is_stopped ? g.stopped : StopReason::until;
    }
    return g.stopped;
}

bool Engine::step(Machine& m, Nanos until, const Sinks& sinks) const {
    if (m.globals().is_stopped) return false;
    const ScenarioIntervention* const next = intervention_before(m, until);
    if (execute_next_event<RunKind::any>(context(m, sinks), m, m.globals(),
                                         next != nullptr ? next->at : until))
        return true;
    if (next == nullptr || m.globals().is_stopped) return false;
    execute_intervention(m, sinks);
    return true;
}

void Engine::block_current(const ActionContext& run, CpuId c) const {
    Machine& m = run.m;
    const TaskId p = m.cpu(c).current;
    Task& task = m.task[p];
    const ScenarioIntervention& block = scenario_.interventions[std::exchange(m.block[p], 0) - 1];
    task.remaining = m.cpu(c).burst_end - m.globals().now;
    // An intervention puts p to sleep. If p was woken to take a lock or to use a pipe, the next task that
    // waits for it is woken instead. After the sleep, p executes its program step for the lock or pipe again.
    pass_token_to_next_waiter(run, p);
    if (block.span > Nanos{})
        run.sleep_until(c, p, timers_.end_of_sleep(m.globals(), block.span));
    else
        run.wait_on(c, p, block.channel);
    --m.globals().nr_running;
    draw_burst_length(task);
}

// The first task that wakes up at the time of the next timer interrupt, but before this interrupt; kNoTask:
// none. Wake-ups by other interrupts, and ends of sleeps with exact timers, precede the timer interrupt.
// Without exact timers, sleeps end after it, because kernels run timers at the end of the tick.
TaskId Engine::first_wake_up_before_tick(const Machine& m) const {
    const bool exact = timers_.are_exact();
    return m.events().first_task_at(m.globals().next_interrupt, [&](TaskId p) {
        return exact || m.task[p].state != TaskState::on_timer;
    });
}

// Whether the CPU is idle and receives no ticks (dynticks). The CPU's timer is then programmed for the next
// time at which a sleep ends.
bool Engine::sleeps_through_ticks(const Machine& m, CpuId c) const {
    const Cpu& cpu = m.cpu(c);
    return scenario_.machine.dynticks && m.is_idle_task(cpu.current) && !cpu.need_resched;
}

template <Engine::RunKind kind>
[[gnu::always_inline]] inline void Engine::wake(const ActionContext& run, Machine& m, TaskId p) const {
    m.events().remove(p);
    const TaskState state = m.task[p].state;
    const CpuId here = kind == RunKind::plain ? 0 : run.waking_cpu(p, kNoTask);
    if (state != TaskState::on_timer) {
        interrupt<kind>(run, here, Interrupt::device);
    } else {
        if (run.statistics != nullptr) ++run.statistics->timer_wake_ups;
        if (timers_.are_exact() || sleeps_through_ticks(m, here))
            interrupt<kind>(run, here, Interrupt::timer);
    }
    const ChannelId device = state == TaskState::in_service ? m.task[p].waiting_on : kNoChannel;
    run.wake_up_process(p, kNoTask);
    if (device == kNoChannel) return;
    m.task[p].waiting_on = kNoChannel;
    run.end_service(device);
}

// Charges the cost of the load balancing that this CPU has done since its previous schedule(), including the
// balancing in the current schedule().
void Engine::charge_balancing_work(const ActionContext& run, CpuId c) const {
    const Policy::BalanceWork balancing = policy_.take_balance_work(run.m, c);
    run.charge(c, KernelWork::balance, balancing.looks);
    run.charge(c, KernelWork::migrate, balancing.moves);
    run.charge(c, KernelWork::migration_thread, balancing.pushes);
    run.ask_to_reschedule(balancing.reschedule, c, balancing.moved, ReschedCause::balance);
}

// Handles a CPU's deadline: the end of a burst, slice or system call, or the time to honour need_resched.
template <Engine::RunKind kind>
[[gnu::always_inline]] inline void Engine::handle_cpu_deadline(const ActionContext& run, Machine& m,
                                                               Globals& g, CpuId c) const {
    const Nanos now = g.now;
    Cpu& cpu = m.cpu(c);
    if (kind == RunKind::any && cpu.ipi_pending) [[unlikely]] {
        cpu.ipi_pending = false;
        run.interrupt(c, Interrupt::ipi);  // the deadline is handled again after the interrupt handler
        return;
    }
    const TaskId p = cpu.current;
    const Nanos span = now - cpu.kernel_until;
    KernelEntry entry = KernelEntry::interrupt;
    if (is_idle_task<kind>(m, p)) {
        if (run.statistics != nullptr) run.statistics->add_idle_time(c, cpu.kernel_until, now);
    } else {
        const bool leaving_kernel = span == Nanos{};
        if (run.statistics != nullptr && !leaving_kernel) run.statistics->add_user_time(p, span);
        cpu.kernel_until = now;  // avoids that `span` is counted again if the run ends here
        if (can_cut_bursts_short<kind>() && m.has_pending_block(p)) [[unlikely]] {
            block_current(run, c);
            schedule<kind>(run, m, g, c, KernelEntry::syscall);
            stop_if_over(m);
            return;
        }
        if (can_cut_bursts_short<kind>() && policy_has_slices_ && (leaving_kernel || now != cpu.burst_end))
            [[unlikely]] {
            if (end_slice<kind>(run, c)) return;
            if (now != cpu.burst_end && !cpu.need_resched) {  // p keeps the CPU
                cpu.deadline = run.end_of_burst_or_slice(c);
                return;
            }
        }
        if (now == cpu.burst_end && !(leaving_kernel && cpu.need_resched)) {
            m.task[p].remaining = Nanos{};
            entry = run_program<kind>(run, m, g, c);
            if (entry == KernelEntry::none) return;
        } else {
            assert(cpu.need_resched);
            m.task[p].remaining = cpu.burst_end - now;
        }
    }
    schedule<kind>(run, m, g, c, entry);
    if (entry == KernelEntry::exit) release_task(run, p);
    stop_if_over(m);
}

// Models release_task(). Called directly after p's last schedule(), as if p's parent were waiting for p.
void Engine::release_task(const ActionContext& run, TaskId p) const {
    Machine& m = run.m;
    policy_.reap(m, p);
    if (run.statistics != nullptr) run.statistics->count_exit(m, p);
    remove_mm_user(m, m.task[p].mm);
    if (residency_.is_modelled()) residency_.remove_entries(m, p);
    // The loader ensures that programs release their locks. Only a task killed by an intervention can exit
    // while it owns a lock. Without disown_locks(), no task could ever take that lock again.
    if (m.globals().interventions + m.globals().next_intervention > 0) disown_locks(m, p);
    m.free_task(p);
}

// Executes program steps of the current task until a step takes time (returns KernelEntry::none) or until
// schedule() must be called (returns the cause of the call).
template <Engine::RunKind kind>
[[gnu::always_inline]] inline Engine::KernelEntry Engine::run_program(const ActionContext& run, Machine& m,
                                                                      Globals& g, CpuId c) const {
    const Nanos now = g.now;
    Cpu& cpu = m.cpu(c);
    const TaskId p = cpu.current;
    for (std::uint32_t steps = 0; steps < kLivelock; ++steps) {
        const bool logs_calls = kind == RunKind::any && run.trace != nullptr && run.trace->logs_calls;
        const StepId step = logs_calls ? m.task[p].step : StepId{};
        const bool is_retry = logs_calls && m.task[p].waiting_on != kNoChannel;
        const Outcome outcome = begin_program_step<kind>(run, m, g, c, p);
        if (logs_calls && (is_retry || (outcome != Outcome::next && outcome != Outcome::burst))) [[unlikely]]
            run.trace->calls.push_back({now, c, p, step, outcome == Outcome::blocked, is_retry,
                                        outcome == Outcome::next, run.trace->records.size()});
        switch (outcome) {
            case Outcome::next:
                continue;

            case Outcome::burst:
                if (can_cut_bursts_short<kind>() && jobs_give_up_) [[unlikely]]
                    cut_burst_at_deadline(m, scenario_, p, now);
                if (m.task[p].remaining == Nanos{}) continue;
                if (can_cut_bursts_short<kind>() && policy_has_slices_) [[unlikely]] {
                    cpu.burst_end = now + m.task[p].remaining;
                    if (end_slice<kind>(run, c)) return KernelEntry::none;
                }
                if (cpu.need_resched) return KernelEntry::interrupt;
                cpu.kernel_until = now;
                cpu.burst_end = now + m.task[p].remaining;
                cpu.deadline = kind == RunKind::plain ? cpu.burst_end : run.end_of_burst_or_slice(c);
                return KernelEntry::none;

            case Outcome::returned:
            case Outcome::yielded:
                if (cpu.need_resched)
                    return outcome == Outcome::yielded ? KernelEntry::yield : KernelEntry::syscall;
                if (const Nanos extra = std::exchange(cpu.pending_work, {}),
                    span = cost_calculator_.syscall_cost() + extra;
                    span != Nanos{}) {
                    if (run.statistics != nullptr) run.statistics->count_syscall(c, p, span, extra);
                    if (kind == RunKind::any && run.trace != nullptr) [[unlikely]]
                        run.trace->syscall(now, c, p, span, extra);
                    cpu.kernel_until = now + span;
                    cpu.burst_end = cpu.deadline = cpu.kernel_until;
                    return KernelEntry::none;
                }
                continue;

            case Outcome::blocked:
                --g.nr_running;
                draw_burst_length(m.task[p]);
                return KernelEntry::syscall;

            case Outcome::exited:
                policy_.exit(m, p);
                --g.nr_running;
                m.task[p].state = TaskState::exited;
                return KernelEntry::exit;

            case Outcome::full:
                stop(m, StopReason::task_limit);
                return KernelEntry::none;
        }
    }
    stop(m, StopReason::livelock);
    return KernelEntry::none;
}

// Sets the end of a slice of this length, which begins after the kernel work in progress. 0: no slice.
void Engine::begin_slice(const ActionContext& run, CpuId c, Nanos slice) {
    Cpu& cpu = run.m.cpu(c);
    run.m.set_slice_end(c, slice == Nanos{} ? kHorizon : std::min(cpu.kernel_until + slice, kHorizon));
    if (slice != Nanos{}) cpu.deadline = run.end_of_burst_or_slice(c);
}

// If the slice of the current task has ended, interrupts the task and asks the policy whether the task must
// give up the CPU. Returns whether the handler takes time; if so, the CPU's deadline is handled again after
// the handler.
template <Engine::RunKind kind>
bool Engine::end_slice(const ActionContext& run, CpuId c) const {
    Machine& m = run.m;
    Cpu& cpu = m.cpu(c);
    const Nanos now = m.globals().now;
    if (m.slice_end(c) > now) return false;
    m.set_slice_end(c, kHorizon);
    interrupt<kind>(run, c, Interrupt::timer);
    const bool asks = policy_.slice_end(m, cpu.current);
    if (run.trace != nullptr) [[unlikely]]
        run.log_resched_check(c, asks, ReschedCheck::Point::slice_end);
    if (asks) m.set_need_resched(c, ReschedCause::slice_end);
    if (!cpu.need_resched) cpu.deadline = run.end_of_burst_or_slice(c);
    return cpu.kernel_until > now;
}

template <Engine::RunKind kind>
[[gnu::always_inline]] inline Outcome Engine::begin_program_step(const ActionContext& run, Machine& m,
                                                                 Globals& g, CpuId c, TaskId p) const {
    Task& task = m.task[p];
    const DecodedStep& step = decoded_[task.step];
    switch (step.effect) {
        case StepEffect::compute:
            task.remaining = step.duration.draw(task.stream);
            task.step = step.next;
            return Outcome::burst;

        case StepEffect::arrival: {
            const Nanos now = g.now;
            task.wake_at = std::min(now + step.duration.draw(task.stream), kHorizon);
            task.state = TaskState::interruptible;
            task.step = step.next;
            m.events().push(EventQueue::key(task.wake_at, p));
            if (run.statistics != nullptr) run.statistics->fell_asleep(p, now, run.statistics->arrivals);
            if (kind == RunKind::any && run.trace != nullptr) [[unlikely]]
                run.trace->sleep(now, c, p);
            return Outcome::blocked;
        }

        case StepEffect::yield:
            task.step = step.next;
            if (run.statistics != nullptr) run.statistics->count_yield(p);
            if (kind == RunKind::any && run.trace != nullptr) [[unlikely]]
                run.trace->yield(m.globals().now, c, p);
            {
                const bool asks = policy_.yield(m, p);
                if (kind == RunKind::any && run.trace != nullptr) [[unlikely]]
                    run.log_resched_check(c, asks, ReschedCheck::Point::yield);
                if (asks) m.set_need_resched(c, ReschedCause::yield);
            }
            return Outcome::yielded;

        case StepEffect::own:
            break;
    }
    const Step& own = scenario_.steps[task.step];
    return actions_[own.action](run, c, p, own);
}

MmSwitch Engine::switch_lazily(const ActionContext& run, CpuId c, TaskId prev, TaskId next,
                               MmId loaded_mm) const {
    Machine& m = run.m;
    if (next == prev) {
        m.cpu(c).active_mm = loaded_mm;
        return {};
    }
    const MmSwitch mm_switch = switch_mm_lazily(m, c, prev, next, loaded_mm);
    if (run.statistics != nullptr)
        run.statistics->lazy_avoided += m.task[prev].mm != m.task[next].mm && !mm_switch.loads;
    return mm_switch;
}

// Refills the entries of `next` that TLB and cache have lost. Returns the number of refilled entries and
// the cost. `next` is kNoTask if no task begins to run.
RefillWork Engine::refill_tlb_and_cache(const ActionContext& run, CpuId c, TaskId next, bool loads_mm) const {
    if (loads_mm) ++run.m.cpu(c).tlb_flushes;
    if (next == kNoTask) return {};
    const RefillWork refilled = residency_.refill_entries(run.m, c, next);
    if (run.statistics != nullptr) {
        run.statistics->tlb_entries += refilled.tlb_entries;
        run.statistics->cache_lines += refilled.lines;
        run.statistics->streamed_lines += refilled.streamed;
    }
    return refilled;
}

// The end of a switch on a multiprocessor: counts the switch if it is a migration, and offers a preempted
// prev to another CPU.
void Engine::schedule_tail(const ActionContext& run, CpuId c, TaskId prev, bool voluntary) const {
    const Cpu& cpu = run.m.cpu(c);
    const bool migrated =
        !run.m.is_idle_task(cpu.current) && cpu.previous_cpu != c && cpu.previous_cpu != Task::kNoProcessor;
    if (migrated && run.statistics != nullptr) {
        ++run.statistics->migrations;
        ++run.statistics->cpus[c].migrations;
    }
    if (voluntary || run.m.is_idle_task(prev) || has_queue_per_cpu_) return;
    if (const std::uint64_t asked = policy_.reschedule_prev(run.m, prev, c); asked != 0)
        run.ask_to_reschedule(asked, c, prev, ReschedCause::offered);
}

void Engine::trace_switch(const ActionContext& run, const TraceRecord& record, MmId loaded_mm,
                          MmSwitch mm_switch) const {
    run.trace->schedule(record);
    const auto add = [&](TraceKind kind, MmId mm) {
        run.trace->mm_event(record.time, kind, record.cpu, record.task, record.other, mm);
    };
    if (mm_switch.borrows) add(TraceKind::borrow_mm, loaded_mm);
    if (mm_switch.returns) add(TraceKind::return_mm, loaded_mm);
    if (mm_switch.dropped != kKernelMm) add(TraceKind::drop_mm, mm_switch.dropped);
}

}  // namespace sim
