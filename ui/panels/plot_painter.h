// Figures in the window: the same drawing that goes to SVG and PNG, in the theme's colours and the window's
// fonts.
#pragma once

#include <imgui.h>

#include "sim/plot/drawing.h"
#include "sim/plot/plot.h"
#include "ui/platform/fonts.h"
#include "ui/platform/theme.h"

namespace ui {

// The drawing of a plot for so many pixels. It holds until plot, size, theme or fonts change.
sim::plot::Drawing lay_out(const sim::plot::Plot& plot, ImVec2 size, const Theme& theme, const Fonts& fonts);

// Draws it with its upper left corner at `at`, a whole pixel, and clips it to its size.
void draw(ImDrawList& list, const sim::plot::Drawing& drawing, ImVec2 at, const Fonts& fonts);

// The point of the data that is nearest to the mouse, not farther than `reach` pixels, or null. The drawing
// was drawn at `at`.
const sim::plot::Place* point_at(const sim::plot::Drawing& drawing, ImVec2 at, ImVec2 mouse, float reach);

}  // namespace ui
