// One run of a sweep, executed in chunks, and the row with its result.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "sim/core/engine.h"
#include "sim/core/summary.h"
#include "sim/lab/latencies.h"
#include "sim/lab/sweep_spec.h"

namespace sim::lab {

// The result of a run; the summary is from row_json().
struct Row {
    std::uint64_t run = 0;
    std::shared_ptr<const nlohmann::ordered_json> summary;  // null only before the first run
};

// A run that advances in chunks, so that a window can draw in between.
class SweepRun {
  public:
    // REQUIRES: run < sweep.spec().runs(). The sweep need not outlive this.
    SweepRun(const Sweep& sweep, std::uint64_t run);
    // A run that is not in the sweep, with these values, one per axis.
    SweepRun(const Sweep& sweep, const std::vector<std::string>& values, std::size_t policy,
             std::uint64_t seed);
    SweepRun(const SweepRun&) = delete;
    SweepRun& operator=(const SweepRun&) = delete;

    // Runs up to N more decisions. Returns true if the run is over; further calls have no effect.
    bool advance(std::uint64_t decisions);
    bool is_over() const { return over_; }
    // Simulated share of the requested time, from 0 to 1; 0 if the scenario has no time limit and is not
    // over.
    double progress() const;

    // REQUIRES: is_over().
    Row row() const;

  private:
    SweepRun(Scenario scenario, const std::string& policy, std::uint64_t run, bool latency);

    StopReason follow(const Limits& limits);

    std::uint64_t run_;
    Scenario scenario_;
    NamedPolicy policy_;
    Engine engine_;
    Machine machine_;
    Statistics statistics_;
    std::optional<Latencies> latencies_;
    StopReason reason_ = StopReason::until;
    bool over_ = false;
};

Row run_to_end(const Sweep& sweep, std::uint64_t run);

}  // namespace sim::lab
