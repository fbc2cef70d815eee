// The task that the search for the highest goodness would find, without the search.
//
// A goodness above 0 is a level, which is the same whoever looks, and a bonus, which depends on the CPU and
// on the address space there. So the rows of the index are looked at from the highest down, and no further
// than a bonus could reach; without bonuses that is the first task of the first row. Where nobody has
// anything left, the first on the queue with goodness 0 is the one: the walk to it passes only tasks that
// cannot be chosen.
#pragma once

#include "sim/core/machine.h"

namespace sim {

// What a search has found.
struct Found {
    std::int32_t goodness;
    TaskId next;
    std::uint32_t considered;  // tasks on the queue
};

inline constexpr std::int32_t kNobody = -1000;  // schedule()'s start value: idle unless someone is better

// The best on the queue headed by init_task, or `best` if nobody is better; of equals, the first.
// `weigh(p)` is p's goodness, kNobody if it cannot be chosen; of what it says, at most `most_bonus` is not
// p's level. prev, though not shown, can be chosen if it is queued. REQUIRES: the index is live.
template <bool smp, class Weigh>
Found look_up(const Machine& m, Found best, TaskId prev, std::int32_t most_bonus, Weigh weigh) {
    const ReadyIndex& ready = m.ready;
    best.considered += ready.queued();

    std::int32_t top = kNobody;
    TaskId next = kNoTask;
    const auto consider = [&](TaskId p, std::int32_t weight) {
        if (weight < top || weight == kNobody) return;
        if (weight == top && ready.place(p) > ready.place(next)) return;
        top = weight;
        next = p;
    };
    std::int32_t level = ready.highest();
    if (!smp && most_bonus == 0 && level != ReadyIndex::kRealTime) [[likely]] {
        // On one CPU everybody on the queue can be chosen.
        if (level != ReadyIndex::kNoLevel) consider(ready.first(level), level);
    } else {
        if (level == ReadyIndex::kRealTime) {
            for (TaskId p = ready.first(level); p != kNoTask; p = ready.first(level, ready.place(p) + 1))
                consider(p, weigh(p));
            level = ready.highest(level);
        }
        for (; level != ReadyIndex::kNoLevel && level + most_bonus >= top; level = ready.highest(level)) {
            for (TaskId p = ready.first(level); p != kNoTask; p = ready.first(level, ready.place(p) + 1)) {
                const std::int32_t weight = weigh(p);
                consider(p, weight);
                if (weight == level + most_bonus) break;  // nobody behind it in this row can be better
            }
        }
    }
    if (ready.is_queued(prev)) consider(prev, weigh(prev));
    if (top > 0) [[likely]] {
        if (top > best.goodness) {
            best.goodness = top;
            best.next = next;
        }
        return best;
    }
    for (TaskId p = m.next_run[0]; p != 0 && best.goodness < 0; p = m.next_run[p]) {
        const std::int32_t weight = weigh(p);
        if (weight <= best.goodness) continue;
        best.goodness = weight;
        best.next = p;
    }
    return best;
}

}  // namespace sim
