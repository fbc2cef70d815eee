// Reads "tasks" of a scenario: the task groups and their programs. Computes the size of the machine state.
#pragma once

#include "sim/scenario/scenario_builder.h"

namespace sim {

// Reads the list of tasks into the draft. REQUIRES: "cpus", "machine" and the lists of channels have been
// read.
void read_tasks(ScenarioBuilder& draft, const JsonValue& tasks);

// Computes Scenario::shape, the sizes of the machine's tables (tasks, channels, address spaces). `max_tasks`
// is the value of "max_tasks", or null if it is absent. Problems with the number of tasks are reported at the
// value `tasks`.
void compute_machine_shape(ScenarioBuilder& draft, const JsonValue& tasks, const JsonValue* max_tasks);

}  // namespace sim
