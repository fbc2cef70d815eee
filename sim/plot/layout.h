// Converts a plot into shapes: positions of axes, choice of tick labels, placement of texts.
//
// No text overlaps another text, a point or a curve, or leaves the picture. If a note does not fit, the y
// axes are extended above the data. If there is still no space, items are dropped, the least important first:
// labels of points, notes, ticks, legend, source, subtitle.
#pragma once

#include <string>
#include <string_view>

#include "sim/plot/drawing.h"
#include "sim/plot/plot.h"

namespace sim::plot {

enum class Theme { light, dark, print };  // print: black and shades of grey on white

struct Palette;  // palette.h

// Drawing options that all figures of a document or a window share.
struct LayoutOptions {
    Theme theme = Theme::light;
    const Palette* colours = nullptr;  // unless null, replaces the theme's colours; must outlive layout()
    // Text sizes, in units of 1/16 pixel. Legend and notes use text_size.
    int title_size = 20 * kUnit, text_size = 15 * kUnit, small_size = 12 * kUnit;
    // Line widths are defined for a text size of 15 pixels and scale with it.
};

// Options for a picture file. Text sizes grow with the picture, so that a slide looks the same at any
// resolution.
LayoutOptions options_for_file(int width, int height, Theme theme = Theme::light);

// REQUIRES: 0 < width and height < 100,000 (pixels).
Drawing layout(const Plot& plot, int width, int height, const LayoutOptions& options = {});

// Formats a number for an axis: 1234567.5 as "1,234,567.5". `tick_distance`: distance between ticks, which
// sets the number of decimals; 0: no fixed distance.
std::string number_text(double value, double tick_distance);

}  // namespace sim::plot
