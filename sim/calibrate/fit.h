// Computes the costs of a machine from measured cells.
//
// Costs that one measurement isolates are taken from it (system call, pipe, page). The others are fitted
// together, by least squares, to all cells with context switches. The work in each cell is counted by
// simulating it under the kernel's policy. Errors are relative to the whole measured time; for a ring, to
// the time of the whole pass. In a ring, a switch is a small difference of two passes, and a difference near
// 0 must not dominate. Finally, the costs of fork() and of a thread get the remaining time of their cells.
#pragma once

#include <optional>
#include <vector>

#include "sim/calibrate/cost_list.h"
#include "sim/calibrate/noise.h"

namespace sim::calibrate {

// A cell compared with its simulation on the fitted machine.
struct Residual {
    double measured = 0;                        // ns; in a ring: minus a pass of one context alone
    double alone = 0;                           // ns of that pass; 0 in other cells
    std::optional<double> simulated, switches;  // absent: not simulated
    bool fitted = false;                        // whether costs were fitted to this cell

    // Error of the simulated time relative to the measured time.
    double error() const { return simulated ? (*simulated - measured) / (measured + alone) : 0; }
};

struct Fit {
    CostList list;
    std::vector<Residual> residuals;  // in the order of cells()
    double rms = 0, worst = 0;        // errors of the fitted cells
};

// REQUIRES: `values` has all cells.
Fit fit_machine(const std::vector<CellValues>& values, const Facts& facts);

}  // namespace sim::calibrate
