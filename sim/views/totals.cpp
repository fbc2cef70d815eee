#include "sim/views/totals.h"

#include <vector>

#include "sim/core/summary.h"

namespace sim::views {

TaskTimes times_of_all_tasks(const Scenario& scenario, const Statistics& statistics, const Machine& m) {
    const TimeParts parts = elapsed_time_parts(scenario, statistics, m);
    const std::vector<TaskStatistics> tasks = elapsed_task_statistics(scenario, statistics, m);
    Nanos system = parts.overhead.charged_to_tasks();
    for (TaskId idle = 0; idle < m.first_task(); ++idle) system -= tasks[idle].system;
    return {parts.user, system};
}

}  // namespace sim::views
