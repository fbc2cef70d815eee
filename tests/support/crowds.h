// How closely tests look at scenarios with many tasks.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/core/scenario.h"

namespace sim {

// `looks`, or fewer at a crowd: each look goes over all of its tasks.
inline std::uint64_t fewer_at_crowds(std::uint64_t looks, const Scenario& scenario) {
    const std::uint64_t crowds = std::max<std::uint64_t>(scenario.shape.tasks / 100, 1);
    return std::max<std::uint64_t>(looks / crowds, std::min<std::uint64_t>(looks, 20));
}

}  // namespace sim
