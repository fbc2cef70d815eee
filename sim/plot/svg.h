// A drawing as a Scalable Vector Graphics file, for slides, papers and browsers.
#pragma once

#include <string>

#include "sim/plot/drawing.h"

namespace sim::plot {

// The same bytes for the same drawing, always. Texts stay texts; they are as wide as they were measured even
// where DejaVu Sans is not at hand.
std::string svg(const Drawing& drawing);

}  // namespace sim::plot
