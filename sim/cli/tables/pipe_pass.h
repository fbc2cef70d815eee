// What a pass through a pipe takes in a simulation, and a switch of lmbench's lat_ctx.
#pragma once

#include <string>
#include <vector>

#include "sim/cli/tables/published.h"

namespace sim::cli {

// What a pass through a pipe took, on average, in us.
struct Pass {
    double time = 0, switches = 0;
    double system = 0, choosing = 0, switching = 0, address_space = 0, refill = 0, user = 0;
};

// Without a policy, under the scenario's own.
Pass measure_pass(const char* scenario, const std::vector<std::string>& sets = {},
                  const std::string& policy = {});

// A pass round the ring, and one of a process alone; lat_ctx subtracts the one from the other.
struct LatCtxRun {
    Pass ring, alone;

    double each_switch() const { return ring.time - alone.time; }
};

// With these changes of the machine.
LatCtxRun measure_lat_ctx(const LatCtxColumn& column, const std::vector<std::string>& changes = {},
                          const std::string& policy = {});

}  // namespace sim::cli
