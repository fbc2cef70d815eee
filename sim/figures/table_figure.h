// A published table beside the simulated one.
#pragma once

#include <string>
#include <vector>

#include "sim/plot/plot.h"

namespace sim::figures {

struct TableCell {
    std::string row, column, unit;
    double published = 0, simulated = 0;  // published: not a number when nothing was
    double tolerance = 0;
    bool scored = true;
};

struct TableInput {
    std::string name, summary, source;
    std::vector<TableCell> cells;
};

// Curves over the columns with the published values as points when the columns are numbers and all cells have
// one unit; otherwise a line for each cell, with the difference in per cent of what was published.
plot::Plot table_plot(const TableInput& table);

}  // namespace sim::figures
