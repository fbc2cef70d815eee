// Writes a drawing as PNG, for programs that do not accept SVG.
//
// Optional at build time: needs stb and the DejaVu fonts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/plot/drawing.h"

namespace sim::plot {

// Whether PNG output is built in, and if not, what was missing.
bool supports_png();
std::string why_no_png();

// Deterministic: equal drawings have equal bytes. REQUIRES: supports_png().
std::string png(const Drawing& drawing);

// Encodes pixels. `rgb`: rows from the top, with red, green and blue of each pixel. Deterministic and
// thread-safe. REQUIRES: supports_png(); width and height at least 1; `rgb` has width * height * 3 bytes.
std::string encode_png(int width, int height, const std::vector<std::uint8_t>& rgb);

}  // namespace sim::plot
