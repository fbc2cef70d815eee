#include "sim/cli/tables/simulation.h"

#include <nlohmann/json.hpp>

#include "sim/core/summary.h"
#include "sim/scenario/scenario_json.h"

namespace sim::cli {

Simulation::Simulation(const std::string& name, const std::vector<std::string>& sets,
                       const std::string& policy)
    : scenario_(load_scenario(name, sets)),
      policy_(make_policy(policy.empty() ? scenario_.policy : policy, scenario_.cpus)),
      engine_(scenario_, *policy_.policy),
      machine_(engine_.initial_state()),
      statistics_(scenario_.shape) {}

void Simulation::run_until(Nanos until) {
    reason_ = engine_.run(machine_, {.until = until}, {.statistics = &statistics_});
}

void Simulation::run_to_end() { run_until(scenario_.until.value_or(kHorizon)); }

bool Simulation::run_to_decision() {
    const std::uint64_t next = machine_.globals().decisions + 1;
    reason_ = engine_.run(machine_, {.until = scenario_.until.value_or(kHorizon), .decisions = next},
                          {.statistics = &statistics_});
    return machine_.globals().decisions == next;
}

nlohmann::ordered_json Simulation::summary() const {
    return summarize(scenario_, policy_.spec(), machine_, statistics_, reason_);
}

}  // namespace sim::cli
