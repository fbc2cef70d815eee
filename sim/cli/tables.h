// Published tables, simulated again: each cell beside what was published, with the difference.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

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

    double difference() const { return simulated - published; }
    // What is promised: 10 % of what was published or 1.5 us, whichever is larger.
    double tolerance() const;
    bool is_within() const;
};

struct TableResult {
    std::vector<Cell> cells;
    std::string text;   // the table for people, with what to look at and what to try next
    bool holds = true;  // the simulated figures are within what is promised of them
};

struct Table {
    std::string name;
    std::string summary;
    std::string source;
    std::function<TableResult(bool quiet)> reproduce;
    int fitted = 0;  // so many numbers were fitted or tuned to its cells
};

// What the scored cells rest on, how many degrees of freedom are left, and how far the best constant would be
// off: a line or two for people, the same for all tables.
std::string basis_text(const Table& table, const std::vector<Cell>& cells);

std::span<const Table> tables();  // ordered by name

// rms of the scored cells' differences, and the largest difference without its sign.
double rms(const std::vector<Cell>& cells);
double worst(const std::vector<Cell>& cells);

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
Table park_unpark_table();
Table php_fpm_table();
Table reclamation_table();
Table thread_ring_table();
Table token_pipe_table();
Table web_server_table();
Table yield_table();

}  // namespace sim::cli
