// The line of `uptime`, which is also the first line of `top`: procps 3.2.8, proc/whattime.c.
#pragma once

#include <string>

#include "sim/core/load_average.h"
#include "sim/views/views.h"

namespace sim::views {

// The line without a line end, beginning with a space. The simulation begins at midnight with the start of
// the machine.
std::string uptime_line(Nanos now, const LoadAverage& load);

}  // namespace sim::views
