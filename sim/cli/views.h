// The simulated machine as administrators' tools would show it: the same columns with the same meaning.
#pragma once

#include <string>
#include <vector>

#include "sim/engine.h"

namespace sim::cli {

std::vector<std::string> view_names();

// Runs the scenario and answers what the tool would have printed, one report every `interval` of simulated
// time. Throws UsageError when `interval` is no time.
std::string render_view(const std::string& view, const Scenario& scenario, const Policy& policy,
                        const Limits& limits, const std::string& interval);

}  // namespace sim::cli
