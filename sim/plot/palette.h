// What tells series apart: hue, brightness, mark, dash and pattern, all at once.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sim/plot/drawing.h"
#include "sim/plot/layout.h"

namespace sim::plot {

inline constexpr std::size_t kStyles = 8;

struct Palette {
    Colour background, text, dim, grid, accent;
    std::array<Colour, kStyles> hues;  // neighbours differ in brightness
};

const Palette& palette(Theme theme);

// A mark around the origin, about as wide as 2 * 160 units. REQUIRES: style < kStyles.
std::span<const Point> mark_of(std::size_t style);
// The dash of a line in units, for one of 2 pixels.
const std::vector<int>& dash_of(std::size_t style);

// The lines of a pattern on a polygon, `spacing` units apart; they are locked to the picture, so that
// neighbouring polygons of one pattern join without a seam. Pattern 0 has none; kStyles patterns in all.
std::vector<std::vector<Point>> pattern_lines(std::size_t pattern, std::span<const Point> polygon,
                                              int spacing);

}  // namespace sim::plot
