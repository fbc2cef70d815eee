// Figures as in SVG and PNG, in the theme's colours and the window's fonts.
#pragma once

#include <imgui.h>

#include "sim/plot/drawing.h"
#include "sim/plot/plot.h"
#include "ui/platform/fonts.h"
#include "ui/platform/theme.h"

namespace ui {

// Valid until plot, size, theme or fonts change.
sim::plot::Drawing lay_out(const sim::plot::Plot& plot, ImVec2 size, const Theme& theme, const Fonts& fonts);

// `at`: upper left corner, a whole pixel. Clips to the drawing.
void draw(ImDrawList& list, const sim::plot::Drawing& drawing, ImVec2 at, const Fonts& fonts);

// The data point nearest to the mouse within `reach` pixels, or null. `at`: as for draw().
const sim::plot::Place* point_at(const sim::plot::Drawing& drawing, ImVec2 at, ImVec2 mouse, float reach);

}  // namespace ui
