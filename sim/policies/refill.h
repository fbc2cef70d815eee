// The recalculation of Linux 1.2 to 2.4: counter = counter / 2 + what the priority grants, for every task
// there is, asleep or not.
#pragma once

#include "sim/core/machine.h"

namespace sim {

// What a recalculation is charged: every task.
inline void count_recalculation(const Machine& m, Decision& decision) {
    ++decision.recalcs;
    decision.recalculated += m.globals().nr_tasks;
}

// Refills the counter of every task. `Rules::grant(priority)` is what is added to half of what is left.
template <class Rules>
[[gnu::noinline]] void refill_all(Machine& m, DecisionLog* log) {
    const TaskId first = m.first_task(), end = m.globals().high_row;
    if (log != nullptr) {
        for (TaskId p = first; p < end; ++p) {
            if (!m.is_live(p)) continue;
            const std::int32_t after = (m.counter[p] >> 1) + Rules::grant(m.priority[p]);
            if (after != m.counter[p]) log->refills.push_back({p, m.counter[p], after});
        }
    }
    // A free row has priority 0. Where that grants nothing, free rows are refilled with the rest, and the
    // loop stays one of vectors.
    std::int32_t* const counter = m.counter.data();
    const std::int32_t* const priority = m.priority.data();
    for (TaskId p = first; p < end; ++p)
        if (Rules::grant(0) == 0 || m.is_live(p)) counter[p] = (counter[p] >> 1) + Rules::grant(priority[p]);
}

}  // namespace sim
