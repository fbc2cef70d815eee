// Wait queues in order of arrival, and the tokens for which tasks wait. Channel::tokens states what a token
// is for channels, locks, pipes and devices.
#pragma once

#include <limits>

#include "sim/core/machine.h"

namespace sim {

// Takes one token of the channel. Returns false if the channel has no token.
inline bool take_token(Machine& m, ChannelId c) {
    Channel& channel = m.channel(c);
    if (channel.tokens == 0) return false;
    --channel.tokens;
    return true;
}

// Puts the running task p to sleep as the last task of the channel's queue.
inline void enqueue_waiter(Machine& m, ChannelId c, TaskId p) {
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

// Removes the first waiting task from the channel's queue and returns it; the caller makes it runnable.
// Returns kNoTask if no task waits.
inline TaskId dequeue_waiter(Machine& m, ChannelId c) {
    Channel& channel = m.channel(c);
    const TaskId p = channel.first;
    if (p == kNoTask) return p;
    channel.first = m.task[p].wait_next;
    if (channel.first == kNoTask) channel.last = kNoTask;
    m.task[p].wait_next = kNoTask;
    return p;
}

// Like dequeue_waiter(), but if no task waits, stores the wake-up as a token. The channel holds at most
// `max_tokens` tokens.
inline TaskId dequeue_waiter_or_add_token(
    Machine& m, ChannelId c, std::uint32_t max_tokens = std::numeric_limits<std::uint32_t>::max()) {
    const TaskId p = dequeue_waiter(m, c);
    if (p == kNoTask && m.channel(c).tokens < max_tokens) ++m.channel(c).tokens;
    return p;
}

// Makes a lock free. Removes the first task that waits for the lock from the queue and returns it; the caller
// makes it runnable. Returns kNoTask if no task waits.
inline TaskId release_lock(Machine& m, ChannelId c) {
    Channel& lock = m.channel(c);
    lock.tokens = 1;
    lock.owner = kNoTask;
    return dequeue_waiter(m, c);
}

// Removes p from any position in the queue of its channel. REQUIRES: p waits on a channel.
inline void remove_waiter(Machine& m, TaskId p) {
    Channel& channel = m.channel(m.task[p].waiting_on);
    TaskId before = kNoTask;
    for (TaskId q = channel.first; q != p; q = m.task[q].wait_next) before = q;
    (before == kNoTask ? channel.first : m.task[before].wait_next) = m.task[p].wait_next;
    if (channel.last == p) channel.last = before;
    m.task[p].wait_next = kNoTask;
}

}  // namespace sim
