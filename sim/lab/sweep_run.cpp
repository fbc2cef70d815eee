#include "sim/lab/sweep_run.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "sim/lab/summary_json.h"

namespace sim::lab {

SweepRun::SweepRun(Scenario scenario, const std::string& policy, std::uint64_t run, bool latency)
    : run_(run),
      scenario_(std::move(scenario)),
      policy_(make_policy(policy, scenario_.cpus)),
      engine_(scenario_, *policy_.policy),
      machine_(engine_.initial_state()),
      statistics_(scenario_.shape) {
    if (latency) latencies_.emplace(scenario_, machine_);
}

SweepRun::SweepRun(const Sweep& sweep, std::uint64_t run)
    : SweepRun(sweep.scenario(run), sweep.spec().policies[sweep.spec().place(run).policy], run,
               sweep.spec().latency) {}

SweepRun::SweepRun(const Sweep& sweep, const std::vector<std::string>& values, std::size_t policy,
                   std::uint64_t seed)
    : SweepRun(sweep.scenario(values, seed), sweep.spec().policies[policy], 0, sweep.spec().latency) {}

bool SweepRun::advance(std::uint64_t decisions) {
    if (over_) return true;
    const std::uint64_t now = machine_.globals().decisions;
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    const Limits limits{.until = scenario_.until.value_or(kHorizon - 1ns),
                        .decisions = decisions > most - now ? most : now + decisions};
    reason_ = latencies_ ? follow(limits) : engine_.run(machine_, limits, {.statistics = &statistics_});
    engine_.check(machine_);
    over_ = reason_ != StopReason::decision_limit;
    return over_;
}

// The same with a trace, which is processed and discarded chunk by chunk.
StopReason SweepRun::follow(const Limits& limits) {
    constexpr std::uint64_t kPiece = 4096;  // events
    Trace trace;
    for (;;) {
        Limits piece = limits;
        piece.events = machine_.globals().events + kPiece;
        trace.records.clear();
        const StopReason reason = engine_.run(machine_, piece, {.statistics = &statistics_, .trace = &trace});
        for (const TraceRecord& record : trace.records) latencies_->follow(record);
        if (reason != StopReason::event_limit) return reason;
    }
}

double SweepRun::progress() const {
    if (over_) return 1;
    if (!scenario_.until) return 0;
    return static_cast<double>(machine_.globals().now.count()) /
           static_cast<double>(scenario_.until->count());
}

Row SweepRun::row() const {
    auto summary = row_json(summarize(scenario_, policy_.spec(), machine_, statistics_, reason_));
    if (latencies_) summary["latency"] = to_json(*latencies_, scenario_);
    return {run_, std::make_shared<const nlohmann::ordered_json>(std::move(summary))};
}

Row run_to_end(const Sweep& sweep, std::uint64_t run) {
    SweepRun one(sweep, run);
    one.advance(std::numeric_limits<std::uint64_t>::max());
    return one.row();
}

}  // namespace sim::lab
