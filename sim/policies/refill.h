// The refill of counters, counter = counter / 2 + grant(priority) for every task there is, when it is not
// done to all of them at once (ready_index.h): at once to those on the queue, and to a sleeper when it wakes.
//
// A sleeper's counter settles after a few refills, at 2 * grant or one less, so how many it has slept through
// hardly matters. `grant` is the policy's function of the priority.
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

// p, which is not on the queue, gets the refills that it has slept through. REQUIRES: the index is live.
template <class Grant>
void catch_up(Machine& m, TaskId p, Grant grant) {
    if (const std::uint64_t missed = m.ready.take_missed_refills(p); missed != 0)
        m.counter[p] = refilled(m.counter[p], grant(m.priority[p]), missed);
}

// Everybody gets what they have slept through. REQUIRES: the index is live.
template <class Grant>
void catch_up_all(Machine& m, Grant grant) {
    for (TaskId p = m.first_task(); p < m.globals().high_row; ++p)
        if (m.is_live(p) && !m.ready.is_queued(p)) catch_up(m, p, grant);
}

// The index is not worth its while any more: the policy walks again. REQUIRES: the index is live.
template <class Grant>
[[gnu::noinline]] void drop_index(Machine& m, Grant grant) {
    catch_up_all(m, grant);
    m.ready.drop();
}

// A refill: of the tasks on the queue now, of the others when they are looked at. Then all rows of the index
// are made anew, by show(p): the level of a task, or ReadyIndex::kNoLevel. REQUIRES: the index is live.
//
// The walk over the queue is paid for: with one CPU, each of its tasks has used up a slice since the last
// refill, or given it away, or joined. (Not so where affinities let a refill come while others still have
// theirs.)
template <class Grant, class Show>
void refill_queued(Machine& m, Grant grant, Show show) {
    m.ready.count_refill();
    m.ready.show_all([&](TaskId p) {
        m.counter[p] = (m.counter[p] >> 1) + grant(m.priority[p]);
        return show(p);
    });
}

}  // namespace sim
