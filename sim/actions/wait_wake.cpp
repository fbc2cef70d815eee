// `wait` and `wake`: block on a named channel; wake the task that has waited longest on it.
//
// A channel counts: a wake-up without a waiter is kept for the next task that waits, so none is lost.
#include "sim/actions/actions.h"
#include "sim/core/action.h"
#include "sim/core/wait_table.h"
#include "sim/scenario/program_reader.h"

namespace sim {
namespace {

void parse_channel(ProgramReader& reader) { reader.emit({.target = reader.channel(reader.argument())}); }

Outcome begin_wait(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    c.m.task[p].step = step.next;
    if (take_token(c.m, step.target)) return Outcome::returned;
    c.wait_on(cpu, p, step.target);
    return Outcome::blocked;
}

Outcome begin_wake(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    c.m.task[p].step = step.next;
    const TaskId waiter = wake_one(c.m, step.target);
    if (waiter != kNoTask) c.wake_other(cpu, waiter, p, true);
    return Outcome::returned;
}

}  // namespace

ActionInfo wait_action() {
    return {
        .name = "wait",
        .summary = "block until another task wakes this channel",
        .argument = "a channel's name",
        .parse = parse_channel,
        .begin = begin_wait,
        .takes_time = false,
        .is_syscall = true,
    };
}

ActionInfo wake_action() {
    return {
        .name = "wake",
        .summary = "wake the task that has waited longest on this channel",
        .argument = "a channel's name",
        .parse = parse_channel,
        .begin = begin_wake,
        .takes_time = false,
        .is_syscall = true,
    };
}

}  // namespace sim
