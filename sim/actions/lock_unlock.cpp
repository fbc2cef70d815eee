// `lock` and `unlock`: mutual exclusion with the semantics of a futex.
//
// Taking a free lock, or releasing one without waiters, happens in user mode and takes no time. A task that
// finds the lock taken sleeps in the kernel. Releasing the lock wakes the task that has waited longest. That
// task tries to take the lock when it runs; another task may take the lock earlier, as with every futex. The
// loader verifies that a program releases every lock that it takes.
#include "sim/actions/actions.h"
#include "sim/core/action.h"
#include "sim/core/wait_table.h"
#include "sim/scenario/program_reader.h"

namespace sim {
namespace {

void parse_lock(ProgramReader& reader) { reader.emit({.target = reader.taken_lock(reader.argument())}); }
void parse_unlock(ProgramReader& reader) { reader.emit({.target = reader.released_lock(reader.argument())}); }

Outcome begin_lock(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    Task& task = c.m.task[p];
    if (take_token(c.m, step.target)) {
        c.m.channel(step.target).owner = p;
        task.step = step.next;
        task.waiting_on = kNoChannel;
        return Outcome::next;
    }
    c.charge(cpu, KernelWork::futex);
    c.wait_on(cpu, p, step.target);
    return Outcome::blocked;
}

Outcome begin_unlock(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    c.m.task[p].step = step.next;
    const TaskId waiter = release_lock(c.m, step.target);
    if (waiter == kNoTask) return Outcome::next;
    c.charge(cpu, KernelWork::futex);
    c.wake_in_syscall(cpu, waiter, p, false);
    return Outcome::returned;
}

}  // namespace

ActionInfo lock_action() {
    return {
        .name = "lock",
        .summary = "take a lock, or block until it is free",
        .argument = "a lock's name",
        .parse = parse_lock,
        .begin = begin_lock,
        .takes_time = false,
        .is_syscall = false,
    };
}

ActionInfo unlock_action() {
    return {
        .name = "unlock",
        .summary = "release a lock, and wake the task that has waited longest for it",
        .argument = "a lock's name",
        .parse = parse_unlock,
        .begin = begin_unlock,
        .takes_time = false,
        .is_syscall = false,
    };
}

}  // namespace sim
