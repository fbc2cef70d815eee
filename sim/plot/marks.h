// What a series or a kind of span is recognised by, in its panel and in the legend alike.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/plot/canvas.h"
#include "sim/plot/plot.h"

namespace sim::plot {

// Which style each series has: its own, or one that no other has asked for. By panel and series.
using SeriesStyles = std::vector<std::vector<std::size_t>>;
SeriesStyles styles_of_series(const Plot& plot);

// The width of a series' line.
int curve_width(const Series& series);

// Marks have the style's shape. `hollow`: as an outline.
void draw_mark(Canvas& canvas, Point at, std::size_t style, bool hollow);
// A polygon in the style's hue with the style's pattern.
void fill_in_style(Canvas& canvas, const Line& polygon, std::size_t style, int spacing = kPatternSpacing);
void draw_kind(Canvas& canvas, const Kind& kind, const Box& box);

// Whether black is read more easily on it than white.
bool is_bright(Colour colour);
// The colour, as near to that of texts as it takes to be read on the background.
Colour readable(const Palette& colours, Colour colour);

}  // namespace sim::plot
