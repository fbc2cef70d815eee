// The simulated machine as the tools of administrators would show it: the same columns with the same meaning;
// and two tables of our own, jobs and schedule, as textbooks have them.
//
// A view is a function in a file of its own in views/, and a line in the table of views/views.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "sim/core/engine.h"

namespace sim::cli {

// The run that a view is to show.
struct ViewedRun {
    const Scenario& scenario;
    const Policy& policy;
    Limits limits;
    Nanos interval;           // simulated time between two reports, for the views that have some
    std::uint32_t frequency;  // samples a second, for the view that takes some
    bool quiet;               // no progress
};

// What the user can say besides the name of a view.
enum class ViewOption : std::uint8_t {
    none,
    interval,   // it prints a report for each, and not one for the whole run
    frequency,  // it takes samples
};

struct View {
    std::string name;
    ViewOption option;
    // Runs the scenario. Returns what the tool would have printed.
    std::function<std::string(const ViewedRun&)> print;
};

std::span<const View> views();  // ordered by name

View jobs_view();
View perf_record_view();
View perf_sched_view();
View perf_stat_view();
View perf_stat_a_view();
View pidstat_view();
View pidstat_t_view();
View pidstat_u_view();
View pidstat_ut_view();
View proc_status_view();
View proc_task_status_view();
View sar_view();
View schedule_view();
View time_v_view();
View vmstat_view();
View vmstat_a_view();

}  // namespace sim::cli
