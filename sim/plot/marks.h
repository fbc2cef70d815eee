// The appearance of series and kinds of spans, the same in panels and legend.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/plot/canvas.h"
#include "sim/plot/plot.h"

namespace sim::plot {

// The style of each series, indexed by panel and series. If a series has no style and no cost in the plot,
// its style is the next number: the highest style number of the earlier series without a cost, plus 1, modulo
// kStyles.
using SeriesStyles = std::vector<std::vector<std::size_t>>;
SeriesStyles styles_of_series(const Plot& plot);

int curve_width(const Series& series);

// `hollow`: outline only.
void draw_mark(Canvas& canvas, Point at, std::size_t style, bool hollow);
void fill_in_style(Canvas& canvas, const Line& polygon, std::size_t style, int spacing = kPatternSpacing);
void draw_span_sample(Canvas& canvas, const SpanKind& kind, const Box& box);

// Whether black text on this colour is easier to read than white.
bool is_bright(Colour colour);
// The colour, blended with the text colour until it has enough contrast with the background.
Colour readable_colour(const Palette& colours, Colour colour);

}  // namespace sim::plot
