// "tasks" of a scenario: the entries, their programs, and the room that they need.
#pragma once

#include "sim/scenario/draft.h"

namespace sim {

// Reads the list of tasks into the draft. REQUIRES: its CPUs, its machine and the channels that the scenario
// lists are known.
void read_tasks(Draft& draft, const JsonValue& tasks);

// Works out what a machine needs for the tasks that were read: Scenario::shape. `max_tasks` is what the
// scenario says about it, or null; `tasks` is where problems with their number are.
void read_shape(Draft& draft, const JsonValue& tasks, const JsonValue* max_tasks);

}  // namespace sim
