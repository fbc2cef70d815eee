// What `switchyard figure` draws: one function for each kind of figure, from the options to a plot.
#pragma once

#include <string>
#include <vector>

#include "sim/cli/command.h"
#include "sim/cli/table_report.h"
#include "sim/cli/tables.h"
#include "sim/plot/plot.h"

namespace sim::cli {

struct FigureOptions : CommonOptions {
    std::string what, row, from, to, vary, measure, along, title, x_label,
        by = "cpu", size = "960x600", theme = "light", entry, of = "wait";
    CpuId cpu = 0;
};

// What FIGURE can be: the figures of a scenario or a sweep, then the tables.
std::vector<std::string> figure_names();

// The command that draws this figure, for the line below it.
std::string command_of(const FigureOptions& o);

// Of a scenario, which they simulate. All of them throw ScenarioError and UsageError.
plot::Plot histogram_of(const FigureOptions& o);
plot::Plot latency_of(const FigureOptions& o);
plot::Plot timeline_of(const FigureOptions& o);
plot::Plot gantt_of(const FigureOptions& o);
plot::Plot vruntime_of(const FigureOptions& o);
plot::Plot costs_of(const FigureOptions& o);
// Of the results file of a sweep.
plot::Plot sweep_of(const FigureOptions& o);
// Of a published table, or of one row of yield-table.
plot::Plot table_of(const FigureOptions& o, const Table& table);

// --- shared by the figures of a scenario ---

// What is said below and above them.
std::string source_of(const FigureOptions& o, const Scenario& scenario);
std::string title_of(const Scenario& scenario);

// From --from to --to; `usual` is how long it is without the latter. Throws UsageError when it is empty.
struct Window {
    Nanos from, to;
};
Window window_of(const FigureOptions& o, Nanos usual);

}  // namespace sim::cli
