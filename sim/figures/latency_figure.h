// How long tasks waited for a CPU: for each span the share of the waits that were not longer.
#pragma once

#include <string>
#include <vector>

#include "sim/core/span_histogram.h"
#include "sim/plot/plot.h"

namespace sim::figures {

struct LatencyRun {
    std::string name;  // of the policy
    SpanHistogram spans;
};

struct LatencyInput {
    std::string title, source;
    std::string what;  // "waits for a CPU", "waits after a wake-up"
    std::vector<LatencyRun> runs;
};

// A step curve for each run. Time is logarithmic; waits of 0 stand at the left edge, and so do those that are
// far shorter than the longest.
plot::Plot latency_plot(const LatencyInput& input);

}  // namespace sim::figures
