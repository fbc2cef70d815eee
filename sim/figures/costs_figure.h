// Figure of the kernel time per yield or per switch, split by cause, for several runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/cost_model.h"
#include "sim/plot/plot.h"

namespace sim::figures {

struct RunCosts {
    std::string group, name;  // group: the varied value, as text; name: the policy
    Overhead overhead;
    std::uint64_t yields = 0, switches = 0;
};

struct CostsInput {
    std::string title, source;
    std::string x_label, x_detail;  // label of the x axis, and small text next to it
    std::vector<RunCosts> runs;
};

// The costs are per yield if all runs have yields, otherwise per switch.
plot::Plot costs_plot(const CostsInput& input);

}  // namespace sim::figures
