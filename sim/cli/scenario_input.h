// The text of the scenario that a command line names.
#pragma once

#include <string>

#include "sim/scenario/scenario_json.h"

namespace sim::cli {

// Like find_scenario(). If the file or standard input is a trace or a workload of rt-app, throws a
// ScenarioError that states which command to use instead.
ScenarioText read_scenario(const std::string& path_or_name);

}  // namespace sim::cli
