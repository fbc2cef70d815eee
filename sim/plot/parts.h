// What is drawn of a panel, a file for each part, in the order of painting. Every part knows where the panel
// is and writes on the canvas; what it draws of the data stands in the way of the texts after it.
#pragma once

#include <cstddef>

#include "sim/plot/canvas.h"
#include "sim/plot/panel_frame.h"
#include "sim/plot/plot.h"

namespace sim::plot {

// axes.cpp: grid, ticks, numbers, names of categories, labels.
void draw_x_axis(Canvas& canvas, const PanelFrame& f);
void draw_y_axis(Canvas& canvas, const PanelFrame& f);

// bars.cpp: bars and areas, stacked or not, which are behind lines and points.
void draw_bars_and_areas(Canvas& canvas, const PanelFrame& f);

// curves.cpp: lines, steps and points, their intervals, and the distances from what was published.
void draw_curves(Canvas& canvas, const PanelFrame& f);

// names.cpp: names of lines at their right ends, and labels of points.
// The width that the names of lines need there; 0 when the legend has them: there are several panels,
// something that is no line, a single line, a line that ends before the others, or not enough room.
int width_of_line_names(const Plot& plot, const Canvas& canvas);
void draw_line_names(Canvas& canvas, const PanelFrame& f);
void label_points(Canvas& canvas, const PanelFrame& f);

// lanes.cpp: rows of spans, with names and cells before them.
void draw_lanes(Canvas& canvas, const PanelFrame& f);

// notes.cpp: places to notice, with what there is to say about them, off the data. A line leads from a text
// to what it is about, and over no data; where there is none, `with_letters` allows for a letter at either.
// Returns how many texts found no place.
std::size_t draw_notes(Canvas& canvas, const PanelFrame& f, bool with_letters);

}  // namespace sim::plot
