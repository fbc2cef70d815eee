// Computes the costs of a machine from measured benchmarks.
//
// If one measurement isolates a cost (system call, pipe, page), the cost is taken from this measurement. The
// other costs are fitted together, by least squares, to all benchmarks with context switches. The work in
// each benchmark is counted by simulating the benchmark under the kernel's policy. Errors are relative to the
// whole measured time; for a ring, to the time of the whole pass. The time of a switch in a ring is a small
// difference between two passes, so errors relative to this difference would dominate the fit. Finally, the
// costs of fork() and of a thread are set to the remaining time of their benchmarks.
#pragma once

#include <optional>
#include <vector>

#include "sim/calibrate/cost_list.h"
#include "sim/calibrate/noise.h"

namespace sim::calibrate {

// A measured benchmark, and the value simulated for it on the machine with the fitted costs.
struct Residual {
    double measured = 0;  // measured time in ns; for a ring, minus `alone`
    double alone = 0;     // for a ring, measured time of a pass of one context alone, in ns; otherwise 0
    // Time in ns and switches in the simulation; nullopt: not simulated.
    std::optional<double> simulated, switches;
    bool fitted = false;  // true: costs were fitted to this benchmark

    // Error of the simulated time relative to the measured time.
    double relative_error() const { return simulated ? (*simulated - measured) / (measured + alone) : 0; }
};

struct CostFit {
    CostList list;
    std::vector<Residual> residuals;  // in the order of benchmarks()
    double rms = 0, worst = 0;        // errors of the fitted benchmarks: root mean square, maximum
};

// REQUIRES: `values` has all benchmarks.
CostFit fit_machine(const std::vector<BenchmarkSummary>& values, const MachineFacts& facts);

}  // namespace sim::calibrate
