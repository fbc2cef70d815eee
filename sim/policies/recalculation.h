// The recalculation of Linux 1.2 to 2.4: counter = counter / 2 + grant(priority), for every task, asleep or
// not.
#pragma once

#include "sim/core/machine.h"

namespace sim {

// Counts a recalculation, which visits every task, so that its cost is charged.
inline void count_recalculation(const Machine& m, Decision& decision) {
    ++decision.recalculations;
    decision.recalculated += m.globals().nr_tasks;
}

// Sets each counter to half of its value plus `Rules::grant(priority)`.
template <class Rules>
[[gnu::noinline]] void recalculate_all(Machine& m, DecisionLog* log) {
    const TaskId first = m.first_task(), end = m.globals().high_row;
    if (log != nullptr) {
        for (TaskId p = first; p < end; ++p) {
            if (!m.is_live(p)) continue;
            const std::int32_t after = (m.counter[p] >> 1) + Rules::grant(m.priority[p]);
            if (after != m.counter[p]) log->counter_changes.push_back({p, m.counter[p], after});
        }
    }
    // Rows without a task have priority 0. If grant(0) is 0, the loop also recalculates these rows, so that
    // the loop can be vectorized.
    std::int32_t* const counter = m.counter.data();
    const std::int32_t* const priority = m.priority.data();
    for (TaskId p = first; p < end; ++p)
        if (Rules::grant(0) == 0 || m.is_live(p)) counter[p] = (counter[p] >> 1) + Rules::grant(priority[p]);
}

}  // namespace sim
