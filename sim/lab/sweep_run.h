// One run of a sweep, in slices, and the row that comes of it.
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

// What is kept of a run: its number and its summary as JSON, without what grows with the number of tasks
// (tasks, waits, the histogram of the run queue) and what the number says already (scenario, policy, seed).
struct Row {
    std::uint64_t run = 0;
    std::shared_ptr<const nlohmann::ordered_json> summary;  // null only before there is a run
};

// A run that its owner lets go on for a while, so that a window can draw meanwhile.
class SweepRun {
  public:
    // REQUIRES: run < sweep.spec().runs(). The sweep may go.
    SweepRun(const Sweep& sweep, std::uint64_t run);
    // A run beside the numbered ones: with these values, one for each axis.
    SweepRun(const Sweep& sweep, const std::vector<std::string>& values, std::size_t policy,
             std::uint64_t seed);
    SweepRun(const SweepRun&) = delete;
    SweepRun& operator=(const SweepRun&) = delete;

    // Goes on for so many decisions. Returns whether the run is over; then nothing happens any more.
    bool advance(std::uint64_t decisions);
    bool is_over() const { return over_; }
    // How much of the time asked for is simulated, from 0 to 1; 0 when there is no such time.
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

// The run from beginning to end.
Row run_to_end(const Sweep& sweep, std::uint64_t run);

}  // namespace sim::lab
