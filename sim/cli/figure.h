// The figures of `switchyard figure`, one function per kind.
#pragma once

#include <string>
#include <vector>

#include "sim/cli/command.h"
#include "sim/plot/plot.h"
#include "sim/tables/table_report.h"
#include "sim/tables/tables.h"

namespace sim::cli {

struct FigureOptions : CommonOptions {
    std::string what, row, from, to, vary, measure, x_axis, title, x_label,
        row_per = "cpu", size = "960x600", theme = "light", entry, waits = "wait";
    CpuId cpu = 0;
};

// The values of FIGURE: figures of a scenario or a sweep, then the tables.
std::vector<std::string> figure_names();

// The command line that draws this figure. It is printed below the figure.
std::string figure_command_line(const FigureOptions& o);

// Each of these functions simulates a scenario and returns a figure of it. All functions that return a figure
// throw ScenarioError and UsageError.
plot::Plot draw_histogram(const FigureOptions& o);
plot::Plot draw_latency(const FigureOptions& o);
plot::Plot draw_timeline(const FigureOptions& o);
plot::Plot draw_gantt(const FigureOptions& o);
plot::Plot draw_vruntime(const FigureOptions& o);
plot::Plot draw_costs(const FigureOptions& o);
// The figure of a sweep, from its results file.
plot::Plot draw_sweep(const FigureOptions& o);
// The figure of a published table, or of one row of yield-table.
plot::Plot draw_table(const FigureOptions& o, const tables::Table& table);

// --- shared by the figures of a scenario ---

// The text below the figure: its command line and the seed.
std::string figure_source_line(const FigureOptions& o, const Scenario& scenario);

// The text above the figure: name and title of the scenario.
std::string figure_title(const Scenario& scenario);

// The time range of a run that a figure shows.
struct TimeWindow {
    Nanos from, to;
};

// The range from --from to --to; without --to, its length is `default_length`. Throws UsageError if the range
// is empty.
TimeWindow parse_time_window(const FigureOptions& o, Nanos default_length);

}  // namespace sim::cli
