// A policy and the machine that sets its costs: `--policy NAME[:option=value,...][@MACHINE]`.
#pragma once

#include <string>
#include <vector>

#include "sim/cli/command.h"
#include "sim/explain/decision_view.h"
#include "sim/scenario/scenario_json.h"

namespace sim::cli {

struct PolicyOnMachine {
    Scenario scenario;              // the scenario with that machine
    std::vector<std::string> sets;  // changes to the scenario for that machine, as POINTER=VALUE
    NamedPolicy policy;
    std::string spec;   // the policy as specified, without the machine
    std::string label;  // "nt4@pentium-mmx-200-nt"; without a machine if none was specified
};

// Loads one side per policy; an empty policy means the scenario's own. Warns on standard error if a policy
// runs with the costs of another system. Throws ScenarioError, PolicyError, UsageError.
std::vector<PolicyOnMachine> load_sides(const CommonOptions& options,
                                        const std::vector<std::string>& policies);
// Like the function above, for a scenario whose text has been loaded.
std::vector<PolicyOnMachine> load_sides(const CommonOptions& options, const ScenarioText& text,
                                        const std::vector<std::string>& policies);

// The decision as indented text: its time, and why the task was chosen.
std::string decision_text(const PolicyOnMachine& side, const DecisionView& view);

}  // namespace sim::cli
