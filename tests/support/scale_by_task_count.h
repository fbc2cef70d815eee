// Limits the number of checks in scenarios with many tasks.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/core/scenario.h"

namespace sim {

// Returns the number of checks of a run: `checks`, or fewer in scenarios with hundreds of tasks, because
// each check visits all tasks.
inline std::uint64_t scale_by_task_count(std::uint64_t checks, const Scenario& scenario) {
    const std::uint64_t hundreds = std::max<std::uint64_t>(scenario.shape.tasks / 100, 1);
    return std::max<std::uint64_t>(checks / hundreds, std::min<std::uint64_t>(checks, 20));
}

}  // namespace sim
