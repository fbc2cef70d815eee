// The simulated cost of a pass through a pipe, and of a switch of lmbench's lat_ctx.
#pragma once

#include <string>
#include <vector>

#include "sim/tables/published.h"

namespace sim::tables {

// Mean cost of a pass: one write to a pipe and one read from it. Times are in us.
struct PipePassCost {
    double time = 0, switches = 0;
    double system = 0, search = 0, switching = 0, address_space = 0, refill = 0, user = 0;
};

// If `policy` is empty, the policy of the scenario is used.
PipePassCost measure_pipe_pass(const char* scenario, const std::vector<std::string>& settings = {},
                               const std::string& policy = {});

// The cost of a pass round the ring, and the cost of a pass by a single process, which lat_ctx subtracts.
struct LatCtxRun {
    PipePassCost ring, alone;

    double time_per_switch() const { return ring.time - alone.time; }
};

// `settings`: settings of the machine, as POINTER=VALUE.
LatCtxRun measure_lat_ctx(const LatCtxColumn& column, const std::vector<std::string>& settings = {},
                          const std::string& policy = {});

}  // namespace sim::tables
