// How much a table's agreement says: the model's error beside those of formulas that know nothing of
// scheduling. A model with five numbers has to be better than any five numbers (docs/model.md, "What a score
// says").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/cli/tables.h"

namespace sim::cli {

// One way to come to the figures of some cells, and how far it is off.
struct Contender {
    std::string what;
    int numbers = 0;  // that were chosen by looking at the figures
    double rms = 0, worst = 0;
    std::optional<double> left_out = {};  // rms when each cell is said by a fit to the others
};

// The scored cells of a part of a table that have a unit in common, but for those that are mere counts.
struct Score {
    std::string part, unit;
    int cells = 0;
    Contender model;
    Contender constant;             // the best one
    std::optional<Contender> line;  // the best straight one; none: the cells have no axis
    // The best of formulas with no more numbers than the model; none: they would all be the constant.
    std::optional<Contender> as_many;
};

// In the order of the cells; none of a single cell.
std::vector<Score> scores_of(const Table& table, const std::vector<Cell>& cells);

// Why the model has no fit that leaves a cell out, where it has none.
std::string why_not_left_out(const Table& table);

// A line for each contender.
std::string scores_text(const Table& table, const std::vector<Score>& scores);

}  // namespace sim::cli
