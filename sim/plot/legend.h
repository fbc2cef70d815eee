// The legend: the names of series and of kinds of spans, each after a sample of its style.
#pragma once

#include <string>
#include <vector>

#include "sim/plot/canvas.h"
#include "sim/plot/marks.h"
#include "sim/plot/plot.h"

namespace sim::plot {

struct LegendEntry {
    std::string name;
    const Series* series = nullptr;  // null for a kind of span
    const SpanKind* kind = nullptr;  // null for a series
    std::size_t style = 0;
    bool with_points = false;  // also shows a marker, because unnamed points have the same style
};

// The distinct names in the order of the panels. Empty if there is only one entry and it is neither a
// series of points nor a kind of span.
std::vector<LegendEntry> legend_of(const Plot& plot, const SeriesStyles& styles);

using LegendRow = std::vector<LegendEntry>;

// Arranges entries in rows of `width`. Shortens names that are too long, and drops entries beyond the last
// permitted row.
std::vector<LegendRow> legend_rows(const Canvas& canvas, const std::vector<LegendEntry>& entries, int width);

// Draws the rows, starting at `top`; returns the y coordinate below the last row.
int draw_legend(Canvas& canvas, const std::vector<LegendRow>& rows, Point top);

}  // namespace sim::plot
