// A shipped scenario, simulated for a table: with changes, under another policy, up to an instant.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/core/engine.h"
#include "sim/core/policy.h"
#include "sim/core/scenario.h"
#include "sim/core/statistics.h"
#include "sim/replay/overview.h"

namespace sim::cli {

class Simulation {
  public:
    // `sets` are POINTER=VALUE changes; without a policy, the scenario's own. REQUIRES: all of it is valid.
    explicit Simulation(const std::string& name, const std::vector<std::string>& sets = {},
                        const std::string& policy = {});
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    // To this instant, or to the end that the scenario asks for.
    void run_until(Nanos until);
    void run_to_end();
    // To the next decision; answers whether there was one.
    bool run_to_decision();

    const Scenario& scenario() const { return scenario_; }
    const Machine& machine() const { return machine_; }
    const Statistics& statistics() const { return statistics_; }
    double seconds() const { return static_cast<double>(machine_.globals().now.count()) / 1e9; }
    Sample sample() const { return sample_of(scenario_, statistics_, machine_); }
    nlohmann::ordered_json summary() const;

  private:
    Scenario scenario_;
    NamedPolicy policy_;
    Engine engine_;
    Machine machine_;
    Statistics statistics_;
    StopReason reason_ = StopReason::until;
};

}  // namespace sim::cli
