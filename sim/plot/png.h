// A drawing as a Portable Network Graphics file, for what does not take SVG.
//
// Optional at build time: it needs stb and the DejaVu fonts.
#pragma once

#include <string>

#include "sim/plot/drawing.h"

namespace sim::plot {

// Whether png() was built, and if not, what was missing.
bool has_png();
std::string why_no_png();

// The same bytes for the same drawing, always. REQUIRES: has_png().
std::string png(const Drawing& drawing);

}  // namespace sim::plot
