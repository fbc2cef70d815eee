// One run of a sweep, executed in chunks, and the row with its result.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/lab/simulation.h"
#include "sim/lab/sweep_spec.h"

namespace sim::lab {

// The result of a run. sweep_row_json() produced the summary.
struct Row {
    std::uint64_t run = 0;
    // Null only until the first result is stored in this row.
    std::shared_ptr<const nlohmann::ordered_json> summary;
};

// A run that is executed in chunks, so that a window can draw between two chunks.
class SweepRun {
  public:
    // REQUIRES: run < sweep.spec().runs(). The sweep may be destroyed before this object.
    SweepRun(const Sweep& sweep, std::uint64_t run);
    // Creates a run that is not in the sweep. `values` contains one value per axis.
    SweepRun(const Sweep& sweep, const std::vector<std::string>& values, std::size_t policy,
             std::uint64_t seed);
    SweepRun(const SweepRun&) = delete;
    SweepRun& operator=(const SweepRun&) = delete;

    // Executes at most this number of further decisions. Returns true if the run is over; then further
    // calls have no effect.
    bool advance(std::uint64_t decisions);
    bool is_over() const { return over_; }
    // The share of the time limit that has been simulated, from 0 to 1; 1 if the run is over. Without a
    // time limit: 0 until the run is over.
    double progress() const;

    // REQUIRES: is_over().
    Row row() const;

  private:
    SweepRun(Scenario scenario, const std::string& policy, std::uint64_t run, bool latency);

    std::uint64_t run_;
    Simulation simulation_;
    bool over_ = false;
};

Row run_to_end(const Sweep& sweep, std::uint64_t run);

}  // namespace sim::lab
