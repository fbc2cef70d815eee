// The prices of a yield by least squares, from the cells of the 1997 table and the work that the simulations
// of those cells counted: to leave cells out, and to try what the shipped prices are not, one cache for both
// systems.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/cli/tables.h"
#include "sim/cli/tables/yield_cost.h"

namespace sim::cli {

// A cell of the table, what its simulation counted, and how many contexts it has.
struct YieldCell {
    double published = 0;  // us
    int contexts = 0;
    bool is_nt = false;
    YieldCost measured;
};

// All 36, in the order of the rows, each simulated with these changes of its machine, Linux's or NT's.
std::vector<YieldCell> yield_cells(const std::vector<std::string>& linux_changes = {},
                                   const std::vector<std::string>& nt_changes = {});

// What the fit to all of Linux's cells but the one says of it, for each; and of NT's.
std::vector<double> linux_left_out(std::span<const YieldCell> cells);
std::vector<double> nt_left_out(std::span<const YieldCell> cells);

// What the two systems have in common in a fit to all cells.
enum class Shared {
    nothing,     // Linux has no cache, NT one: as the machine files have it
    price,       // a line's refill costs both the same; how much a context uses of the cache is its own
    everything,  // a context uses as much of the cache under both, too
};

struct YieldFit {
    int numbers = 0;
    int linux_footprint = 0, nt_footprint = 0;                                         // bytes
    double call = 0, considered = 0, recalculated = 0, switch_same = 0, other_mm = 0;  // Linux, us
    double nt_call = 0, nt_other_mm = 0;                                               // with the switch, us
    double line = 0;                                                                   // us
    std::vector<double> says;                                                          // of each cell, us

    // The changes that make a machine file of it; of Linux's, or of NT's.
    std::vector<std::string> changes(bool nt) const;
};

YieldFit fit_yields(std::span<const YieldCell> cells, Shared shared);

// The cells of one system as the fit has them.
std::vector<Cell> fitted_cells(const YieldFit& fit, std::span<const YieldCell> cells, bool nt);

}  // namespace sim::cli
