// Writes a drawing as SVG, for slides, papers and browsers.
#pragma once

#include <string>

#include "sim/plot/drawing.h"

namespace sim::plot {

// Deterministic: equal drawings have equal bytes. Texts are written as texts, not as outlines; their width
// is fixed even if DejaVu Sans is not installed.
std::string svg(const Drawing& drawing);

}  // namespace sim::plot
