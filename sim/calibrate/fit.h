// Computes the costs of a machine from measured cells.
//
// Costs that one measurement isolates are taken from it (system call, pipe, page). The other costs are
// fitted together, by least squares, to all cells with context switches. The work in each cell is counted
// by simulating it under the kernel's policy. Errors are relative to the whole measured time; for a ring,
// to the time of the whole pass. The time of a switch in a ring is a small difference between two passes.
// So errors relative to this difference would dominate the fit. Finally, the costs of fork() and of a
// thread are set to the remaining time of their cells.
#pragma once

#include <optional>
#include <vector>

#include "sim/calibrate/cost_list.h"
#include "sim/calibrate/noise.h"

namespace sim::calibrate {

// A measured cell, and the value simulated for it on the machine with the fitted costs.
struct Residual {
    double measured = 0;                        // ns; for a ring, without `alone`
    double alone = 0;                           // for a ring, ns of a pass of one context alone; otherwise 0
    std::optional<double> simulated, switches;  // nullopt: the cell is not simulated
    bool fitted = false;                        // true: costs were fitted to this cell

    // Error of the simulated time relative to the measured time.
    double error() const { return simulated ? (*simulated - measured) / (measured + alone) : 0; }
};

struct Fit {
    CostList list;
    std::vector<Residual> residuals;  // in the order of cells()
    double rms = 0, worst = 0;        // errors of the fitted cells: root mean square, maximum
};

// REQUIRES: `values` has all cells.
Fit fit_machine(const std::vector<CellValues>& values, const MachineFacts& facts);

}  // namespace sim::calibrate
