// Recalculations that sleeping tasks have missed while the index of ready tasks exists.
//
// A recalculation sets counter = counter / 2 + grant(priority) for every task, asleep or not. With the index,
// only queued tasks are updated at once (ready_index.h); a sleeper is updated when it wakes or the index is
// closed. The counter converges after a few recalculations, at 2 * grant or one less, so applying many
// recalculations is as cheap as applying few.
#pragma once

#include "sim/core/machine.h"

namespace sim {

// The counter after `times` recalculations.
inline std::int32_t counter_after_recalculations(std::int32_t counter, std::int32_t grant,
                                                 std::uint64_t times) {
    for (; times > 0; --times) {
        const std::int32_t after = (counter >> 1) + grant;
        if (after == counter) break;
        counter = after;
    }
    return counter;
}

// Applies the recalculations that p has missed. REQUIRES: the index is live, and p is not queued.
inline void apply_missed_recalculations(Machine& m, TaskId p) {
    if (const std::uint64_t missed = m.ready.take_missed_recalculations(p); missed != 0)
        m.counter[p] =
            counter_after_recalculations(m.counter[p], m.ready.granted_ticks(m.priority[p]), missed);
}

// Applies the missed recalculations of all tasks that are not queued. REQUIRES: the index is live.
inline void apply_all_missed_recalculations(Machine& m) {
    for (TaskId p = m.first_task(); p < m.globals().high_row; ++p)
        if (m.is_live(p) && !m.ready.is_queued(p)) apply_missed_recalculations(m, p);
}

}  // namespace sim
