// Figure of a time range: the activity of each CPU and the states of each task.
#pragma once

#include <cstddef>
#include <string>

#include "sim/plot/plot.h"
#include "sim/replay/timeline.h"

namespace sim::figures {

// Number of spans in a figure of this timeline.
std::size_t count_spans(const Timeline& timeline);

// Omits tasks that slept all the time. Of the other tasks, shows only the `max_tasks` that ran longest.
plot::Plot timeline_plot(const Scenario& scenario, const Timeline& timeline, const std::string& title,
                         const std::string& source, std::size_t max_tasks = 24);

}  // namespace sim::figures
