// From measured cells to the prices of a machine.
//
// What one measurement shows alone is taken from it (a system call, a pipe, a page). The rest are fitted
// together, by least squares, to all cells in which contexts are switched: what each cell is made of is
// counted in its simulation, under the policy that stands for the kernel. An error counts as a share of all
// that was timed, in a ring of the whole pass: a switch is the small difference of two passes there, and a
// difference near 0 must not outweigh all other cells. Last, fork() and a thread get what scheduling leaves
// of them.
#pragma once

#include <optional>
#include <vector>

#include "sim/calibrate/noise.h"
#include "sim/calibrate/price_list.h"

namespace sim::calibrate {

// A cell beside its simulation on the fitted machine.
struct Residual {
    double measured = 0;                        // ns; of a ring's cell, less a pass of one context alone
    double alone = 0;                           // ns; of a ring's cell, that pass
    std::optional<double> simulated, switches;  // none: the cell is not simulated
    bool fitted = false;                        // it is one of those that prices were fitted to

    // As a share of what was timed.
    double error() const { return simulated ? (*simulated - measured) / (measured + alone) : 0; }
};

struct Fit {
    PriceList list;
    std::vector<Residual> residuals;  // as in cells()
    double rms = 0, worst = 0;        // of the errors of the cells that were fitted to
};

// REQUIRES: figures of all cells.
Fit fit_machine(const std::vector<CellFigures>& figures, const Facts& facts);

}  // namespace sim::calibrate
