// The simulated machine in the output format of system tools, with the same columns and meanings; and two
// textbook tables of our own, jobs and schedule.
//
// A view is a function in its own file in views/, and a line in the table of views/all_views.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>

#include "sim/core/engine.h"
#include "sim/lab/progress.h"

namespace sim::views {

// Thrown if a view cannot show this run. what() is the reason.
class ViewError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The run that a view shows.
struct ViewedRun {
    const Scenario& scenario;
    const Policy& policy;
    Limits limits;
    Nanos interval;           // simulated time between two reports, for ViewOption::interval
    std::uint32_t frequency;  // samples per second, for ViewOption::frequency
    lab::Progress* progress;  // null: none
};

// The option that applies to a view.
enum class ViewOption : std::uint8_t {
    none,
    interval,   // --interval: a report for each interval instead of one for the run
    frequency,  // --freq: the view takes samples
};

struct View {
    std::string name;
    ViewOption option;
    // Runs the scenario. Returns the tool's output.
    std::function<std::string(const ViewedRun&)> print;
};

std::span<const View> all_views();  // ordered by name

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

}  // namespace sim::views
