// A drawing as a Portable Network Graphics file, for what does not take SVG.
//
// Optional at build time: it needs stb and the DejaVu fonts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/plot/drawing.h"

namespace sim::plot {

// Whether png() was built, and if not, what was missing.
bool has_png();
std::string why_no_png();

// The same bytes for the same drawing, always. REQUIRES: has_png().
std::string png(const Drawing& drawing);

// Pixels as such a file: rows from the top, red, green, blue. The same bytes for the same pixels, always;
// several threads may call it. REQUIRES: has_png(), width and height at least 1, width * height * 3 bytes.
std::string encode_png(int width, int height, const std::vector<std::uint8_t>& rgb);

}  // namespace sim::plot
