// `pipe_read` and `pipe_write`: transfer bytes from task to task through a buffer of fixed size.
//
// A write transfers all of its bytes at once and waits until there is space for them, as writes of up to
// PIPE_BUF bytes do. A read takes the available bytes, up to the requested number, and waits while there are
// none. A wake-up wakes one waiting task, which then tries again.
#include <algorithm>

#include "sim/actions/actions.h"
#include "sim/core/action.h"
#include "sim/core/wait_table.h"
#include "sim/scenario/program_reader.h"

namespace sim {
namespace {

// A pipe has two channels. Readers wait on the first channel, whose tokens are the bytes in the pipe. Writers
// wait on the second channel, whose tokens are the free bytes. The second id is the first id plus 1.
// Step::target of both actions is the first channel.
void parse_read(ProgramReader& reader) {
    reader.emit({.target = reader.pipe(reader.argument()), .count = reader.bytes()});
}
void parse_write(ProgramReader& reader) {
    const ChannelId pipe = reader.pipe(reader.argument());
    reader.emit({.target = pipe, .count = reader.bytes_to_write(pipe)});
}

// Whether the task was woken from a wait on this channel and continues the system call that blocked it.
bool is_retry_after_wake_up(const Task& task, ChannelId channel) { return task.waiting_on == channel; }

Outcome complete_transfer(const ActionContext& c, CpuId cpu, TaskId p, const Step& step,
                          ChannelId own_channel, ChannelId peer_channel) {
    Task& task = c.m.task[p];
    task.step = step.next;
    const bool woken = is_retry_after_wake_up(task, own_channel);
    task.waiting_on = kNoChannel;
    const TaskId waiter = dequeue_waiter(c.m, peer_channel);
    if (waiter != kNoTask) c.wake_in_syscall(cpu, waiter, p, false);
    // The remaining bytes or space may suffice for another task that waits on the same side (reading or
    // writing).
    const TaskId next = c.m.channel(own_channel).tokens > 0 ? dequeue_waiter(c.m, own_channel) : kNoTask;
    if (next != kNoTask) c.wake_in_syscall(cpu, next, p, false);
    if (!woken) c.charge(cpu, KernelWork::pipe);
    return woken && waiter == kNoTask && next == kNoTask ? Outcome::next : Outcome::returned;
}

Outcome block(const ActionContext& c, CpuId cpu, TaskId p, ChannelId own_channel) {
    if (!is_retry_after_wake_up(c.m.task[p], own_channel)) c.charge(cpu, KernelWork::pipe);
    c.wait_on(cpu, p, own_channel);
    return Outcome::blocked;
}

Outcome begin_read(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    const ChannelId readers = step.target, writers = step.target + 1;
    Channel& data = c.m.channel(readers);
    if (data.tokens == 0) return block(c, cpu, p, readers);
    const std::uint32_t taken = std::min(data.tokens, step.count);
    data.tokens -= taken;
    c.m.channel(writers).tokens += taken;
    return complete_transfer(c, cpu, p, step, readers, writers);
}

Outcome begin_write(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    const ChannelId readers = step.target, writers = step.target + 1;
    Channel& room = c.m.channel(writers);
    if (room.tokens < step.count) return block(c, cpu, p, writers);
    room.tokens -= step.count;
    c.m.channel(readers).tokens += step.count;
    return complete_transfer(c, cpu, p, step, writers, readers);
}

}  // namespace

ActionInfo pipe_read_action() {
    return {
        .name = "pipe_read",
        .summary = "read from a pipe, or block until it contains data",
        .argument = "a pipe's name; the key \"bytes\" next to it states the number of bytes (default 1)",
        .parse = parse_read,
        .begin = begin_read,
        .takes_time = false,
        .is_syscall = true,
        .keys = {"bytes"},
    };
}

ActionInfo pipe_write_action() {
    return {
        .name = "pipe_write",
        .summary = "write to a pipe, or block until it has room",
        .argument = "a pipe's name; the key \"bytes\" next to it states the number of bytes (default 1)",
        .parse = parse_write,
        .begin = begin_write,
        .takes_time = false,
        .is_syscall = true,
        .keys = {"bytes"},
    };
}

}  // namespace sim
