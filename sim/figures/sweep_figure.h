// The curves of a sweep as far as it is there: what `switchyard figure sweep` writes and the window's
// laboratory shows.
#pragma once

#include <string>

#include "sim/lab/curves.h"
#include "sim/plot/plot.h"

namespace sim::figures {

// A measure along an axis, each combination of the other axes' values in a panel of its own, with the places
// where curves cross. `command` draws the figure and goes below it, with the seeds.
// REQUIRES: the values of the axis are numbers.
plot::Plot sweep_plot(const lab::Results& results, std::size_t measure, std::size_t axis,
                      const std::string& command);

}  // namespace sim::figures
