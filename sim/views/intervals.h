// Intervals of simulated time, for the views that print a report for each one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sim/replay/overview.h"
#include "sim/views/views.h"

namespace sim::views {

// State at the end of an interval. The time between the two samples is never 0.
struct Interval {
    const Machine& m;
    const Statistics& statistics;
    const Sample& before;
    const Sample& after;
};

// Runs to the end and calls `report` after each interval, the last of which may be shorter.
void for_each_interval(const ViewedRun& run, const std::function<void(const Interval&)>& report);

// The rate of `count` events per second of simulated time. REQUIRES: before.time < after.time.
double per_second(std::uint64_t count, const Sample& before, const Sample& after);

// As sysstat prints it: "12:00:01 AM". The simulation begins at midnight.
std::string clock_of(Nanos now);

}  // namespace sim::views
