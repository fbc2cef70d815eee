// The steps of task programs. To add an action, write sim/actions/mine.cpp: docs/tutorials/add_an_action.md.
//
// An action is a Step in the program plus two functions: one parses the step, the other begins it. The second
// function takes no simulated time: it returns an Outcome, and the engine advances the clock.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/core/policy.h"
#include "sim/core/residency.h"
#include "sim/core/scenario.h"
#include "sim/core/statistics.h"
#include "sim/core/tick_timers.h"
#include "sim/core/trace.h"

namespace sim {

class ProgramReader;  // program_reader.h

// Result of beginning a step: the work that the engine must do next.
enum class Outcome : std::uint8_t {
    next,      // continue with step m.task[p].step
    burst,     // run in user mode for m.task[p].remaining
    returned,  // return from a system call, whose cost is charged
    yielded,   // like `returned`, but from sched_yield()
    blocked,   // the task sleeps
    exited,
    full,  // a fork found no free row in the task table
};

// The objects that the engine passes to the functions of program steps.
struct ActionContext {
    Machine& m;
    const Scenario& scenario;
    const Policy& policy;
    const Residency& residency;
    const TickTimers& timers;
    Statistics* statistics;  // `statistics`, `trace` and `log` may be null
    Trace* trace;
    DecisionLog* log;
    bool interrupts_take_time;
    bool policy_has_own_wake;  // Policy::overrides_wake()
    bool policy_wants_bursts;  // Policy::needs_burst_lengths()
    bool policy_has_slices;    // Policy::has_slices()

    // Makes a sleeping or new task runnable, enqueues it and requests preemption. `waker`: the task that
    // woke or forked `woken`; kNoTask for an interrupt or a start. REQUIRES: `woken` is on no queue and has
    // no timer.
    void wake_up_process(TaskId woken, TaskId waker) const;

    // The CPU on which the wake-up happens: the CPU of the waker. Without a waker, the CPU where `woken`
    // ran last; 0 if it has not run yet.
    CpuId waking_cpu(TaskId woken, TaskId waker) const {
        const std::uint16_t cpu = waker != kNoTask ? m.task[waker].processor : m.task[woken].last_processor;
        return cpu != Task::kNoProcessor ? cpu : 0;
    }

    // Calls wake_up_process() in a system call of the task `waker`, which runs on `cpu`. The cost of the
    // wake-up is charged to `waker`. `ends_wait`: the wait is complete, so `woken` does not check the channel
    // again. REQUIRES: `woken` has been removed from the channel's queue.
    void wake_in_syscall(CpuId cpu, TaskId woken, TaskId waker, bool ends_wait) const {
        charge(cpu, KernelWork::wake_up);
        wake_up_process(woken, waker);
        if (ends_wait) m.task[woken].waiting_on = kNoChannel;
    }

    // Puts p, which runs on `cpu`, to sleep and appends it to the channel's queue.
    void wait_on(CpuId cpu, TaskId p, ChannelId channel) const;

    // Puts p, which runs on `cpu`, to sleep until the future time `end`.
    void sleep_until(CpuId cpu, TaskId p, Nanos end) const;

    // Executes the loop steps that come next in p's program, up to a limit. If a burst follows these steps,
    // draws the length of the burst. Does nothing if p is in a burst or waits on a channel.
    [[gnu::noinline]] void draw_next_burst_length(TaskId p) const;

    // Puts p to sleep until the device has served p's request. `cpu`: the CPU on which p runs; kNoCpu if p
    // was already asleep, waiting for a free server. REQUIRES: the device has a free server.
    void begin_service(CpuId cpu, TaskId p, ChannelId device, Nanos service) const;
    // Frees one server of the device, which then begins to serve the first waiting task, if any.
    void end_service(ChannelId device) const;

    // Adds the cost of `times` units of this work to the system call in progress on `cpu`.
    void charge(CpuId cpu, KernelWork kind, std::uint32_t times = 1) const {
        if (times == 0) return;
        m.cpu(cpu).pending_work += scenario.machine.costs.cost_of(kind) * times;
        if (statistics != nullptr) statistics->work[static_cast<std::size_t>(kind)] += times;
    }

    // flush_tlb_mm(), called by `cpu`: invalidates the TLB entries of this address space on all CPUs that
    // have it loaded.
    void flush_tlb_mm(CpuId cpu, MmId mm) const;

    // Handles an interrupt on `cpu`: charges the time of the handler and delays the running task. If the
    // CPU is in the kernel, the handler runs after the kernel work in progress. need_resched is honoured
    // on return from the handler.
    void interrupt(CpuId cpu, Interrupt kind) const {
        if (statistics != nullptr) statistics->count_interrupt(kind);
        if (interrupts_take_time) [[unlikely]]
            take_interrupt(cpu, kind);
    }

    // Time at which the running task's burst or slice ends, whichever is earlier. Ignores need_resched.
    Nanos end_of_burst_or_slice(CpuId c) const {
        const Cpu& cpu = m.cpu(c);
        if (!policy_has_slices || m.slice_end(c) >= cpu.burst_end) return cpu.burst_end;
        return m.slice_end(c) > cpu.kernel_until ? m.slice_end(c) : cpu.kernel_until;
    }

    // log_wake_up_check() logs whether a wake-up asks CPUs to reschedule; `cpus_to_reschedule` has a bit for
    // each of these CPUs. log_resched_check() logs whether a tick, the end of a slice or a yield asks `c` to
    // reschedule. Neither has an effect unless trace->logs_checks is set. REQUIRES: trace is not null.
    void log_wake_up_check(TaskId woken, CpuId here, std::uint64_t cpus_to_reschedule) const;
    void log_resched_check(CpuId c, bool asks, ReschedCheck::Point at) const;

    // Requests that these CPUs (one bit each) call schedule() for p. Each CPU other than `here` receives an
    // IPI, with two exceptions: a CPU that idles in mwait, because it watches need_resched, and a CPU that
    // has already been asked to reschedule.
    void ask_to_reschedule(std::uint64_t cpus, CpuId here, TaskId p, ReschedCause cause) const;

  private:
    WakeUp wake_up_facts(TaskId woken, TaskId waker, CpuId here) const;
    [[gnu::noinline]] void take_interrupt(CpuId cpu, Interrupt kind) const;
    void count_end_of_wait(TaskId woken, TaskId waker) const;
    [[gnu::noinline]] void count_end_of_channel_wait(TaskId woken, TaskId waker) const;
};

// Begins a step of p, which runs on `cpu`, and advances m.task[p].step.
using BeginAction = Outcome (*)(const ActionContext& context, CpuId cpu, TaskId p, const Step& step);

// The effect of a step. The engine executes the three most frequent effects itself, without an indirect
// call.
enum class StepEffect : std::uint8_t {
    own,  // the function ActionInfo::begin executes the step
    // Outcome::burst. Step::target is the index of its TimeDistribution. No other task can observe the length
    // of a burst, so the engine may draw the random length before the burst begins. A burst whose length is
    // known at its start needs one event less.
    compute,
    arrival,  // Outcome::blocked until an external event, after a drawn time
    yield,    // Outcome::yielded
};

struct ActionInfo {
    std::string name;  // key in a program; equal to the key in rt-app if rt-app has this action
    std::string summary;
    std::string argument;  // syntax of the argument, as `list actions` prints it; empty: no argument
    // Appends steps to the program and reports problems to the reader.
    void (*parse)(ProgramReader& reader);
    StepEffect effect = StepEffect::own;
    BeginAction begin = nullptr;  // for StepEffect::own
    bool takes_time;              // the action takes simulated time even if all costs are 0
    bool is_syscall;              // the action is a system call: takes time if system calls have a cost
    std::vector<std::string> keys = {};  // allowed keys besides the action's name, such as "steps" of `loop`
};

// Inline, because the end of a wait for an arrival is the most frequent wake-up.
inline void ActionContext::count_end_of_wait(TaskId woken, TaskId waker) const {
    if (statistics->tasks[woken].voluntary == 0) return;  // the task is starting, so no wait has ended
    if (m.task[woken].state == TaskState::interruptible)
        statistics->sleep_ended(woken, m.globals().now, statistics->arrivals);
    else if (m.task[woken].state == TaskState::on_timer)
        statistics->sleep_ended(woken, m.globals().now, statistics->sleeps);
    else
        count_end_of_channel_wait(woken, waker);
}

[[gnu::noinline]] inline WakeUp ActionContext::wake_up_facts(TaskId woken, TaskId waker, CpuId here) const {
    const Task& task = m.task[woken];
    WakeUp wake_up{.by = waker != kNoTask ? WakeUp::Waker::task : WakeUp::Waker::interrupt, .here = here};
    if (task.last_processor == Task::kNoProcessor) [[unlikely]] {  // a new task, which has not run yet
        wake_up.by = waker != kNoTask ? WakeUp::Waker::fork : WakeUp::Waker::start;
    } else if (scenario.is_uninterruptible(m, woken)) {
        wake_up.from = WakeUp::Sleep::uninterruptible;
    } else if (task.state == TaskState::waiting) {
        const ChannelSpec::Kind kind = scenario.channels[task.waiting_on].kind;
        if (kind == ChannelSpec::Kind::pipe_readers || kind == ChannelSpec::Kind::pipe_writers)
            wake_up.from = WakeUp::Sleep::pipe;
    }
    return wake_up;
}

inline void ActionContext::wake_up_process(TaskId woken, TaskId waker) const {
    Globals& g = m.globals();
    Task& task = m.task[woken];
    const CpuId here = m.shape().cpus > 1 ? waking_cpu(woken, waker) : 0;
    if (policy_wants_bursts) [[unlikely]]
        draw_next_burst_length(woken);
    WakeUp wake_up;
    if (policy_has_own_wake) [[unlikely]]
        wake_up = wake_up_facts(woken, waker, here);
    if (statistics != nullptr) {
        if (task.state != TaskState::runnable) count_end_of_wait(woken, waker);
        statistics->became_ready(woken, g.now);
    }
    task.state = TaskState::runnable;
    ++g.nr_running;
    WakeResult outcome;
    if (policy_has_own_wake) [[unlikely]]
        outcome = policy.wake(m, woken, wake_up);
    else
        outcome.queue_steps = policy.enqueue(m, woken);
    m.cpu(here).pending_steps += outcome.queue_steps;
    if (trace != nullptr) [[unlikely]]
        trace->wake_up(g.now, here, woken, waker);
    if (policy_has_own_wake) [[unlikely]] {
        if (trace != nullptr) [[unlikely]]
            log_wake_up_check(woken, here, outcome.reschedule);
        ask_to_reschedule(outcome.reschedule, here, woken, ReschedCause::wake_up);
    } else if (m.shape().cpus == 1) {
        const bool preempts = policy.preempts(m, woken, m.cpu(0).current);
        if (trace != nullptr) [[unlikely]]
            log_wake_up_check(woken, here, preempts ? 1 : 0);
        if (preempts) m.set_need_resched(0, ReschedCause::wake_up, woken);
    } else {
        const std::uint64_t cpus_to_reschedule = policy.reschedule(m, woken, here);
        if (trace != nullptr) [[unlikely]]
            log_wake_up_check(woken, here, cpus_to_reschedule);
        ask_to_reschedule(cpus_to_reschedule, here, woken, ReschedCause::wake_up);
    }
}

// All actions, ordered by name: sim/actions/actions.cpp. Step::action is an index into this list.
std::span<const ActionInfo> actions();

// Index in actions() of the action with this name. REQUIRES: the action exists.
std::uint8_t action_index(std::string_view name);

}  // namespace sim
