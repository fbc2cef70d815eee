// From a plot to shapes: where the axes go, which ticks are labelled, what is written where.
//
// No text ever lies on another one, on a point, on a curve or outside the picture. Where a note finds no
// place, the y axes go on above the data; where there is no room at all, what is least needed goes first:
// labels of points, notes, ticks, legend, source, subtitle.
#pragma once

#include <string>
#include <string_view>

#include "sim/plot/drawing.h"
#include "sim/plot/plot.h"

namespace sim::plot {

enum class Theme { light, dark, print };  // print: black on white, and shades of grey

struct Palette;  // palette.h

// How a figure is drawn, the same for all figures of a document or a window.
struct LayoutOptions {
    Theme theme = Theme::light;
    const Palette* colours = nullptr;  // instead of the theme's; outlives the layout
    // Sizes of letters, in units of 1/16 pixel. Those of the legend and the notes are those of the text.
    int title_size = 20 * kUnit, text_size = 15 * kUnit, small_size = 12 * kUnit;
    // Widths of lines are for a text of 15 pixels, and grow with it.
};

// Sizes of letters for a picture of so many pixels in a file: they grow with it, so that a slide looks the
// same however many pixels it has.
LayoutOptions options_for_file(int width, int height, Theme theme = Theme::light);

// REQUIRES: 0 < width and height < 100,000 (pixels).
Drawing layout(const Plot& plot, int width, int height, const LayoutOptions& options = {});

// 1234567.5 as "1,234,567.5": a number as an axis says it when the next one is `step` away; 0: on its own.
std::string number_text(double value, double step);

}  // namespace sim::plot
