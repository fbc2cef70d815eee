// Figure of the cumulative distribution of the waits for a CPU.
#pragma once

#include <string>
#include <vector>

#include "sim/core/span_histogram.h"
#include "sim/plot/plot.h"

namespace sim::figures {

struct LatencyRun {
    std::string name;  // name of the policy
    SpanHistogram spans;
};

struct LatencyInput {
    std::string title, source;
    std::string what;  // "waits for a CPU", "waits after a wake-up"
    std::vector<LatencyRun> runs;
};

// One step curve per run on a logarithmic time axis. Waits of 0, and waits far shorter than the longest
// wait, are at the left edge.
plot::Plot latency_plot(const LatencyInput& input);

}  // namespace sim::figures
