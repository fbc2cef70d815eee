// The yield table for a first look: one line per row, its curve as text, and what follows from the kernel's
// rules alone.
#pragma once

#include <string>
#include <vector>

#include "sim/tables/tables.h"

namespace sim::tables {

// Published and simulated value of each cell. `cells`: the result of yield_table().
std::string short_yield_table(const std::vector<Cell>& cells);

// The simulated cost of a yield for 2 to 40 processes, before and after the patch, drawn with characters.
std::string yield_curve();

// Three sentences that need no fitted cost, one per line.
std::string yield_rules();

}  // namespace sim::tables
