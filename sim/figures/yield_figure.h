// The U: what one yield costs for each number of contexts, as the sum of its parts.
#pragma once

#include <string>
#include <vector>

#include "sim/plot/plot.h"

namespace sim::figures {

// One simulated yield, on average; all in us.
struct YieldParts {
    int contexts = 0;
    double system = 0, switching = 0, cache = 0, choosing = 0, refilling = 0;

    double total() const { return system + switching + cache + choosing + refilling; }
};

struct YieldCurve {
    std::string row;                    // "before, processes"
    std::vector<YieldParts> simulated;  // by contexts
    std::vector<plot::DataPoint> published;
    std::string source;
};

// The parts stacked, the published points on them with their differences, and the least of the simulated
// totals marked. Below it, the differences on a scale of their own.
plot::Plot yield_plot(const YieldCurve& curve);

}  // namespace sim::figures
