// Published tables, reproduced by simulation: each cell next to its published value, with the difference.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/lab/progress.h"
#include "sim/plot/plot.h"

namespace sim::tables {

// Marks a cell that has no published value; such a cell cannot be scored.
inline constexpr double kNotPublished = std::numeric_limits<double>::quiet_NaN();

// The basis of the agreement between a cell's simulated and its published value.
enum class Basis {
    predicted,  // no number was chosen in view of the published value of this cell
    fitted,   // costs were fitted to this cell, or the value follows from fitted costs and the kernel's rules
    tuned,    // numbers of an invented workload were chosen to match the cell
    assumed,  // follows from an assumed number that has no other evidence
    defined,  // the published value is no measurement, but a kernel rule or an input of the scenario
    count,    // a number of events that the kernel's rules determine, without any cost
};
const char* to_string(Basis basis);

struct Cell {
    std::string row, column;
    double published = 0, simulated = 0;
    std::string unit;
    bool scored = true;     // the cell is included in rms and worst error, and must be within its tolerance
    std::string note = {};  // source of the value, or why the values differ or the cell is not scored
    Basis basis = Basis::fitted;
    // Difference between the source's two values for the same measurement, in the cell's unit; 0: the
    // source has only one value.
    double noise = 0;

    // The fields from `part` to `column_left_out` are for the score (score.h). Cells with the same `part`
    // share the numbers that are fitted to this part. Cells with the same `series` form one curve along the
    // table's axis.
    std::string part = {};
    std::string series = {};                 // empty: same as `row`
    double x = kNotPublished;                // position on the axis; kNotPublished: the table has no axis
    double left_out = kNotPublished;         // value from a fit to all other cells; kNotPublished: none
    double column_left_out = kNotPublished;  // value from a fit to the cells of all other columns
    // Another table has the same measurement and counts it, or the value follows from other cells. So sums
    // over tables leave this cell out.
    bool counted_elsewhere = false;

    double difference() const { return simulated - published; }
    // Promised accuracy: 10 % of the published value or the source's noise, whichever is larger.
    double tolerance() const;
    bool is_within_tolerance() const;
};

struct TableResult {
    std::vector<Cell> cells;
    std::string text;   // the result as text, with hints on what to look at and what to try next
    bool holds = true;  // whether the simulated values are within their promised accuracy
};

// Values from a simple rule that does not model scheduling. The rule has the same sources as the prediction.
struct Baseline {
    std::string what;
    std::vector<double> values;  // one value for each predicted cell
};

// Cells that are simulated with costs from other sources. No published value of a predicted cell is used.
struct Prediction {
    std::string how;  // the costs and their sources
    std::vector<Cell> cells;
    std::vector<Baseline> baselines = {};
};

// A way to predict cells of a table: the sources of the costs, and the function that predicts.
struct PredictionSource {
    std::vector<std::string> from;  // names of the sources: tables, or cells of the same table
    // Empty: the predicted cells are the table's own cells with Basis::predicted.
    std::function<Prediction()> predict = {};
    std::vector<Baseline> baselines = {};  // baselines of the predicted cells if `predict` is empty
};

struct TableOptions {
    bool hints = true;                         // adds hints on what to look at and what to try next
    lab::ProgressDisplay* progress = nullptr;  // null: none
};

struct Table {
    std::string name;
    std::string summary;
    std::string source;
    std::function<TableResult(const TableOptions& options)> reproduce;
    int fitted = 0;  // how many numbers were fitted or tuned to the table's cells
    // The number of fitted or tuned numbers by part of the table, if the numbers belong to parts.
    std::vector<std::pair<std::string, int>> fitted_to = {};
    std::vector<PredictionSource> predictions = {};  // the best prediction first
    std::string not_left_out = {};  // if numbers were fitted: the reason why there is no leave-one-out fit
    // The cells under another policy, without a new fit. Empty if the table is about policies.
    std::function<std::vector<Cell>(const std::string& policy)> cells_under = {};
    // Draws the result; `command` is printed below the figure. Empty: the figure shows each cell next to its
    // published value.
    std::function<plot::Plot(const TableResult& result, const std::string& command)> plot = {};
};

std::span<const Table> all_tables();  // ordered by name

// The predictions of the table, in the order of their sources; `result` is the table's reproduction.
std::vector<Prediction> predictions_of(const Table& table, const TableResult& result);
// Returns the cells of the prediction whose basis is Basis::predicted, and sets Cell::scored to true in them.
std::vector<Cell> predicted_cells(const Prediction& prediction);
// The predicted cells, with the values of the baseline as simulated values.
std::vector<Cell> baseline_cells(const Prediction& prediction, const Baseline& baseline);
// The errors of a prediction and of its baselines as text. These errors may be large.
std::string prediction_text(const PredictionSource& source, const Prediction& prediction);
// The origin of the costs, and the predicted cells. Empty if these are the table's own cells, which the
// table's text already contains.
std::string prediction_details(const PredictionSource& source, const Prediction& prediction);
// The mean relative error of predicted cells, and how many are within their tolerance, as text.
std::string prediction_errors_text(const std::vector<Cell>& predicted);

// The root mean square of the differences between simulated and published values, over the scored cells.
double rms_difference(const std::vector<Cell>& cells);
// The largest absolute difference of a scored cell.
double worst_difference(const std::vector<Cell>& cells);

// A line of text with the number of scored cells by basis.
std::string basis_counts_text(const Table& table, const std::vector<Cell>& cells);

// Whether every scored cell is within its tolerance.
bool all_within_tolerance(const std::vector<Cell>& cells);
// A line for each cell: row, column, published value, simulated value, difference, and whether the
// difference is within the tolerance.
std::string cells_text(const std::vector<Cell>& cells);

Table ajax_polling_table();
Table creation_table();
Table gooch_table();
Table goroutines_table();
Table lat_ctx_table();
Table lazy_tlb_table();
Table own_kernels_table();
Table park_unpark_table();
Table php_fpm_table();
Table reclamation_table();
Table context_switch_table();
Table thread_ring_table();
Table token_pipe_table();
Table web_server_table();
Table yield_one_cache_table();
Table yield_table();
Table yield_years_table();

}  // namespace sim::tables
