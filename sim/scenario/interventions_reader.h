// Reads the member "interventions" of a scenario: changes of tasks at specified times.
#pragma once

#include "sim/scenario/scenario_builder.h"

namespace sim {

// Adds the interventions to the scenario, ordered by time. REQUIRES: read_tasks() has been called, and
// compute_machine_shape() has not been called.
void read_interventions(ScenarioBuilder& draft, const JsonValue& list);

}  // namespace sim
