#include "sim/lab/sweep_run.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "sim/lab/follow_run.h"
#include "sim/lab/summary_json.h"

namespace sim::lab {

SweepRun::SweepRun(Scenario scenario, const std::string& policy, std::uint64_t run, bool latency)
    : run_(run), simulation_(std::move(scenario), policy) {
    if (latency) simulation_.collect_latencies();
}

SweepRun::SweepRun(const Sweep& sweep, std::uint64_t run)
    : SweepRun(sweep.scenario(run), sweep.spec().policies[sweep.spec().coordinates(run).policy], run,
               sweep.spec().latency) {}

SweepRun::SweepRun(const Sweep& sweep, const std::vector<std::string>& values, std::size_t policy,
                   std::uint64_t seed)
    : SweepRun(sweep.scenario(values, seed), sweep.spec().policies[policy], 0, sweep.spec().latency) {}

bool SweepRun::advance(std::uint64_t decisions) {
    if (over_) return true;
    const std::uint64_t now = simulation_.machine().globals().decisions;
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    Limits limits = limits_of(simulation_.scenario());
    limits.decisions = decisions > most - now ? most : now + decisions;
    over_ = simulation_.run(limits) != StopReason::decision_limit;
    return over_;
}

double SweepRun::progress() const {
    if (over_) return 1;
    const std::optional<Nanos>& until = simulation_.scenario().until;
    if (!until) return 0;
    return static_cast<double>(simulation_.now().count()) / static_cast<double>(until->count());
}

Row SweepRun::row() const {
    auto summary = sweep_row_json(simulation_.summary());
    if (simulation_.latencies() != nullptr)
        summary["latency"] = to_json(*simulation_.latencies(), simulation_.scenario(), simulation_.now());
    return {run_, std::make_shared<const nlohmann::ordered_json>(std::move(summary))};
}

Row run_to_end(const Sweep& sweep, std::uint64_t run) {
    SweepRun one(sweep, run);
    one.advance(std::numeric_limits<std::uint64_t>::max());
    return one.row();
}

}  // namespace sim::lab
