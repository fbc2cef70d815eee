// Figure of the distribution of the run queue length: the share of schedule() calls per length.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/plot/plot.h"

namespace sim::figures {

struct QueueHistogram {
    std::string name;                  // name of the policy
    std::vector<std::uint64_t> calls;  // number of schedule() calls by length of the run queue
};

struct HistogramInput {
    std::string title, source;
    std::vector<QueueHistogram> runs;
};

plot::Plot histogram_plot(const HistogramInput& input);

}  // namespace sim::figures
