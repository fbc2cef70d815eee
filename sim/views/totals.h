// Total times of all tasks of a run, including exited ones.
#pragma once

#include "sim/core/machine.h"
#include "sim/core/scenario.h"
#include "sim/core/statistics.h"

namespace sim::views {

// Times without interrupts and without schedule() in idle tasks.
struct TaskTimes {
    Nanos user{}, system{};
};

// REQUIRES: `statistics` covers the whole run of `m`.
TaskTimes times_of_all_tasks(const Scenario& scenario, const Statistics& statistics, const Machine& m);

}  // namespace sim::views
