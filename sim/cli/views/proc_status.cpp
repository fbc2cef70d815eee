// /proc/PID/status of each task that is alive at the end: the lines that concern scheduling.
#include <fmt/format.h>

#include "sim/cli/command.h"
#include "sim/cli/views.h"

namespace sim::cli {
namespace {

// To the kernel a task that is ready is running, too.
const char* state_of(const Task& task) {
    return task.state == TaskState::runnable ? "R (running)" : "S (sleeping)";
}

std::string print_proc_status(const ViewedRun& run) {
    const Engine engine(run.scenario, run.policy);
    Machine m = engine.initial_state();
    Statistics statistics(run.scenario.shape);
    run_with_progress(engine, m, run.limits, {.statistics = &statistics}, run.quiet);

    std::string text;
    for (TaskId p = m.first_task(); p < m.globals().high_row; ++p) {
        if (!m.is_live(p)) continue;
        const TaskStatistics& t = statistics.tasks[p];
        if (!text.empty()) text += "\n";
        text += fmt::format(
            "Name:\t{}\n"
            "State:\t{}\n"
            "Pid:\t{}\n"
            "voluntary_ctxt_switches:\t{}\n"
            "nonvoluntary_ctxt_switches:\t{}\n",
            run.scenario.task_name(m, p), state_of(m.task[p]), m.task[p].pid, t.voluntary, t.involuntary);
    }
    return text;
}

}  // namespace

View proc_status_view() { return {"proc-status", false, print_proc_status}; }

}  // namespace sim::cli
