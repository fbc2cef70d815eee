// The styles that distinguish series: hue, brightness, mark, dash and pattern together.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sim/plot/drawing.h"
#include "sim/plot/layout.h"
#include "sim/plot/plot.h"

namespace sim::plot {

inline constexpr std::size_t kStyles = 8;

struct Palette {
    Colour background, text, dim, grid, accent;
    // Colours by style: first the kStyles styles of series, then one style per CostComponent. The brightness
    // of adjacent hues of series differs.
    std::array<Colour, kStyles + kCosts> hues;
};

constexpr std::size_t style_of(CostComponent cost) { return kStyles + static_cast<std::size_t>(cost); }

const Palette& palette(Theme theme);

// The outline of a mark around the origin, about 320 units wide (kUnit units are 1 pixel). Styles of costs
// reuse the marks and dashes of the series styles.
std::span<const Point> mark_outline(std::size_t style);
// Lengths of dashes and gaps in units, for a line with a width of 2 pixels (2 * kUnit units).
const std::vector<int>& dash_of(std::size_t style);

// The lines of a pattern in a polygon, about `spacing` units apart. They are aligned with the picture, so
// that adjacent polygons with the same pattern join without a seam. `pattern`: the number of a style; style 0
// has no lines.
std::vector<std::vector<Point>> pattern_lines(std::size_t pattern, std::span<const Point> polygon,
                                              int spacing);

}  // namespace sim::plot
