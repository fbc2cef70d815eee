// What sleepers are owed while the index of the ready tasks lives: the refills that they have slept through.
//
// A refill makes counter = counter / 2 + grant(priority) of every task there is, asleep or not. Through the
// index it is done at once to those on the queue only (ready_index.h); a sleeper gets its own when it wakes,
// and at the latest when the index goes. A counter settles after a few refills, at 2 * grant or one less, so
// how many a task has slept through hardly matters.
#pragma once

#include "sim/core/machine.h"

namespace sim {

// A counter after so many refills.
inline std::int32_t refilled(std::int32_t counter, std::int32_t grant, std::uint64_t times) {
    for (; times > 0; --times) {
        const std::int32_t after = (counter >> 1) + grant;
        if (after == counter) break;
        counter = after;
    }
    return counter;
}

// p gets what it is owed. REQUIRES: the index is live, and p is not on the queue.
inline void give_missed_refills(Machine& m, TaskId p) {
    if (const std::uint64_t missed = m.ready.take_missed_refills(p); missed != 0)
        m.counter[p] = refilled(m.counter[p], m.ready.grant(m.priority[p]), missed);
}

// Everybody does. REQUIRES: the index is live.
inline void give_all_missed_refills(Machine& m) {
    for (TaskId p = m.first_task(); p < m.globals().high_row; ++p)
        if (m.is_live(p) && !m.ready.is_queued(p)) give_missed_refills(m, p);
}

}  // namespace sim
