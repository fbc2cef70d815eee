// Scenarios that are run by fuzz targets: those of which a run is over soon.
#pragma once

#include <cstdint>

#include "sim/core/scenario.h"

inline bool is_small(const sim::Scenario& scenario) {
    constexpr std::uint32_t kMostTasks = 200;
    // A step without time is no event: a loop of them ends as a livelock after millions, which is right and
    // slow.
    constexpr std::uint64_t kMostRounds = 1'000;
    if (scenario.shape.tasks > kMostTasks + 1'000) return false;  // the rows for forks included
    std::uint64_t tasks = 0, rounds = 1;
    for (const sim::TaskGroup& group : scenario.groups) tasks += group.count;
    for (const sim::Step& step : scenario.steps) {
        if (step.count == sim::kForever || step.count <= 1) continue;
        rounds *= step.count;
        if (rounds > kMostRounds) return false;
    }
    return tasks <= kMostTasks;
}
