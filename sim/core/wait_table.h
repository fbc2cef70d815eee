// The queues of what tasks wait on, in order of arrival, and the numbers that they wait for. What a channel,
// a lock, a pipe or a device makes of them is in its action's file.
#pragma once

#include <limits>

#include "sim/core/machine.h"

namespace sim {

// Takes one away from the number that tasks wait for; returns whether there was one.
inline bool take_token(Machine& m, ChannelId c) {
    Channel& channel = m.channel(c);
    if (channel.tokens == 0) return false;
    --channel.tokens;
    return true;
}

// Puts p, which is running, to sleep at the end of the queue.
inline void join_queue(Machine& m, ChannelId c, TaskId p) {
    Channel& channel = m.channel(c);
    m.task[p].state = TaskState::waiting;
    m.task[p].waiting_on = c;
    m.task[p].wait_next = kNoTask;
    m.task[p].wake_at = {};
    if (channel.first == kNoTask)
        channel.first = p;
    else
        m.task[channel.last].wait_next = p;
    channel.last = p;
}

// Takes the first waiting task off the queue, which the caller makes runnable; kNoTask when nobody waits.
inline TaskId leave_queue(Machine& m, ChannelId c) {
    Channel& channel = m.channel(c);
    const TaskId p = channel.first;
    if (p == kNoTask) return p;
    channel.first = m.task[p].wait_next;
    if (channel.first == kNoTask) channel.last = kNoTask;
    m.task[p].wait_next = kNoTask;
    return p;
}

// The same; and when nobody waits, keeps the wake-up, up to `most` of them.
inline TaskId wake_one(Machine& m, ChannelId c,
                       std::uint32_t most = std::numeric_limits<std::uint32_t>::max()) {
    const TaskId p = leave_queue(m, c);
    if (p == kNoTask && m.channel(c).tokens < most) ++m.channel(c).tokens;
    return p;
}

// Takes p off the queue that it waits in, wherever it stands there. REQUIRES: it waits.
inline void stop_waiting(Machine& m, TaskId p) {
    Channel& channel = m.channel(m.task[p].waiting_on);
    TaskId before = kNoTask;
    for (TaskId q = channel.first; q != p; q = m.task[q].wait_next) before = q;
    (before == kNoTask ? channel.first : m.task[before].wait_next) = m.task[p].wait_next;
    if (channel.last == p) channel.last = before;
    m.task[p].wait_next = kNoTask;
}

}  // namespace sim
