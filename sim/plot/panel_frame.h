// Where the panels of a figure go, and how large their axes are: everything that is settled before the first
// of them is drawn.
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
    const std::vector<std::size_t>* styles = nullptr;  // of its series
    Box cell, area;                                    // all of it, and what the axes enclose
    int left = 0;                                      // what stands left of the area needs
    int pad = 0;  // between the ends of the x axis and its first and last value
    Range x, y;
    Ticks x_ticks, y_ticks;
    std::vector<std::string> title, label;  // above the area, line by line; the label is that of the y axis
    std::size_t category_lines = 1;         // that the names below the x axis need
    std::vector<int> columns;               // of lanes: widths of the names and the cells
    int line_names = 0;                     // how wide the names at the ends of lines are; 0 without them

    Mapping x_mapping() const { return {panel->x.scale, x, area.left + pad, area.right - pad}; }
    Mapping y_mapping() const {
        return {panel->y.scale, panel->lanes.empty() ? y : Range{}, area.bottom, area.top};
    }
    // Where y is 0; the lower end of the area where it never is.
    int zero(const Mapping& y_at) const { return has_zero() ? y_at(0) : area.bottom; }
    bool has_zero() const { return y.low <= 0 && y.high >= 0; }
};

// The panels inside a box, those that are too small for anything left out. `line_names`: as
// width_of_line_names() says. `headroom`: how much the y axes go on above what they would show otherwise, in
// percent of it, unless the plot says where they end.
std::vector<PanelFrame> frames_of(const Plot& plot, const SeriesStyles& styles, const Canvas& canvas,
                                  const Box& inside, int line_names, int headroom = 0);

}  // namespace sim::plot
