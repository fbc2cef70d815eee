// A published table that has been simulated, as text and as a picture.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/plot/layout.h"
#include "sim/tables/score.h"
#include "sim/tables/tables.h"

namespace sim::tables {

// The results that a report shows. A prediction needs its own simulations, so it is computed once.
struct TableReport {
    std::vector<Score> scores;
    std::vector<Prediction> predictions;  // by Table::predictions
    std::string text;                     // the table, the basis of its cells, and the errors of predictions
    std::string details;                  // scores, and the predicted cells
};
TableReport make_report(const Table& table, const TableResult& result);

// The picture of `switchyard reproduce TABLE --picture FILE`, an SVG file.
std::string report_svg(const Table& table, const TableResult& result);

// The figure of the table; `command` is the command that reproduces it, printed below the figure.
plot::Plot plot_of(const Table& table, const TableResult& result, const std::string& command);

// The height in pixels, at least `height`, at which the labels of every row fit.
int height_fitting_labels(const plot::Plot& p, int height);

// Font sizes for a picture of this size in pixels. Theme: light, dark or print.
plot::LayoutOptions figure_options(int width, int height, const std::string& theme);

}  // namespace sim::tables
