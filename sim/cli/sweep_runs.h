// The simulations of `switchyard sweep`, side by side, with their progress on a terminal.
#pragma once

#include <string>

#include "sim/cli/sweep_report.h"
#include "sim/lab/curves.h"
#include "sim/lab/sweep_file.h"
#include "sim/lab/sweep_spec.h"

namespace sim::cli {

// Simulates the runs of a shard, by so many threads, and adds them to the results. With the path of a results
// file, it appends each run to it and goes on where it ends. Throws ScenarioError when the file does not fit.
void run_all(const lab::Sweep& sweep, const lab::Shard& shard, const std::string& results_file,
             unsigned threads, bool quiet, lab::Results& results);

// Simulates between the values of the axis until each crossing is known to the whole number. REQUIRES: the
// values of the axis are whole numbers; `crossings` are of that measure.
void refine_all(Crossings& crossings, const lab::Sweep& sweep, const lab::Measure& measure, unsigned threads);

}  // namespace sim::cli
