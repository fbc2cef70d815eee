// Selects scenarios that are short enough to run in a fuzz target.
#pragma once

#include <cstdint>

#include "sim/core/scenario.h"

inline bool is_small(const sim::Scenario& scenario) {
    constexpr std::uint32_t kMostTasks = 200;
    // Program steps without a duration are not events. A loop that contains only such steps is stopped as a
    // livelock, but only after millions of rounds, which is slow.
    constexpr std::uint64_t kMostRounds = 1'000;
    if (scenario.shape.tasks > kMostTasks + 1'000) return false;  // including rows for forked tasks
    std::uint64_t tasks = 0, rounds = 1;
    for (const sim::TaskGroup& group : scenario.groups) tasks += group.count;
    for (const sim::Step& step : scenario.steps) {
        if (step.count == sim::kForever || step.count <= 1) continue;
        rounds *= step.count;
        if (rounds > kMostRounds) return false;
    }
    return tasks <= kMostTasks;
}
