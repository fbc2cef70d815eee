// The lines of `perf report --sort comm`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/views/views.h"

namespace sim::views {

// A line of the report: the tasks of one name, the idle tasks, or time that no sample finds (interrupts,
// stolen).
struct SampledLine {
    std::string command;
    std::uint64_t samples = 0;
    Nanos time{};
};

// The samples of `perf record -p`, for the processes `run.pids`. Throws ViewError if one does not exist at
// the start.
std::vector<SampledLine> sample_processes(const ViewedRun& run, Nanos period);

}  // namespace sim::views
