// Who ran when, as textbooks draw it: boxes with the tasks' names, the times at which they begin and end.
#pragma once

#include <string>

#include "sim/core/summary.h"
#include "sim/plot/plot.h"
#include "sim/replay/run_pieces.h"

namespace sim::figures {

struct GanttInput {
    const Scenario& scenario;
    const RunPieces& pieces;
    const Summary& summary;
    Nanos begin{}, end{};
    bool by_task = false;  // a row for each task that ran, instead of one for each CPU
    std::string title, source;
};

// How many boxes a figure of this window has.
std::size_t boxes_of(const RunPieces& pieces, Nanos begin, Nanos end);

plot::Plot gantt_plot(const GanttInput& input);

}  // namespace sim::figures
