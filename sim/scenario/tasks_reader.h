// Reads "tasks" of a scenario: the task groups, their programs, and the space they need.
#pragma once

#include "sim/scenario/scenario_builder.h"

namespace sim {

// Reads the list of tasks into the draft. REQUIRES: CPUs, machine and listed channels are known.
void read_tasks(ScenarioBuilder& draft, const JsonValue& tasks);

// Computes Scenario::shape for the tasks read. `max_tasks`: the scenario's value, or null. `tasks`: the value
// to which problems with the number of tasks are attributed.
void read_shape(ScenarioBuilder& draft, const JsonValue& tasks, const JsonValue* max_tasks);

}  // namespace sim
