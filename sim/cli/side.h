// A policy and the machine whose prices it gets: what `--policy NAME[:option=value,...][@MACHINE]` says.
#pragma once

#include <string>
#include <vector>

#include "sim/cli/command.h"
#include "sim/explain/decision_view.h"
#include "sim/scenario/scenario_json.h"

namespace sim::cli {

struct Side {
    Scenario scenario;              // on that machine
    std::vector<std::string> sets;  // what of the file was changed for it, as POINTER=VALUE
    NamedPolicy policy;
    std::string spec;   // the policy as it was asked for
    std::string label;  // "nt4@pentium-mmx-200-nt"; without the machine where it is the scenario's
};

// A side for each of these; an empty one stands for the scenario's own policy. Says on standard error where a
// policy gets another system's prices. Throws ScenarioError, PolicyError, UsageError.
std::vector<Side> load_sides(const CommonOptions& options, const std::vector<std::string>& policies);
// The same for a scenario whose text was found before.
std::vector<Side> load_sides(const CommonOptions& options, const ScenarioText& text,
                             const std::vector<std::string>& policies);

// A decision under a side, for people: when, and why the task was chosen, indented.
std::string explained(const Side& side, const DecisionView& view);

}  // namespace sim::cli
