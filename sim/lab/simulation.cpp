#include "sim/lab/simulation.h"

#include "sim/lab/follow_run.h"
#include "sim/scenario/scenario_json.h"

namespace sim::lab {
namespace {

NamedPolicy policy_for(const Scenario& scenario, const std::string& policy) {
    return make_policy(policy.empty() ? scenario.policy : policy, scenario.cpus);
}

}  // namespace

Simulation::Simulation(Scenario scenario, NamedPolicy policy)
    : scenario_(std::move(scenario)),
      policy_(std::move(policy)),
      engine_(scenario_, *policy_.policy),
      machine_(engine_.initial_state()),
      statistics_(scenario_.shape) {}

Simulation::Simulation(Scenario scenario, const std::string& policy)
    : scenario_(std::move(scenario)),
      policy_(policy_for(scenario_, policy)),
      engine_(scenario_, *policy_.policy),
      machine_(engine_.initial_state()),
      statistics_(scenario_.shape) {}

Simulation::Simulation(const std::string& name, const std::vector<std::string>& sets,
                       const std::string& policy)
    : Simulation(load_scenario(name, sets), policy) {}

StopReason Simulation::run(const Limits& limits, ProgressDisplay* progress) {
    if (!latencies_) {
        reason_ = run_with_progress(engine_, machine_, limits, {.statistics = &statistics_}, progress);
        return reason_;
    }
    RunProgressReporter reported(progress, machine_, limits);
    reason_ = run_and_visit_records(
        engine_, machine_, limits, reported, [&](const TraceRecord& r) { latencies_->add_record(r); },
        &statistics_);
    return reason_;
}

void Simulation::run_to_end(ProgressDisplay* progress) { run(limits_of(scenario_), progress); }

bool Simulation::run_to_decision() {
    Limits limits = limits_of(scenario_);
    limits.decisions = machine_.globals().decisions + 1;
    run(limits);
    return machine_.globals().decisions == limits.decisions;
}

Summary Simulation::summary() const {
    return summarize(scenario_, policy_.spec(), machine_, statistics_, reason_);
}

}  // namespace sim::lab
