// Intervals of simulated time, for the views that print a report for each interval.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sim/replay/overview.h"
#include "sim/views/views.h"

namespace sim::views {

// The state at the end of an interval, with samples of its begin and end. `before.time` < `after.time`.
struct ReportInterval {
    const Machine& m;
    const Statistics& statistics;
    const Sample& before;
    const Sample& after;
};

// Executes the run to its end and calls `report` after each interval. The last interval may be shorter.
void for_each_interval(const ViewedRun& run, const std::function<void(const ReportInterval&)>& report);

// The rate of `count` events per second of simulated time. REQUIRES: before.time < after.time.
double per_second(std::uint64_t count, const Sample& before, const Sample& after);

// The time of day as sysstat prints it, such as "12:00:01 AM". The simulation begins at midnight.
std::string time_of_day(Nanos now);

}  // namespace sim::views
