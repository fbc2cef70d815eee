#include "sim/tables/table_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/figures/table_figure.h"
#include "sim/plot/svg.h"

namespace sim::tables {

TableReport make_report(const Table& table, const TableResult& result) {
    TableReport report{.scores = scores_of(table, result.cells),
                       .predictions = predictions_of(table, result),
                       .text = result.text + basis_counts_text(table, result.cells),
                       .details = {}};
    report.details = scores_text(table, report.scores);
    for (std::size_t i = 0; i < report.predictions.size(); ++i) {
        report.text += prediction_text(table.predictions[i], report.predictions[i]);
        report.details += prediction_details(table.predictions[i], report.predictions[i]);
    }
    return report;
}

std::string report_svg(const Table& table, const TableResult& result) {
    constexpr int kWidth = 960, kHeight = 540;  // pixels
    const plot::Plot p = plot_of(table, result, "switchyard reproduce " + table.name);
    const int height = height_fitting_labels(p, kHeight);
    return plot::svg(plot::layout(p, kWidth, height, figure_options(kWidth, height, "light")));
}

plot::Plot plot_of(const Table& table, const TableResult& result, const std::string& command) {
    if (table.plot) return table.plot(result, command);
    figures::TableInput input{.name = table.name,
                              .summary = table.summary,
                              .source = fmt::format("{}; published: {}", command, table.source),
                              .cells = {}};
    for (const Cell& c : result.cells)
        input.cells.push_back({c.row, c.column, c.unit, c.published, c.simulated,
                               std::isnan(c.published) ? 0 : c.tolerance(), c.scored});
    return figures::table_plot(input);
}

int height_fitting_labels(const plot::Plot& p, int height) {
    // Pixels: total space above and below the lanes; height of a lane.
    constexpr int kAroundLanes = 150, kLane = 23;
    for (const plot::Panel& panel : p.panels)
        height = std::max(height, kAroundLanes + kLane * static_cast<int>(panel.lanes.size()));
    return height;
}

plot::LayoutOptions figure_options(int width, int height, const std::string& theme) {
    return plot::options_for_file(width, height,
                                  theme == "dark"    ? plot::Theme::dark
                                  : theme == "print" ? plot::Theme::print
                                                     : plot::Theme::light);
}

}  // namespace sim::tables
