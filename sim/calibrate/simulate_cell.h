// Simulates a cell on a machine with these costs: time and amounts of work per operation.
#pragma once

#include <string>
#include <vector>

#include "sim/calibrate/cells.h"
#include "sim/calibrate/cost_list.h"

namespace sim::calibrate {

struct CellRun {
    double ns = 0;             // per operation
    double switches = 0;       // per operation
    std::vector<double> work;  // units of work per operation, by CalibratedCost
};

// `sum_ns`: user time to sum the cell's array. REQUIRES: is_simulated(cell).
CellRun simulate_cell(const CellSpec& cell, const CostList& list, const MachineFacts& facts, double sum_ns);

// False only for the cell of fork() after writing memory. This cell serves only to compute the cost of a
// page, from the difference between its time and the time of the cell of fork() without written memory.
bool is_simulated(const CellSpec& cell);

}  // namespace sim::calibrate
