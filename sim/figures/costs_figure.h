// Where the kernel's time goes, per yield or per switch, for several runs side by side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/cost_model.h"
#include "sim/plot/plot.h"

namespace sim::figures {

struct RunCosts {
    std::string group, name;  // what was varied, and the policy; bars of one group stand together
    Overhead overhead;
    std::uint64_t yields = 0, switches = 0;
};

struct CostsInput {
    std::string title, source;
    std::string x_label, x_detail;  // what was varied, and small beside it
    std::vector<RunCosts> runs;
};

// Per yield when there are yields in all runs, otherwise per switch.
plot::Plot costs_plot(const CostsInput& input);

}  // namespace sim::figures
