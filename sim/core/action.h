// The steps that a task's program is made of. To add one, write sim/actions/mine.cpp: docs/add_an_action.md.
//
// An action is data in the program (a Step) and two functions: one that reads it from JSON and one that
// begins it. Between two steps a task stands at a system call or in user mode; a step takes no time by
// itself, but returns what happens next, and the engine lets the time pass.
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

class ProgramReader;  // program_reader.h: what a parser of a step can use

// What a task's step asks of the engine.
enum class Outcome : std::uint8_t {
    next,      // nothing: go on with the step that m.step names, at once
    burst,     // run in user mode for m.remaining
    returned,  // a system call that is over: pay for it, then go on
    yielded,   // the same, and it was sched_yield()
    blocked,   // a system call that put the task to sleep
    exited,    // the task is gone
    full,      // a fork that found no free row
};

// What the engine works on during one run; the steps may use it, too.
struct ActionContext {
    Machine& m;
    const Scenario& scenario;
    const Policy& policy;
    const Residency& residency;
    const TickTimers& timers;
    Statistics* statistics;     // may be null
    Trace* trace;               // may be null
    DecisionLog* log;           // may be null
    bool interrupts_take_time;  // on this machine
    bool policy_has_own_wake;   // Policy::has_own_wake()
    bool policy_wants_bursts;   // Policy::wants_bursts()
    bool policy_has_slices;     // Policy::has_slices()

    // Makes a sleeping or new task runnable: state, run queue, need_resched of the CPU whose task it
    // preempts. `waker` is the task that did it, or that forked it; kNoTask for an interrupt, or for nobody.
    // REQUIRES: `woken` is on no queue, and no timer and no channel knows it any more.
    void wake_up_process(TaskId woken, TaskId waker) const;

    // Where that happens: where the waker runs, or the timer of the CPU where the task went to sleep.
    CpuId cpu_of_wake_up(TaskId woken, TaskId waker) const {
        const std::uint16_t cpu = waker != kNoTask ? m.task[waker].processor : m.task[woken].last_processor;
        return cpu != Task::kNoProcessor ? cpu : 0;
    }

    // The same, from a system call of `waker`, which runs on `cpu` and pays for it. `woken` has been taken
    // off a channel's queue; `is_over` says that it has what it waited for, and need not look again.
    void wake_other(CpuId cpu, TaskId woken, TaskId waker, bool is_over) const {
        charge(cpu, KernelWork::wake_up);
        wake_up_process(woken, waker);
        if (is_over) m.task[woken].waiting_on = kNoChannel;
    }

    // Puts p, the running task of `cpu`, to sleep at the end of a channel's queue.
    void wait_on(CpuId cpu, TaskId p, ChannelId channel) const;

    // Puts p, the running task of `cpu`, to sleep until its own timer fires. REQUIRES: `end` is to come.
    void sleep_until(CpuId cpu, TaskId p, Nanos end) const;

    // Draws the burst that p begins next, unless it is in one. Loops on the way to it are gone through.
    [[gnu::noinline]] void draw_burst_ahead(TaskId p) const;

    // Puts p to sleep until a device, which has room for it, has served it for so long; p's next step
    // follows. `cpu` is where it runs, or kNoCpu when it waited for its turn until now.
    void begin_service(CpuId cpu, TaskId p, ChannelId device, Nanos service) const;
    // The device is done with a task, or the task is gone: the next one's turn.
    void end_service(ChannelId device) const;

    // The system call that `cpu` is in takes so much more time, which the task there pays on its way out.
    void charge(CpuId cpu, KernelWork kind, std::uint32_t times = 1) const {
        if (times == 0) return;
        m.cpu(cpu).pending_work += scenario.machine.costs.of(kind) * times;
        if (statistics != nullptr) statistics->work[static_cast<std::size_t>(kind)] += times;
    }

    // Translations of this address space are no longer valid, says `cpu`: flush_tlb_mm().
    void flush_tlb_mm(CpuId cpu, MmId mm) const;

    // The interrupt takes its time of this CPU, before whatever it would do next: what it runs is put off,
    // and a need_resched is honoured on the way back from the handler. What comes while the CPU is in the
    // kernel is handled at the end of that.
    void interrupt(CpuId cpu, Interrupt kind) const {
        if (statistics != nullptr) statistics->interrupted(kind);
        if (interrupts_take_time) [[unlikely]]
            take_interrupt(cpu, kind);
    }

    // When `cpu`, which runs a task, needs attention next unless it is asked to reschedule: the burst is
    // over, or the slice.
    Nanos end_of_run(CpuId c) const {
        const Cpu& cpu = m.cpu(c);
        if (!policy_has_slices || m.slice_end(c) >= cpu.burst_end) return cpu.burst_end;
        return m.slice_end(c) > cpu.kernel_until ? m.slice_end(c) : cpu.kernel_until;
    }

    // Asks these CPUs to reschedule, a bit for each; the others than `here` by an interrupt, or by writing to
    // the need_resched that one idle in mwait watches. `p` is whom it is for.
    void ask_to_reschedule(std::uint64_t cpus, CpuId here, TaskId p) const;

  private:
    WakeUp how_it_wakes(TaskId woken, TaskId waker, CpuId here) const;
    [[gnu::noinline]] void take_interrupt(CpuId cpu, Interrupt kind) const;
    void count_end_of_wait(TaskId woken, TaskId waker) const;
    [[gnu::noinline]] void count_end_of_channel_wait(TaskId woken, TaskId waker) const;
};

// Begins a step of p, the running task of `cpu`: does what it does, moves m.task[p].step on, and returns what
// next.
using BeginAction = Outcome (*)(const ActionContext& context, CpuId cpu, TaskId p, const Step& step);

// What a step amounts to. Nearly every step of nearly every program computes, waits for something from
// outside or yields, so the engine does these itself, without a call through a pointer.
enum class Effect : std::uint8_t {
    own,      // whatever its `begin` does
    compute,  // Outcome::burst, for the Duration that Step::target names. It concerns nobody but its task,
              // which is why the engine may draw its length before its time, and spares an event.
    arrival,  // Outcome::blocked, until something comes from outside, after exactly such a time
    yield,    // Outcome::yielded: what sched_yield() means is the policy's affair
};

struct ActionInfo {
    std::string name;  // the key in the program, as in rt-app where it has the word
    std::string summary;
    std::string argument;  // how the argument is written, for `list actions`; empty for none
    // Appends the step or steps to the program. Problems go to the reader.
    void (*parse)(ProgramReader& reader);
    Effect effect = Effect::own;
    BeginAction begin = nullptr;  // for Effect::own
    bool takes_time;              // simulated time passes in this step, whatever the costs of the machine
    bool is_syscall;              // time passes if the machine's system calls cost something
    std::vector<std::string> keys = {};  // what may stand beside the action's own key
};

// Nearly all wake-ups end the wait for an arrival.
inline void ActionContext::count_end_of_wait(TaskId woken, TaskId waker) const {
    if (statistics->tasks[woken].voluntary == 0) return;  // it has not been anywhere but before its start
    if (m.task[woken].state == TaskState::interruptible)
        statistics->sleep_ended(woken, m.globals().now, statistics->arrivals);
    else if (m.task[woken].state == TaskState::on_timer)
        statistics->sleep_ended(woken, m.globals().now, statistics->sleeps);
    else
        count_end_of_channel_wait(woken, waker);
}

[[gnu::noinline]] inline WakeUp ActionContext::how_it_wakes(TaskId woken, TaskId waker, CpuId here) const {
    const Task& task = m.task[woken];
    WakeUp how{.by = waker != kNoTask ? WakeUp::By::task : WakeUp::By::interrupt, .here = here};
    if (task.last_processor == Task::kNoProcessor) [[unlikely]] {  // it has not slept: it is new
        how.by = waker != kNoTask ? WakeUp::By::fork : WakeUp::By::start;
    } else if (task.state == TaskState::in_service) {
        how.from = WakeUp::Sleep::uninterruptible;
    } else if (task.state == TaskState::waiting) {
        const ChannelSpec::Kind kind = scenario.channels[task.waiting_on].kind;
        if (kind == ChannelSpec::Kind::pipe_readers || kind == ChannelSpec::Kind::pipe_writers)
            how.from = WakeUp::Sleep::pipe;
    }
    return how;
}

inline void ActionContext::wake_up_process(TaskId woken, TaskId waker) const {
    Globals& g = m.globals();
    Task& task = m.task[woken];
    const CpuId here = m.shape().cpus > 1 ? cpu_of_wake_up(woken, waker) : 0;
    if (policy_wants_bursts) [[unlikely]]
        draw_burst_ahead(woken);
    WakeUp how;
    if (policy_has_own_wake) [[unlikely]]
        how = how_it_wakes(woken, waker, here);
    if (statistics != nullptr) {
        if (task.state != TaskState::runnable) count_end_of_wait(woken, waker);
        statistics->became_ready(woken, g.now);
    }
    task.state = TaskState::runnable;
    ++g.nr_running;
    Woken outcome;
    if (policy_has_own_wake) [[unlikely]]
        outcome = policy.wake(m, woken, how);
    else
        outcome.queue_steps = policy.enqueue(m, woken);
    m.cpu(here).pending_steps += outcome.queue_steps;
    if (trace != nullptr) [[unlikely]]
        trace->wake_up(g.now, here, woken, waker);
    if (policy_has_own_wake) [[unlikely]] {
        ask_to_reschedule(outcome.reschedule, here, woken);
    } else if (m.shape().cpus == 1) {
        if (policy.preempts(m, woken, m.cpu(0).current)) m.set_need_resched(0);
    } else {
        ask_to_reschedule(policy.reschedule(m, woken, here), here, woken);
    }
}

// All actions, ordered by name: sim/actions/actions.cpp. The index is Step::action.
std::span<const ActionInfo> actions();

// The index of an action. REQUIRES: it exists.
std::uint8_t action_index(std::string_view name);

}  // namespace sim
