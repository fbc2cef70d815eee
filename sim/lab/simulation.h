// A simulation of a scenario under a policy, with statistics. It runs up to a limit, and can then be
// continued up to a later limit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/core/engine.h"
#include "sim/core/policy.h"
#include "sim/core/scenario.h"
#include "sim/core/statistics.h"
#include "sim/core/summary.h"
#include "sim/lab/latencies.h"
#include "sim/lab/progress.h"
#include "sim/replay/overview.h"

namespace sim::lab {

class Simulation {
  public:
    Simulation(Scenario scenario, NamedPolicy policy);
    // If `policy` is empty, the scenario's own policy is used. Throws PolicyError.
    Simulation(Scenario scenario, const std::string& policy);
    // Simulates a built-in scenario with POINTER=VALUE changes. If `policy` is empty, the scenario's own
    // policy is used. REQUIRES: name, changes and policy are valid.
    explicit Simulation(const std::string& name, const std::vector<std::string>& sets = {},
                        const std::string& policy = {});
    // Starts to collect how long tasks wait for a CPU. REQUIRES: the run has not started.
    void collect_latencies() { latencies_.emplace(scenario_, machine_); }
    // Null unless collect_latencies() was called.
    const Latencies* latencies() const { return latencies_ ? &*latencies_ : nullptr; }
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    // Continues the run up to `limits`, and reports the progress of the run to `progress` unless `progress`
    // is null.
    StopReason run(const Limits& limits, ProgressDisplay* progress = nullptr);
    void run_until(Nanos until) { run({.until = until}); }
    // Continues the run up to the limits that the scenario specifies.
    void run_to_end(ProgressDisplay* progress = nullptr);
    // Continues the run up to the next decision. Returns false if the run ends before a decision.
    bool run_to_decision();

    const Scenario& scenario() const { return scenario_; }
    const Machine& machine() const { return machine_; }
    const Statistics& statistics() const { return statistics_; }
    Nanos now() const { return machine_.globals().now; }
    TimeParts time_parts() const { return elapsed_time_parts(scenario_, statistics_, machine_); }
    std::vector<TaskStatistics> tasks() const {
        return elapsed_task_statistics(scenario_, statistics_, machine_);
    }
    Sample sample() const { return sample_of(scenario_, statistics_, machine_); }
    Summary summary() const;

  private:
    Scenario scenario_;
    NamedPolicy policy_;
    Engine engine_;
    Machine machine_;
    Statistics statistics_;
    std::optional<Latencies> latencies_;
    StopReason reason_ = StopReason::until;
};

}  // namespace sim::lab
