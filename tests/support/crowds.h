// Limits the number of checks in scenarios with many tasks.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/core/scenario.h"

namespace sim {

// Scales down `looks` in scenarios with hundreds of tasks, because each check visits all tasks.
inline std::uint64_t scale_by_task_count(std::uint64_t looks, const Scenario& scenario) {
    const std::uint64_t crowds = std::max<std::uint64_t>(scenario.shape.tasks / 100, 1);
    return std::max<std::uint64_t>(looks / crowds, std::min<std::uint64_t>(looks, 20));
}

}  // namespace sim
