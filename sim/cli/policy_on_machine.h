// A policy and the machine that sets its costs: `--policy NAME[:option=value,...][@MACHINE]`.
#pragma once

#include <string>
#include <vector>

#include "sim/cli/command.h"
#include "sim/explain/decision_view.h"
#include "sim/scenario/scenario_json.h"

namespace sim::cli {

struct PolicyOnMachine {
    Scenario scenario;              // the scenario on this machine
    std::vector<std::string> sets;  // settings of the scenario, including the machine, as POINTER=VALUE
    NamedPolicy policy;
    std::string spec;   // the policy as specified, without the machine
    std::string label;  // "nt4@pentium-mmx-200-nt"; without a machine if none was specified
};

// Loads the scenario once per policy; an empty policy means the scenario's own policy. Warns on standard
// error if a policy runs with the costs of another system. Throws ScenarioError, PolicyError, UsageError.
std::vector<PolicyOnMachine> load_policies_on_machines(const CommonOptions& options,
                                                       const std::vector<std::string>& policies);
// Like the function above, for a scenario whose text has been loaded.
std::vector<PolicyOnMachine> load_policies_on_machines(const CommonOptions& options, const ScenarioText& text,
                                                       const std::vector<std::string>& policies);

// A decision of a run as indented text: policy, time, and why the task was chosen.
std::string decision_text(const PolicyOnMachine& side, const DecisionView& view);

}  // namespace sim::cli
