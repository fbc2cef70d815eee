// The curves of a sweep, which may still be incomplete. `switchyard figure sweep` and the lab pane of the
// window use them.
#pragma once

#include <string>

#include "sim/lab/curves.h"
#include "sim/plot/plot.h"

namespace sim::figures {

// The curves of one measure along an axis, with crossings. There is one panel per combination of the other
// axes' values. `command` reproduces the figure; it is printed below the figure with the seeds. REQUIRES:
// the values of the axis are numbers.
plot::Plot sweep_plot(const lab::SweepResults& results, std::size_t measure, std::size_t axis,
                      const std::string& command);

}  // namespace sim::figures
