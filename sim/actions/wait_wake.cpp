// `wait` and `wake`: block on a named channel; release the task that has waited longest there.
//
// A channel counts: a wake-up that finds nobody waiting is kept for the next one to wait, so none is lost.
#include "sim/action.h"
#include "sim/program_reader.h"
#include "sim/wait_table.h"

namespace sim {
namespace {

void parse(ProgramReader& reader) { reader.emit({.target = reader.channel(reader.argument())}); }

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

const bool registered_wait = register_action({
    .name = "wait",
    .summary = "block until another task wakes this channel",
    .argument = "a channel's name",
    .parse = parse,
    .begin = begin_wait,
    .takes_time = false,
    .is_syscall = true,
});

const bool registered_wake = register_action({
    .name = "wake",
    .summary = "wake the task that has waited longest on this channel",
    .argument = "a channel's name",
    .parse = parse,
    .begin = begin_wake,
    .takes_time = false,
    .is_syscall = true,
});

}  // namespace
}  // namespace sim
