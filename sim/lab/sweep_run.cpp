#include "sim/lab/sweep_run.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "sim/lab/summary_json.h"

namespace sim::lab {

SweepRun::SweepRun(Scenario scenario, const std::string& policy, std::uint64_t run)
    : run_(run),
      scenario_(std::move(scenario)),
      policy_(make_policy(policy, scenario_.cpus)),
      engine_(scenario_, *policy_.policy),
      machine_(engine_.initial_state()),
      statistics_(scenario_.shape) {}

SweepRun::SweepRun(const Sweep& sweep, std::uint64_t run)
    : SweepRun(sweep.scenario(run), sweep.spec().policies[sweep.spec().place(run).policy], run) {}

SweepRun::SweepRun(const Sweep& sweep, const std::vector<std::string>& values, std::size_t policy,
                   std::uint64_t seed)
    : SweepRun(sweep.scenario(values, seed), sweep.spec().policies[policy], 0) {}

bool SweepRun::advance(std::uint64_t decisions) {
    if (over_) return true;
    const std::uint64_t now = machine_.globals().decisions;
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    const Limits limits{.until = scenario_.until.value_or(kHorizon - 1ns),
                        .decisions = decisions > most - now ? most : now + decisions};
    reason_ = engine_.run(machine_, limits, {.statistics = &statistics_});
    engine_.check(machine_);
    over_ = reason_ != StopReason::decision_limit;
    return over_;
}

double SweepRun::progress() const {
    if (over_) return 1;
    if (!scenario_.until) return 0;
    return static_cast<double>(machine_.globals().now.count()) /
           static_cast<double>(scenario_.until->count());
}

Row SweepRun::row() const {
    return {run_, std::make_shared<const nlohmann::ordered_json>(
                      row_json(summarize(scenario_, policy_.spec(), machine_, statistics_, reason_)))};
}

Row run_to_end(const Sweep& sweep, std::uint64_t run) {
    SweepRun one(sweep, run);
    one.advance(std::numeric_limits<std::uint64_t>::max());
    return one.row();
}

}  // namespace sim::lab
