// What all tasks of a run have used together, those included that are gone.
#pragma once

#include "sim/core/machine.h"
#include "sim/core/scenario.h"
#include "sim/core/statistics.h"

namespace sim::cli {

// Added up over the tasks. What the idle tasks spend in schedule() is nobody's, and so are interrupts.
struct TaskTimes {
    Nanos user{}, system{};
};

// REQUIRES: `statistics` watched the whole run of `m`.
TaskTimes times_of_all_tasks(const Scenario& scenario, const Statistics& statistics, const Machine& m);

}  // namespace sim::cli
