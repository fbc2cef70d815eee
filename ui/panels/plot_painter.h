// Draws the same figures as in SVG and PNG files, in the theme's colours and the window's fonts.
#pragma once

#include <imgui.h>

#include "sim/plot/drawing.h"
#include "sim/plot/plot.h"
#include "ui/platform/fonts.h"
#include "ui/platform/theme.h"

namespace ui {

// Lays out a figure. The result is valid until the plot, the size, the theme or the fonts change.
sim::plot::Drawing lay_out_figure(const sim::plot::Plot& plot, ImVec2 size, const Theme& theme,
                                  const Fonts& fonts);

// Draws a figure; nothing outside its rectangle is drawn. `at`: the upper left corner, in whole pixels.
void draw_figure(ImDrawList& list, const sim::plot::Drawing& drawing, ImVec2 at, const Fonts& fonts);

// The data point nearest to the mouse; null if no point is within `max_distance` pixels. `at`: the upper left
// corner of the figure.
const sim::plot::PlottedPoint* nearest_point(const sim::plot::Drawing& drawing, ImVec2 at, ImVec2 mouse,
                                             float max_distance);

}  // namespace ui
