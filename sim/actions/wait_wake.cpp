// `wait` and `wake`: block on a named channel; wake the task that has waited longest on it.
//
// A channel counts wake-ups: a wake-up that finds no waiting task is stored for the next task that waits, so
// no wake-up is lost.
//
// With a mutex, `wait` is like pthread_cond_wait(): the task releases the mutex and begins to wait in one
// step, and takes the mutex again after the wait.
#include "sim/actions/actions.h"
#include "sim/core/action.h"
#include "sim/core/wait_table.h"
#include "sim/scenario/program_reader.h"

namespace sim {
namespace {

// A `wait` with a mutex stores the channel number of the mutex plus 1 in Step::count; 0: no mutex. The
// step after such a `wait` takes the mutex again.
void parse_wait(ProgramReader& reader) {
    const ChannelId channel = reader.channel(reader.argument());
    reader.note_wait(channel);
    const JsonValue* const mutex = reader.value_of("mutex");
    if (mutex == nullptr) {
        reader.emit({.target = channel});
        return;
    }
    const ChannelId lock = reader.released_lock(*mutex);
    reader.emit({.target = channel, .count = lock + 1});
    reader.emit({.target = reader.taken_lock(*mutex)}, "lock");
}

void parse_wake(ProgramReader& reader) {
    const ChannelId channel = reader.channel(reader.argument());
    reader.note_wake_up(channel);
    reader.emit({.target = channel});
}

Outcome begin_wait(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    const bool has_mutex = step.count > 0;
    c.m.task[p].step = step.next;
    if (take_token(c.m, step.target)) {
        // The task does not block, so it keeps the mutex. The step that takes the mutex again is skipped.
        if (has_mutex) c.m.task[p].step = c.scenario.steps[step.next].next;
        return Outcome::returned;
    }
    if (has_mutex) {
        const TaskId waiter = release_lock(c.m, step.count - 1);
        if (waiter != kNoTask) c.wake_in_syscall(cpu, waiter, p, false);
    }
    c.wait_on(cpu, p, step.target);
    return Outcome::blocked;
}

Outcome begin_wake(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    c.m.task[p].step = step.next;
    const TaskId waiter = dequeue_waiter_or_add_token(c.m, step.target);
    if (waiter != kNoTask) c.wake_in_syscall(cpu, waiter, p, true);
    return Outcome::returned;
}

}  // namespace

ActionInfo wait_action() {
    return {
        .name = "wait",
        .summary = "block until a wake-up on this channel",
        .argument = "a channel's name",
        .parse = parse_wait,
        .begin = begin_wait,
        .takes_time = false,
        .is_syscall = true,
        .keys = {"mutex"},
    };
}

ActionInfo wake_action() {
    return {
        .name = "wake",
        .summary = "wake the task that has waited longest on this channel",
        .argument = "a channel's name",
        .parse = parse_wake,
        .begin = begin_wake,
        .takes_time = false,
        .is_syscall = true,
    };
}

}  // namespace sim
