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
    for (const ActionInfo& action : actions()) actions_.push_back(action.begin);
    for (const Step& step : scenario.steps) {
        const Effect effect = actions()[step.action].effect;
        const Duration duration = effect == Effect::own ? Duration{} : scenario.durations[step.target];
        deeds_.push_back({duration, step.next, effect});
    }
}

TaskId create_task(Machine& m, const Scenario& scenario, std::uint32_t group, std::uint32_t ordinal,
                   TaskId parent) {
    const TaskId p = m.allocate_task();
    if (p == kNoTask) return p;
    const TaskGroup& g = scenario.groups[group];
    const bool forked = parent != kNoTask;
    const bool inherits_priority = forked && !g.has_priority;
    const bool inherits_class = forked && !g.has_class;
    m.task[p].group = static_cast<std::uint16_t>(group);
    m.task[p].ordinal =
        forked ? m.task[p].pid : ordinal;  // a pid is above every number given out at the start
    m.task[p].step = g.program;
    m.priority[p] = inherits_priority ? m.priority[parent] : g.priority;
    m.sched_class[p] = inherits_class ? m.sched_class[parent] : g.sched_class;
    m.rt_priority[p] = inherits_class ? m.rt_priority[parent] : g.rt_priority;
    switch (g.mm) {
        case TaskGroup::Mm::own:
            m.task[p].mm = m.globals().next_mm++;
            break;
        case TaskGroup::Mm::shared:
            m.task[p].mm = g.shared_mm;
            break;
        case TaskGroup::Mm::kernel:
            m.task[p].mm = kKernelMm;
            break;
    }
    m.task[p].birth_stream = forked ? next_random(m.task[parent].birth_stream)
                                    : stream_of(scenario.seed, scenario.task_name(group, ordinal));
    m.task[p].stream = m.task[p].birth_stream;
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
                m.task[p].state = TaskState::interruptible;
                m.task[p].wake_at = spec.start;
                m.events().push(EventQueue::key(spec.start, p));
            } else {
                ActionContext{m, scenario_, policy_, nullptr, nullptr, nullptr}.wake_up_process(p, kNoTask);
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
    if (g.nr_running > 0 || !m.events().empty()) return;
    stop(m, g.nr_tasks == 0 ? StopReason::all_exited : StopReason::deadlock);
}

StopReason Engine::run(Machine& m, const Limits& limits, const Sinks& sinks) const {
    const ActionContext run{m, scenario_, policy_, sinks.statistics, sinks.trace, sinks.log};
    const Globals& g = m.globals();
    while (!g.is_stopped) {
        if (g.decisions >= limits.decisions) return StopReason::decision_limit;
        if (g.switches >= limits.switches) return StopReason::switch_limit;
        if (g.events >= limits.events) return StopReason::event_limit;
        if (!next_event(run, limits.until)) return g.is_stopped ? g.stopped : StopReason::until;
    }
    return g.stopped;
}

bool Engine::step(Machine& m, Nanos until, const Sinks& sinks) const {
    if (m.globals().is_stopped) return false;
    return next_event({m, scenario_, policy_, sinks.statistics, sinks.trace, sinks.log}, until);
}

inline bool Engine::next_event(const ActionContext& run, Nanos until) const {
    Machine& m = run.m;
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
    const Nanos at = std::min(std::min(at_cpu, at_timer), g.next_tick);
    if (at >= until) {
        if (until > g.now) {
            g.now = until;
            g.instant_began = g.events;
        }
        return false;
    }
    if (at > g.now) {
        g.now = at;
        g.instant_began = g.events;
    } else if (g.events - g.instant_began > kLivelock) {
        stop(m, StopReason::livelock);
        return false;
    }
    ++g.events;
    if (at == at_timer)
        wake_by_timer(run);
    else if (at == g.next_tick)
        timer_interrupt(run);
    else
        attend(run, cpu);
    return true;
}

void Engine::wake_by_timer(const ActionContext& run) const {
    Machine& m = run.m;
    const TaskId p = m.events().pop();
    if (run.statistics != nullptr) ++run.statistics->timer_events;
    run.wake_up_process(p, kNoTask);
}

void Engine::timer_interrupt(const ActionContext& run) const {
    Machine& m = run.m;
    Globals& g = m.globals();
    ++g.ticks;
    g.next_tick = scenario_.tick_time(g.ticks + 1);
    for (CpuId c = 0; c < m.shape().cpus; ++c) {
        const TaskId p = m.cpu(c).current;
        if (m.is_idle_task(p)) continue;
        if (run.trace != nullptr) [[unlikely]]
            run.trace->tick(g.now, c, p);
        if (policy_.tick(m, p)) m.set_need_resched(c);
    }
}

// The CPU reaches its deadline: a burst is over, a system call returns, or need_resched is to be honoured.
inline void Engine::attend(const ActionContext& run, CpuId c) const {
    Machine& m = run.m;
    const Nanos now = m.globals().now;
    Cpu& cpu = m.cpu(c);
    const TaskId p = cpu.current;
    const Nanos span = now - cpu.kernel_until;
    Entry entry = Entry::interrupt;
    if (m.is_idle_task(p)) {
        if (run.statistics != nullptr) run.statistics->idled(span);
    } else {
        const bool leaving_kernel = span == Nanos{};
        if (run.statistics != nullptr && !leaving_kernel) run.statistics->ran(p, span);
        cpu.kernel_until = now;  // what is counted is not in progress any more, even if the run ends here
        if (now == cpu.burst_end && !(leaving_kernel && cpu.need_resched)) {
            m.task[p].remaining = Nanos{};
            entry = run_program(run, c);
            if (entry == Entry::none) return;
        } else {
            assert(cpu.need_resched);
            m.task[p].remaining = cpu.burst_end - now;
        }
    }
    schedule(run, c, entry);
    if (entry == Entry::exit) {  // as if its parent waited for it
        policy_.reap(m, p);
        m.free_task(p);
    }
    stop_if_over(m);
}

// The current task stands between two steps: begins one after the other until time has to pass or schedule()
// must be called, which is what it answers.
inline Engine::Entry Engine::run_program(const ActionContext& run, CpuId c) const {
    Machine& m = run.m;
    const Nanos now = m.globals().now;
    Cpu& cpu = m.cpu(c);
    const TaskId p = cpu.current;
    for (std::uint32_t steps = 0; steps < kLivelock; ++steps) {
        const Outcome outcome = begin_step(run, c, p);
        switch (outcome) {
            case Outcome::next:
                continue;

            case Outcome::burst:
                if (m.task[p].remaining == Nanos{}) continue;
                if (cpu.need_resched) return Entry::interrupt;
                cpu.kernel_until = now;
                cpu.burst_end = now + m.task[p].remaining;
                cpu.deadline = cpu.burst_end;
                return Entry::none;

            case Outcome::returned:
            case Outcome::yielded:
                if (cpu.need_resched) return outcome == Outcome::yielded ? Entry::yield : Entry::syscall;
                if (pricing_.syscall() == Nanos{}) continue;
                if (run.statistics != nullptr)
                    run.statistics->returned_from_syscall(c, p, pricing_.syscall());
                if (run.trace != nullptr) [[unlikely]]
                    run.trace->syscall(now, c, p, pricing_.syscall());
                cpu.kernel_until = now + pricing_.syscall();
                cpu.burst_end = cpu.deadline = cpu.kernel_until;
                return Entry::none;

            case Outcome::blocked:
                --m.globals().nr_running;
                draw_burst(m.task[p]);
                return Entry::syscall;

            case Outcome::exited:
                --m.globals().nr_running;
                m.task[p].state = TaskState::exited;
                return Entry::exit;

            case Outcome::full:
                stop(m, StopReason::task_limit);
                return Entry::none;
        }
    }
    stop(m, StopReason::livelock);
    return Entry::none;
}

inline Outcome Engine::begin_step(const ActionContext& run, CpuId c, TaskId p) const {
    Machine& m = run.m;
    Task& task = m.task[p];
    const Deed& deed = deeds_[task.step];
    switch (deed.effect) {
        case Effect::compute:
            task.remaining = deed.duration.draw(task.stream);
            task.step = deed.next;
            return Outcome::burst;

        case Effect::sleep: {
            const Nanos now = m.globals().now;
            task.wake_at = std::min(now + deed.duration.draw(task.stream), kHorizon);
            task.state = TaskState::interruptible;
            task.step = deed.next;
            m.events().push(EventQueue::key(task.wake_at, p));
            if (run.trace != nullptr) [[unlikely]]
                run.trace->sleep(now, c, p);
            return Outcome::blocked;
        }

        case Effect::own:
            break;
    }
    const Step& step = scenario_.steps[task.step];
    return actions_[step.action](run, c, p, step);
}

// A burst concerns nobody but its task, so its length may be drawn before its time: when the task goes to
// sleep rather than when it runs, at the latest when it is chosen. That spares an event for each burst, and
// keeps the draw out of the way of the question of what happens next.
inline void Engine::draw_burst(Task& task) const {
    if (task.remaining != Nanos{}) return;
    const Deed& deed = deeds_[task.step];
    if (deed.effect != Effect::compute) return;
    task.remaining = deed.duration.draw(task.stream);
    task.step = deed.next;
}

inline void Engine::schedule(const ActionContext& run, CpuId c, Entry entry) const {
    Machine& m = run.m;
    Globals& g = m.globals();
    Cpu& cpu = m.cpu(c);
    const TaskId prev = cpu.current;
    const Task& before = m.task[prev];
    const bool voluntary = before.state != TaskState::runnable;
    const bool from_syscall = entry != Entry::interrupt;
    const bool after_yield = entry == Entry::yield;
    cpu.need_resched = false;
    if (run.log != nullptr) [[unlikely]] {
        run.log->clear();
        run.log->prev = prev;
        run.log->prev_runnable = !voluntary;
    }
    Decision decision = policy_.pick_next(m, c, prev, run.log);
    decision.queue_steps += cpu.pending_steps;
    cpu.pending_steps = 0;
    if (run.log != nullptr) [[unlikely]]
        run.log->decision = decision;

    const TaskId next = decision.next;
    const bool switched = next != prev;
    Task& after = m.task[next];
    const MmId mm = after.mm;
    const bool other_mm = before.mm != mm;
    const Nanos span =
        (from_syscall ? pricing_.syscall() : Nanos{}) + pricing_.of(decision, switched, other_mm);
    ++g.decisions;
    g.switches += switched ? 1 : 0;
    cpu.current = next;
    cpu.kernel_until = g.now + span;
    if (m.is_idle_task(next)) {
        cpu.deadline = kHorizon;
    } else {
        draw_burst(after);
        cpu.burst_end = cpu.deadline = cpu.kernel_until + after.remaining;
    }

    if (run.statistics != nullptr)
        run.statistics->scheduled(m, c, prev, decision, mm, other_mm, span, from_syscall, voluntary,
                                  after_yield);
    if (run.trace != nullptr) [[unlikely]]
        run.trace->schedule({.time = g.now,
                             .kind = TraceKind::schedule,
                             .cpu = c,
                             .task = next,
                             .other = prev,
                             .span = span,
                             .decision = decision,
                             .from_syscall = from_syscall,
                             .after_yield = after_yield,
                             .voluntary = voluntary,
                             .other_mm = other_mm});
}

}  // namespace sim
