// The legend: the names of the series and of the kinds of spans, each behind what it is recognised by.
#pragma once

#include <string>
#include <vector>

#include "sim/plot/canvas.h"
#include "sim/plot/marks.h"
#include "sim/plot/plot.h"

namespace sim::plot {

struct LegendEntry {
    std::string name;
    const Series* series = nullptr;  // this,
    const Kind* kind = nullptr;      // or this
    std::size_t style = 0;           // of the series
    bool with_points = false;        // a line whose style points without a name have, too
};

// Every name once, in the order of the panels; nothing when there is a single one that goes without saying.
std::vector<LegendEntry> legend_of(const Plot& plot, const SeriesStyles& styles);

// The entries, cut where they are too long, in rows of this width; those for which there are not enough rows
// are left out.
using LegendRow = std::vector<LegendEntry>;
std::vector<LegendRow> legend_rows(const Canvas& canvas, const std::vector<LegendEntry>& entries, int width);

// Draws the rows below a place; where they end.
int draw_legend(Canvas& canvas, const std::vector<LegendRow>& rows, Point top);

}  // namespace sim::plot
