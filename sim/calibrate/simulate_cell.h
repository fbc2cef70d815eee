// A cell as a scenario, on a machine with these prices: what its operation takes there, and what work it is.
#pragma once

#include <string>
#include <vector>

#include "sim/calibrate/cells.h"
#include "sim/calibrate/price_list.h"

namespace sim::calibrate {

struct CellRun {
    double ns = 0;             // of one operation
    double switches = 0;       // for each
    std::vector<double> work;  // for each, so much of what each price is for: by PriceOf
};

// `sum_ns` is what summing the cell's array takes, which is user time. REQUIRES: is_simulated(cell).
CellRun simulate_cell(const CellSpec& cell, const PriceList& list, const Facts& facts, double sum_ns);

// False for a fork() with memory: the price of a page follows from two measurements, not from a simulation.
bool is_simulated(const CellSpec& cell);

}  // namespace sim::calibrate
