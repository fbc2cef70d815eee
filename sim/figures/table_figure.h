// Figure that compares the published values of a table with simulated values.
#pragma once

#include <string>
#include <vector>

#include "sim/plot/plot.h"

namespace sim::figures {

struct TableCell {
    std::string row, column, unit;
    double published = 0, simulated = 0;  // published: NaN if there is no value
    double tolerance = 0;
    bool scored = true;  // true: the difference must be within the tolerance
};

struct TableInput {
    std::string name, summary, source;
    std::vector<TableCell> cells;
};

// If the columns are numbers and all cells have one unit, the figure has curves over the columns, with the
// published values as points. Otherwise it has one row per cell, with the difference in percent of the
// published value.
plot::Plot table_plot(const TableInput& table);

}  // namespace sim::figures
