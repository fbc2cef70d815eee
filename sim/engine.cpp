#include "sim/engine.h"

#include <algorithm>

#include "sim/rng.h"

namespace sim {
namespace {

// So many events without the clock moving mean that it never will: 65,000 tasks with 64 events each.
constexpr std::uint32_t kLivelock = 1 << 22;

}  // namespace

Engine::Engine(const Scenario& scenario, const Policy& policy)
    : scenario_(scenario), policy_(policy), pricing_(scenario.machine.costs) {
    for (const ActionInfo& action : actions()) begin_.push_back(action.begin);
}

TaskId create_task(Machine& m, const Scenario& scenario, std::uint32_t group, std::uint32_t ordinal, TaskId parent) {
    const TaskId p = m.allocate_task();
    if (p == kNoTask) return p;
    const TaskGroup& g = scenario.groups[group];
    const bool forked = parent != kNoTask;
    const bool inherits_priority = forked && !g.has_priority;
    const bool inherits_class = forked && !g.has_class;
    m.group[p] = group;
    m.ordinal[p] = forked ? m.pid[p] : ordinal;  // a pid is above every number given out at the start
    m.step[p] = g.program;
    m.priority[p] = inherits_priority ? m.priority[parent] : g.priority;
    m.sched_class[p] = inherits_class ? m.sched_class[parent] : g.sched_class;
    m.rt_priority[p] = inherits_class ? m.rt_priority[parent] : g.rt_priority;
    switch (g.mm) {
        case TaskGroup::Mm::own: m.mm[p] = m.globals().next_mm++; break;
        case TaskGroup::Mm::shared: m.mm[p] = g.shared_mm; break;
        case TaskGroup::Mm::kernel: m.mm[p] = kKernelMm; break;
    }
    m.birth_stream[p] = forked ? mix64(m.birth_stream[parent] + ++m.forks[parent])
                               : stream_of(scenario.seed, scenario.task_name(group, ordinal));
    m.stream[p] = m.birth_stream[p];
    return p;
}

Machine Engine::initial_state() const {
    Machine m(scenario_.shape);
    Globals& g = m.globals();
    g.next_tick = scenario_.tick_time(1);
    g.next_mm = kKernelMm + 1 + scenario_.shared_mms;
    for (std::uint32_t group = 0; group < scenario_.groups.size(); ++group) {
        const TaskGroup& spec = scenario_.groups[group];
        for (std::uint32_t i = 1; i <= spec.count; ++i) {
            const TaskId p = create_task(m, scenario_, group, i, kNoTask);
            assert(p != kNoTask);
            policy_.start(m, p);
            if (spec.start > Nanos{}) {
                m.state[p] = TaskState::interruptible;
                m.wake_at[p] = spec.start;
                m.events().push(EventQueue::key(spec.start, p));
            } else {
                ActionContext{m, scenario_, policy_, nullptr, nullptr, 0, 0}.wake_up_process(p);
            }
        }
    }
    stop_if_over(m);
    return m;
}

void Engine::stop(Machine& m, StopReason reason) {
    m.globals().stopped = reason;
    m.globals().is_stopped = true;
}

// Nobody runs, nobody is ready and no timer is pending: nobody will ever run again.
void Engine::stop_if_over(Machine& m) {
    Globals& g = m.globals();
    if (g.nr_running > 0 || g.nr_events > 0) return;
    stop(m, g.nr_tasks == 0 ? StopReason::all_exited : StopReason::deadlock);
}

StopReason Engine::run(Machine& m, const Limits& limits, const Sinks& sinks) const {
    Globals& g = m.globals();
    while (!g.is_stopped) {
        if (g.decisions >= limits.decisions) return StopReason::decision_limit;
        if (g.switches >= limits.switches) return StopReason::switch_limit;
        if (!step(m, limits.until, sinks)) return g.is_stopped ? g.stopped : StopReason::until;
    }
    return g.stopped;
}

bool Engine::step(Machine& m, Nanos until, const Sinks& sinks) const {
    Globals& g = m.globals();
    CpuId cpu = 0;
    Nanos at_cpu = m.cpu(0).deadline;
    for (CpuId c = 1; c < m.shape().cpus; ++c) {
        if (m.cpu(c).deadline < at_cpu) {
            at_cpu = m.cpu(c).deadline;
            cpu = c;
        }
    }
    const Nanos at_timer = m.events().next_time();
    const Nanos at = std::min({at_cpu, at_timer, g.next_tick});
    if (at >= until || g.is_stopped) {
        if (!g.is_stopped && until > g.now) g.now = until;
        return false;
    }
    if (at > g.now) {
        g.now = at;
        g.instant_events = 0;
    } else if (++g.instant_events > kLivelock) {
        stop(m, StopReason::livelock);
        return false;
    }
    if (at == at_timer) wake_by_timer(m, sinks);
    else if (at == g.next_tick) timer_interrupt(m, sinks);
    else attend(m, cpu, sinks);
    return true;
}

void Engine::wake_by_timer(Machine& m, const Sinks& sinks) const {
    const TaskId p = m.events().pop();
    if (sinks.statistics != nullptr) ++sinks.statistics->timer_events;
    ActionContext{m, scenario_, policy_, sinks.statistics, sinks.trace, p, 0}.wake_up_process(p);
}

void Engine::timer_interrupt(Machine& m, const Sinks& sinks) const {
    Globals& g = m.globals();
    ++g.ticks;
    g.next_tick = scenario_.tick_time(g.ticks + 1);
    for (CpuId c = 0; c < m.shape().cpus; ++c) {
        const TaskId p = m.cpu(c).current;
        if (m.is_idle_task(p)) continue;
        if (sinks.trace != nullptr) sinks.trace->tick(g.now, c, p);
        if (policy_.tick(m, p)) m.set_need_resched(c);
    }
}

// The CPU reaches its deadline: a burst is over, a system call returns, or need_resched is to be honoured.
void Engine::attend(Machine& m, CpuId c, const Sinks& sinks) const {
    const Nanos now = m.globals().now;
    Cpu& cpu = m.cpu(c);
    const TaskId p = cpu.current;
    const Nanos span = now - cpu.kernel_until;
    if (m.is_idle_task(p)) {
        if (sinks.statistics != nullptr) sinks.statistics->idled(span);
        schedule(m, c, Nanos{}, false, sinks);
        return;
    }
    const bool leaving_kernel = span == Nanos{};
    if (sinks.statistics != nullptr && !leaving_kernel) sinks.statistics->ran(p, span);
    if (now == cpu.burst_end && !(leaving_kernel && cpu.need_resched)) {
        m.remaining[p] = Nanos{};
        run_program(m, c, sinks);
    } else {
        assert(cpu.need_resched);
        m.remaining[p] = cpu.burst_end - now;
        schedule(m, c, Nanos{}, false, sinks);
    }
}

// The current task stands between two steps: begins one after the other until time has to pass.
void Engine::run_program(Machine& m, CpuId c, const Sinks& sinks) const {
    const Nanos now = m.globals().now;
    Cpu& cpu = m.cpu(c);
    const TaskId p = cpu.current;
    const ActionContext context{m, scenario_, policy_, sinks.statistics, sinks.trace, p, c};
    for (std::uint32_t steps = 0; steps < kLivelock; ++steps) {
        const Step& step = scenario_.steps[m.step[p]];
        const Outcome outcome = begin_[step.action](context, step);
        switch (outcome) {
            case Outcome::next: continue;

            case Outcome::burst:
                if (m.remaining[p] == Nanos{}) continue;
                if (cpu.need_resched) return schedule(m, c, Nanos{}, false, sinks);
                cpu.kernel_until = now;
                cpu.burst_end = now + m.remaining[p];
                cpu.deadline = cpu.burst_end;
                return;

            case Outcome::returned:
            case Outcome::yielded:
                if (cpu.need_resched) {
                    return schedule(m, c, pricing_.syscall(), outcome == Outcome::yielded, sinks);
                }
                if (pricing_.syscall() == Nanos{}) continue;
                if (sinks.statistics != nullptr)
                    sinks.statistics->returned_from_syscall(c, p, pricing_.syscall());
                cpu.kernel_until = now + pricing_.syscall();
                cpu.burst_end = cpu.deadline = cpu.kernel_until;
                return;

            case Outcome::blocked:
                --m.globals().nr_running;
                schedule(m, c, pricing_.syscall(), false, sinks);
                return stop_if_over(m);

            case Outcome::exited:
                --m.globals().nr_running;
                m.state[p] = TaskState::exited;
                schedule(m, c, pricing_.syscall(), false, sinks);
                m.free_task(p);  // as if its parent waited for it
                return stop_if_over(m);

            case Outcome::full: return stop(m, StopReason::task_limit);
        }
    }
    stop(m, StopReason::livelock);
}

void Engine::schedule(Machine& m, CpuId c, Nanos syscall, bool after_yield, const Sinks& sinks) const {
    Globals& g = m.globals();
    Cpu& cpu = m.cpu(c);
    const TaskId prev = cpu.current;
    const bool voluntary = m.state[prev] != TaskState::runnable;
    cpu.need_resched = false;
    if (sinks.log != nullptr) {
        sinks.log->clear();
        sinks.log->prev = prev;
        sinks.log->prev_runnable = !voluntary;
    }
    Decision decision = policy_.pick_next(m, c, prev, sinks.log);
    decision.queue_steps += cpu.pending_steps;
    cpu.pending_steps = 0;
    if (sinks.log != nullptr) sinks.log->decision = decision;

    const TaskId next = decision.next;
    const bool switched = next != prev;
    Overhead overhead = pricing_.of(decision, switched, m.mm[prev] != m.mm[next]);
    overhead.system = syscall;
    ++g.decisions;
    g.switches += switched ? 1 : 0;
    cpu.current = next;
    cpu.kernel_until = g.now + overhead.total();
    cpu.burst_end = cpu.kernel_until + m.remaining[next];
    cpu.deadline = m.is_idle_task(next) ? kHorizon : cpu.burst_end;

    if (sinks.statistics != nullptr)
        sinks.statistics->scheduled(m, c, prev, decision, overhead, voluntary, after_yield);
    if (sinks.trace != nullptr) sinks.trace->schedule(g.now, c, prev, decision, voluntary);
}

}  // namespace sim
