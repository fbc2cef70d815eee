// `park` and `unpark`: a task blocks until another task unblocks it, as with LockSupport.park() or a futex
// with one waiter.
//
// Each task group with a single task has a permit. `unpark` sets the permit; several `unpark` steps without a
// `park` between them have the effect of one. `park` clears the permit, or sleeps until the permit is set.
// Only calls that block or wake a task are charged as system calls.
#include "sim/actions/actions.h"
#include "sim/core/action.h"
#include "sim/core/wait_table.h"
#include "sim/scenario/program_reader.h"

namespace sim {
namespace {

void parse_park(ProgramReader& reader) { reader.emit({.target = reader.own_parking_channel()}); }
void parse_unpark(ProgramReader& reader) {
    reader.emit({.target = reader.parking_channel(reader.argument())});
}

Outcome begin_park(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    c.m.task[p].step = step.next;
    if (take_token(c.m, step.target)) return Outcome::next;
    c.charge(cpu, KernelWork::futex);
    c.wait_on(cpu, p, step.target);
    return Outcome::blocked;
}

Outcome begin_unpark(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    c.m.task[p].step = step.next;
    const TaskId waiter = dequeue_waiter_or_add_token(c.m, step.target, 1);
    if (waiter == kNoTask) return Outcome::next;
    c.charge(cpu, KernelWork::futex);
    c.wake_in_syscall(cpu, waiter, p, true);
    return Outcome::returned;
}

}  // namespace

ActionInfo park_action() {
    return {
        .name = "park",
        .summary = "block until another task unparks this one",
        .argument = "",
        .parse = parse_park,
        .begin = begin_park,
        .takes_time = false,
        .is_syscall = true,
    };
}

ActionInfo unpark_action() {
    return {
        .name = "unpark",
        .summary =
            "wake the parked task of a task group; if the task is not parked, its next park does not "
            "block",
        .argument = "the name of a task group with count 1",
        .parse = parse_unpark,
        .begin = begin_unpark,
        .takes_time = false,
        .is_syscall = true,
    };
}

}  // namespace sim
