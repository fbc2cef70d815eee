// Positions of the panels of a figure and ranges of their axes, all computed before the first panel is drawn.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/plot/canvas.h"
#include "sim/plot/marks.h"
#include "sim/plot/plot.h"
#include "sim/plot/ticks.h"

namespace sim::plot {

struct PanelFrame {
    const Panel* panel = nullptr;
    std::size_t index = 0;
    const std::vector<std::size_t>* styles = nullptr;  // by series
    Box cell, area;  // cell: the entire panel; area: the part enclosed by the axes
    int left = 0;    // width needed to the left of the area
    int pad = 0;     // distance from the ends of the x axis to the first and last value
    AxisRange x, y;
    Ticks x_ticks, y_ticks;
    std::vector<std::string> title, label;  // lines of text above the area; label: label of the y axis
    std::size_t category_lines = 1;         // lines needed for the category names below the x axis
    std::vector<int> columns;               // lanes only: widths of the names and cells
    int curve_names_width = 0;              // width of the names at the ends of lines; 0: none

    AxisMapping x_mapping() const { return {panel->x.scale, x, area.left + pad, area.right - pad}; }
    AxisMapping y_mapping() const {
        return {panel->y.scale, panel->lanes.empty() ? y : AxisRange{}, area.bottom, area.top};
    }
    // The y coordinate of value 0; the bottom of the area if 0 is outside the range.
    int y_of_zero(const AxisMapping& y_at) const { return has_zero() ? y_at(0) : area.bottom; }
    bool has_zero() const { return y.low <= 0 && y.high >= 0; }
};

// Arranges the panels in a box and drops panels that are too small. `curve_names_width`: result of
// width_of_curve_names(). `headroom`: extension of the y axes at the top, in percent of their range; ignored
// where the plot specifies the upper end.
std::vector<PanelFrame> frames_of(const Plot& plot, const SeriesStyles& styles, const Canvas& canvas,
                                  const Box& inside, int curve_names_width, int headroom = 0);

}  // namespace sim::plot
