// The line that `uptime` prints and that `top` begins with, as in procps 3.2.8, proc/whattime.c.
#pragma once

#include <string>

#include "sim/core/load_average.h"
#include "sim/views/views.h"

namespace sim::views {

// The line, with a space before it and without a newline. The simulation begins at midnight, when the machine
// starts.
std::string uptime_line(Nanos now, const LoadAverage& load);

}  // namespace sim::views
