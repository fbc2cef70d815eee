// Published tables, simulated again: each cell beside what was published, with the difference.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/plot/plot.h"

namespace sim::cli {

// What a cell says was published when nothing was: a figure beside the others, which cannot be scored.
inline constexpr double kNotPublished = std::numeric_limits<double>::quiet_NaN();

// What a cell's agreement rests on.
enum class Basis {
    predicted,  // no number of the model was chosen by looking at a figure of this table
    fitted,     // prices of the machine were, or it follows from those and the rules
    tuned,      // numbers of an invented workload were
    assumed,    // it follows from an assumed number that nothing else shows
    defined,    // nobody has measured it: it is what the kernel's code does, or an input of the scenario
    count,      // it follows from the rules alone
};
const char* to_string(Basis basis);

struct Cell {
    std::string row, column;
    double published = 0, simulated = 0;
    std::string unit;
    bool scored = true;     // counts in rms and worst, and must be within its tolerance
    std::string note = {};  // where it comes from, or why a scenario cannot honestly reach it
    Basis basis = Basis::fitted;
    // By how much the source differs from itself where it gives a figure twice, in the cell's unit; 0 where
    // it does not say.
    double noise = 0;

    // For the score (score.h). Cells of one part share its fitted numbers; those of a series lie on one line
    // along the table's axis.
    std::string part = {};
    std::string series = {};          // empty: the row
    double x = kNotPublished;         // the place on the axis; none: the table has no axis
    double left_out = kNotPublished;  // what a fit to all cells but this one says; none: there is no such fit

    double difference() const { return simulated - published; }
    // What is promised: 10 % of what was published or the source's noise, whichever is larger.
    double tolerance() const;
    bool is_within() const;
};

struct TableResult {
    std::vector<Cell> cells;
    std::string text;   // the table for people, with what to look at and what to try next
    bool holds = true;  // the simulated figures are within what is promised of them
};

// Cells of a table that are simulated with prices from elsewhere: no figure of that table is in them.
struct Prediction {
    std::string how;  // which prices, and what they come from
    std::vector<Cell> cells;
};

struct Table {
    std::string name;
    std::string summary;
    std::string source;
    std::function<TableResult(bool quiet)> reproduce;
    int fitted = 0;  // so many numbers were fitted or tuned to its cells
    // Where the numbers belong to parts of the table: how many to which.
    std::vector<std::pair<std::string, int>> fitted_to = {};
    // The tables, if any, whose figures predict cells of this one; with `predict` empty, its own cells.
    std::vector<std::string> predicted_from = {};
    std::function<Prediction()> predict = {};
    std::string not_left_out = {};  // why no fit of the model leaves a cell out, where something was fitted
    // The same cells simulated under another policy, nothing fitted anew. Empty where policies are what the
    // table is about.
    std::function<std::vector<Cell>(const std::string& policy)> cells_under = {};
    // Its figure, from what it reproduces; `command` made it. Empty: each cell beside what was published.
    std::function<plot::Plot(const TableResult& result, const std::string& command)> plot = {};
};

std::span<const Table> tables();  // ordered by name

// The prediction of a table that has one; `result` is what the table reproduces.
std::optional<Prediction> prediction_of(const Table& table, const TableResult& result);
// Its cells that count: those of which no number was chosen by looking at a figure of the table.
std::vector<Cell> predicted_cells(const Prediction& prediction);
// How far they are off, whatever that is.
std::string prediction_text(const Table& table, const Prediction& prediction);
// The same of several tables' cells, in one line.
std::string errors_text(const std::vector<Cell>& predicted);

// rms of the scored cells' differences, and the largest difference without its sign.
double rms(const std::vector<Cell>& cells);
double worst(const std::vector<Cell>& cells);

// What most of the scored cells rest on: a line for people.
std::string basis_text(const Table& table, const std::vector<Cell>& cells);

// Whether every scored cell is within its tolerance.
bool all_within(const std::vector<Cell>& cells);
// A line for each cell: row, column, published, simulated, difference, whether that is within the tolerance.
std::string cells_text(const std::vector<Cell>& cells);

Table ajax_polling_table();
Table create_table();
Table gooch_table();
Table goroutines_table();
Table lat_ctx_table();
Table lazy_tlb_table();
Table own_kernels_table();
Table park_unpark_table();
Table php_fpm_table();
Table reclamation_table();
Table switch_table();
Table thread_ring_table();
Table token_pipe_table();
Table web_server_table();
Table yield_one_cache_table();
Table yield_table();
Table yield_years_table();

}  // namespace sim::cli
