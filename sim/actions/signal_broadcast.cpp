// `signal` and `broadcast`: wake the task that has waited longest on a channel, or all tasks that wait on it.
//
// Unlike `wake`, these steps have no effect on later waits, as with a condition variable: a signal that finds
// no waiting task is lost. If the next step of the program is `wait`, both steps are one system call. So the
// caller waits before the woken task can run, and a signal from the woken task finds the caller waiting.
#include "sim/actions/actions.h"
#include "sim/core/action.h"
#include "sim/core/wait_table.h"
#include "sim/scenario/program_reader.h"

namespace sim {
namespace {

void parse_channel(ProgramReader& reader) { reader.emit({.target = reader.channel(reader.argument())}); }

Outcome outcome_after_signalling(const ActionContext& c, const Step& step) {
    static const std::uint8_t wait = action_index("wait");
    return c.scenario.steps[step.next].action == wait ? Outcome::next : Outcome::returned;
}

Outcome begin_signal(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    c.m.task[p].step = step.next;
    const TaskId waiter = dequeue_waiter(c.m, step.target);
    if (waiter != kNoTask) c.wake_in_syscall(cpu, waiter, p, true);
    return outcome_after_signalling(c, step);
}

Outcome begin_broadcast(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    c.m.task[p].step = step.next;
    for (;;) {
        const TaskId waiter = dequeue_waiter(c.m, step.target);
        if (waiter == kNoTask) return outcome_after_signalling(c, step);
        c.wake_in_syscall(cpu, waiter, p, true);
    }
}

}  // namespace

ActionInfo signal_action() {
    return {
        .name = "signal",
        .summary = "wake the task that has waited longest on this channel, if any task waits",
        .argument = "a channel's name",
        .parse = parse_channel,
        .begin = begin_signal,
        .takes_time = false,
        .is_syscall = true,
    };
}

ActionInfo broadcast_action() {
    return {
        .name = "broadcast",
        .summary = "wake all tasks that wait on this channel",
        .argument = "a channel's name",
        .parse = parse_channel,
        .begin = begin_broadcast,
        .takes_time = false,
        .is_syscall = true,
    };
}

}  // namespace sim
