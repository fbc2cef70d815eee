// Rates how well a table agrees with the published values: compares the error of the model with the errors of
// formulas that do not model scheduling. A model with five numbers must be better than a formula with five
// numbers (docs/reference/published_tables.md, "What a score says").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/tables/tables.h"

namespace sim::tables {

// A formula fitted to a table's cells, and its error.
struct FitResult {
    std::string what;
    int numbers = 0;  // how many numbers are fitted to the published values
    double rms = 0, worst = 0;
    // rms if each cell is predicted by a fit to the other cells; none: there is no such fit
    std::optional<double> left_out = {};
    // rms if each cell is predicted by a fit to the cells of all other columns; none: there is no such fit
    std::optional<double> column_left_out = {};
};

// The errors of the model and of formulas, for some cells of a table: the cells of one part of the table and
// one unit. Unscored cells and cells with Basis::count are left out.
struct Score {
    std::string part, unit;
    int cells = 0;
    FitResult model;
    FitResult constant;             // the best constant
    std::optional<FitResult> line;  // the best straight line; none: the cells have no position x on an axis
    // The best formula with at most as many fitted numbers as the model; none: the constant is the only such
    // formula.
    std::optional<FitResult> as_many;
};

// Scores in the order of the cells. There is no score for a single cell.
std::vector<Score> scores_of(const Table& table, const std::vector<Cell>& cells);

// The reason why the table's model has no FitResult::left_out.
std::string why_no_cross_validation(const Table& table);

// The scores as text, one line for each formula.
std::string scores_text(const Table& table, const std::vector<Score>& scores);

}  // namespace sim::tables
