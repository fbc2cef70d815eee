// A Gantt chart as in textbooks: boxes with task names, and their start and end times.
#pragma once

#include <string>

#include "sim/core/summary.h"
#include "sim/plot/plot.h"
#include "sim/replay/run_segments.h"

namespace sim::figures {

struct GanttInput {
    const Scenario& scenario;
    const RunSegments& pieces;
    const Summary& summary;
    Nanos begin{}, end{};
    bool by_task = false;  // one row per task that ran, instead of one per CPU
    std::string title, source;
};

// Number of boxes in a Gantt chart of this time range.
std::size_t count_boxes(const RunSegments& pieces, Nanos begin, Nanos end);

plot::Plot gantt_plot(const GanttInput& input);

}  // namespace sim::figures
