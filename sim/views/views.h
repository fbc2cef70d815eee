// Views show a run in the output format of a system tool, with the same columns and meanings. Two more views,
// jobs and schedule, are textbook tables in a format of our own.
//
// A view is a function in its own file in views/, and a line in the table of views/all_views.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

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
    // Processes to show, for ViewOption::pid; empty: all.
    std::vector<std::uint32_t> pids;
    std::string command;  // shows only tasks whose names contain this text, for ViewOption::command
    lab::ProgressDisplay* progress;  // receives the progress of the run; may be null
};

// An option that applies to some views only.
enum class ViewOption : std::uint8_t {
    interval,   // --interval: prints a report for each interval instead of one for the run
    frequency,  // --freq: the number of samples per second
    pid,        // --pid: shows only these processes
    command,    // --comm: shows only tasks whose names contain a text
};

struct View {
    std::string name;
    std::vector<ViewOption> options;
    // Executes the run and returns the text of the view.
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
View strace_c_view();
View strace_f_view();
View time_v_view();
View top_view();
View uptime_view();
View vmstat_view();
View vmstat_a_view();

}  // namespace sim::views
