// `pidstat -w`: the tasks that switched in each interval. Without its column of user ids.
#include <fmt/format.h>

#include "sim/cli/views/intervals.h"

namespace sim::cli {
namespace {

std::string lines(const Scenario& scenario, const Interval& i) {
    std::string text;
    for (TaskId p = i.m.first_task(); p < i.m.globals().high_row; ++p) {
        const TaskStatistics& now = i.statistics.tasks[p];
        // A row that a new task took over has begun to count again.
        const bool same = i.pids_before[p] == i.m.task[p].pid;
        const TaskStatistics before = same ? i.statistics_before.tasks[p] : TaskStatistics{};
        const std::uint64_t voluntary = now.voluntary - before.voluntary;
        const std::uint64_t involuntary = now.involuntary - before.involuntary;
        if (voluntary + involuntary == 0) continue;
        text += fmt::format("{} {:9} {:9.2f} {:9.2f}  {}\n", clock_of(i.after.time), i.m.task[p].pid,
                            per_second(voluntary, i.before, i.after),
                            per_second(involuntary, i.before, i.after), scenario.task_name(i.m, p));
    }
    return text;
}

std::string print_pidstat(const ViewedRun& run) {
    std::string text =
        fmt::format("{} {:>9} {:>9} {:>9}  {}\n", clock_of({}), "PID", "cswch/s", "nvcswch/s", "Command");
    for_each_interval(run, [&](const Interval& i) { text += lines(run.scenario, i); });
    return text;
}

}  // namespace

View pidstat_view() { return {"pidstat", true, print_pidstat}; }

}  // namespace sim::cli
