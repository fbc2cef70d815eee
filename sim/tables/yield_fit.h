// Fits the costs of a yield by least squares to the published values of the 1997 table. The amounts of work
// come from simulations of its cells. The fits can leave cells out, or use one cache for both systems; the
// costs in the machine files come from neither kind of fit.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/tables/tables.h"
#include "sim/tables/yield_cost.h"

namespace sim::tables {

// A cell of the table and the counts of its simulation.
struct YieldCell {
    double published = 0;  // us
    int contexts = 0;
    bool is_nt = false;
    YieldCost measured;
};

// All 36 cells in the order of the rows, each simulated with the changes for its system (POINTER=VALUE).
std::vector<YieldCell> yield_cells(const std::vector<std::string>& linux_changes = {},
                                   const std::vector<std::string>& nt_changes = {});

// The cells that a fit leaves out when it predicts one cell.
enum class LeftOutCells {
    cell,    // only the predicted cell
    column,  // all cells with the same number of contexts
};

// For each cell, the value predicted by a fit to other cells of the same system, Linux or NT. `which`: the
// cells that this fit leaves out. REQUIRES: all cells are of the function's system.
std::vector<double> linux_cross_validated_values(std::span<const YieldCell> cells, LeftOutCells which);
std::vector<double> nt_cross_validated_values(std::span<const YieldCell> cells, LeftOutCells which);

// Costs of a yield on Linux, in us.
struct LinuxCosts {
    double call = 0, considered = 0, recalculated = 0, switch_same = 0, other_mm = 0;
    // The settings (POINTER=VALUE) that give a machine these costs.
    std::vector<std::string> machine_settings() const;
};

// Fits the costs to cells in which every yield switches. Such cells do not separate `call` from
// `switch_same`, so `call` is set to 0.
LinuxCosts fit_costs_to_switching_yields(std::span<const YieldCell> cells);

// The fitted numbers that Linux and NT have in common in a fit to all cells.
enum class SharedFittedNumbers {
    nothing,     // Linux has no cache, NT has one, as in the machine files
    cost,        // the cost of refilling a line; each system has its own footprint
    everything,  // the cost of refilling a line and the footprint
};

struct YieldFit {
    int numbers = 0;
    int linux_footprint = 0, nt_footprint = 0;  // bytes
    LinuxCosts of_linux;
    double nt_call = 0, nt_other_mm = 0;  // us; nt_call includes the switch
    double line = 0;                      // us
    std::vector<double> says;             // fitted value of each cell, us

    // The settings (POINTER=VALUE) that give the machine of NT or of Linux the costs and cache of this fit.
    std::vector<std::string> machine_settings(bool nt) const;
};

YieldFit fit_yields(std::span<const YieldCell> cells, SharedFittedNumbers shared);

// The cells of NT or of Linux, with the values of the fit as simulated values.
std::vector<Cell> fitted_cells(const YieldFit& fit, std::span<const YieldCell> cells, bool nt);

}  // namespace sim::tables
