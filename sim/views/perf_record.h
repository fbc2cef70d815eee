// The lines of `perf report --sort comm`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/views/views.h"

namespace sim::views {

// A line of the report. It contains the tasks of one name, the idle tasks, or time that cannot be sampled:
// the time of interrupt handlers, and stolen time.
struct PerfReportLine {
    std::string command;
    std::uint64_t samples = 0;
    Nanos time{};  // actual CPU time
};

// Executes the run and takes the samples of `perf record -p` for the processes `run.pids`. Throws ViewError
// if one of them does not exist at the start of the run.
std::vector<PerfReportLine> sample_processes(const ViewedRun& run, Nanos period);

}  // namespace sim::views
