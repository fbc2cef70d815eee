// The parts of a panel, one source file for each, in painting order. Texts of later parts are not placed over
// data of earlier parts.
#pragma once

#include <cstddef>

#include "sim/plot/canvas.h"
#include "sim/plot/panel_frame.h"
#include "sim/plot/plot.h"

namespace sim::plot {

// axes.cpp: grid, ticks, numbers, category names and labels.
void draw_x_axis(Canvas& canvas, const PanelFrame& f);
void draw_y_axis(Canvas& canvas, const PanelFrame& f);

// bars.cpp: bars and areas, stacked or not; lines and points are drawn over them.
void draw_bars_and_areas(Canvas& canvas, const PanelFrame& f);

// curves.cpp: lines, steps and points, their intervals, and the residuals.
void draw_curves(Canvas& canvas, const PanelFrame& f);

// names.cpp: names at the right ends of lines, and labels of points.
//
// width_of_curve_names() returns the width of these names. It returns 0 if the legend lists them instead:
// - The plot has several panels, fewer than two lines, or named series that are not lines.
// - The lines end at different x values.
// - There is too little space.
int width_of_curve_names(const Plot& plot, const Canvas& canvas);
void draw_curve_names(Canvas& canvas, const PanelFrame& f);
void label_points(Canvas& canvas, const PanelFrame& f);

// lanes.cpp: rows of spans, with names and cells to their left.
void draw_lanes(Canvas& canvas, const PanelFrame& f);

// notes.cpp: notes on points and x values, placed away from the data. A leader line that crosses no data
// connects a text with its point. `allow_note_letters`: if no such line is possible, a letter may be drawn
// both at the point and at the text. Returns the number of texts that did not fit.
std::size_t draw_notes(Canvas& canvas, const PanelFrame& f, bool allow_note_letters);

}  // namespace sim::plot
