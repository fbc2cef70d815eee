// How long the run queue was: for each length the share of schedule() calls that found it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/plot/plot.h"

namespace sim::figures {

struct QueueHistogram {
    std::string name;                  // of the policy
    std::vector<std::uint64_t> calls;  // by length
};

struct HistogramInput {
    std::string title, source;
    std::vector<QueueHistogram> runs;
};

plot::Plot histogram_plot(const HistogramInput& input);

}  // namespace sim::figures
