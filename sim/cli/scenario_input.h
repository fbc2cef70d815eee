// The text of the scenario that a command line names.
#pragma once

#include <string>

#include "sim/scenario/scenario_json.h"

namespace sim::cli {

// Like find_scenario(). Throws ScenarioError with the right command if the file or standard input is a trace
// or a workload of rt-app.
ScenarioText read_scenario(const std::string& path_or_name);

}  // namespace sim::cli
