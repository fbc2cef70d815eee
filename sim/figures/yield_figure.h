// A figure of the cost of one yield against the number of processes or threads that yield: a U-shaped curve,
// divided into its cost components.
#pragma once

#include <string>
#include <vector>

#include "sim/plot/plot.h"

namespace sim::figures {

// The components of the average cost of one simulated yield, in us.
struct YieldCostParts {
    int contexts = 0;
    double system = 0, switching = 0, cache = 0, search = 0, recalculation = 0;

    double total() const { return system + switching + cache + search + recalculation; }
};

struct YieldCurve {
    std::string row;                        // "before, processes"
    std::vector<YieldCostParts> simulated;  // sorted by the number of contexts
    std::vector<plot::DataPoint> published;
    std::string source;
};

// The figure shows the stacked cost components, the published points, and a marker at the minimum of the
// simulated totals. A panel below shows the differences between simulated totals and published values at a
// larger scale.
plot::Plot yield_plot(const YieldCurve& curve);

}  // namespace sim::figures
