// A short form of the yield table: one line per row, a curve drawn with characters, and three sentences that
// follow from the kernel's rules.
#pragma once

#include <string>
#include <vector>

#include "sim/tables/tables.h"

namespace sim::tables {

// Published and simulated value of each cell. `cells`: the cells of the result of yield-table.
std::string short_yield_table(const std::vector<Cell>& cells);

// The simulated cost of a yield for 2 to 40 processes, before and after the patch, drawn with characters.
std::string yield_cost_plot_text();

// Three sentences on the time of a yield that follow from the kernel's rules without fitted costs.
std::string yield_rules_text();

}  // namespace sim::tables
