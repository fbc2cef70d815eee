// The channels on which tasks wait for each other: counting semaphores with a queue in order of arrival.
#pragma once

#include <limits>

#include "sim/machine.h"

namespace sim {

// Uses up a wake-up that came before anyone waited; answers whether there was one.
inline bool take_token(Machine& m, ChannelId c) {
    Channel& channel = m.channel(c);
    if (channel.tokens == 0) return false;
    --channel.tokens;
    return true;
}

// Puts p, which is running, to sleep at the end of the channel's queue.
inline void wait_on(Machine& m, ChannelId c, TaskId p) {
    Channel& channel = m.channel(c);
    m.task[p].state = TaskState::waiting;
    m.task[p].waiting_on = c;
    m.task[p].wait_next = kNoTask;
    if (channel.first == kNoTask)
        channel.first = p;
    else
        m.task[channel.last].wait_next = p;
    channel.last = p;
}

// Takes the first waiting task off the channel, which the caller makes runnable; or, when nobody waits, keeps
// the wake-up (up to 2^32 - 1 of them) and answers kNoTask.
inline TaskId wake_one(Machine& m, ChannelId c) {
    Channel& channel = m.channel(c);
    const TaskId p = channel.first;
    if (p == kNoTask) {
        if (channel.tokens != std::numeric_limits<std::uint32_t>::max()) ++channel.tokens;
        return kNoTask;
    }
    channel.first = m.task[p].wait_next;
    if (channel.first == kNoTask) channel.last = kNoTask;
    m.task[p].wait_next = kNoTask;
    return p;
}

// Takes p off the channel that it waits on, wherever it stands there. REQUIRES: it waits.
inline void stop_waiting(Machine& m, TaskId p) {
    Channel& channel = m.channel(m.task[p].waiting_on);
    TaskId before = kNoTask;
    for (TaskId q = channel.first; q != p; q = m.task[q].wait_next) before = q;
    (before == kNoTask ? channel.first : m.task[before].wait_next) = m.task[p].wait_next;
    if (channel.last == p) channel.last = before;
    m.task[p].wait_next = kNoTask;
}

}  // namespace sim
