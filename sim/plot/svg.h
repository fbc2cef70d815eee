// Writes a drawing as SVG, for slides, papers and browsers.
#pragma once

#include <string>

#include "sim/plot/drawing.h"

namespace sim::plot {

// Deterministic: equal drawings have equal bytes. Texts remain texts, with the measured width even if DejaVu
// Sans is not installed.
std::string svg(const Drawing& drawing);

}  // namespace sim::plot
