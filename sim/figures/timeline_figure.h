// A window of time: what each CPU did, and what became of each task.
#pragma once

#include <cstddef>
#include <string>

#include "sim/plot/plot.h"
#include "sim/replay/timeline.h"

namespace sim::figures {

// How many spans a figure of this window has.
std::size_t spans_of(const Timeline& timeline);

// Tasks that did nothing but sleep are left out; of the others, the `most_tasks` that run longest are shown.
plot::Plot timeline_plot(const Scenario& scenario, const Timeline& timeline, const std::string& title,
                         const std::string& source, std::size_t most_tasks = 24);

}  // namespace sim::figures
