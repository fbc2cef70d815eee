// The simulations of `switchyard sweep`, in parallel, with progress on a terminal.
#pragma once

#include <string>

#include "sim/cli/sweep_report.h"
#include "sim/lab/curves.h"
#include "sim/lab/sweep_file.h"
#include "sim/lab/sweep_spec.h"

namespace sim::cli {

// Simulates the runs of a shard and adds them to `results`. If `results_file` is not empty, each run is
// appended to it, and runs that it already contains are not repeated. Throws ScenarioError if the file
// belongs to another sweep, is damaged, or is being written by another process.
void run_shard(const lab::Sweep& sweep, const lab::Shard& shard, const std::string& results_file,
               unsigned threads, bool quiet, lab::SweepResults& results);

// Simulates between the axis values until each crossover is known to a whole number. REQUIRES: axis values
// are whole numbers; `crossings` are those of `measure`.
void refine_crossings(CurveCrossings& crossings, const lab::Sweep& sweep, const lab::Measure& measure,
                      unsigned threads);

}  // namespace sim::cli
