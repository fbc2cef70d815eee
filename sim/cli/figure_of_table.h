// What `figure` and `reproduce --picture` share.
#pragma once

#include <string>

#include "sim/cli/tables.h"
#include "sim/plot/layout.h"

namespace sim::cli {

// Sizes of letters for a picture of that many pixels. Theme: light, dark or print.
plot::LayoutOptions figure_options(int width, int height, const std::string& theme);

// The figure of a table; `command` says how it was made.
plot::Plot plot_of(const Table& table, const TableResult& result, const std::string& command);

}  // namespace sim::cli
