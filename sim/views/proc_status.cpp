// The scheduling lines of /proc/PID/status of each process, or of /proc/PID/task/TID/status of each thread,
// at the end of the run.
#include <fmt/format.h>

#include "sim/lab/follow_run.h"
#include "sim/views/processes.h"
#include "sim/views/views.h"

namespace sim::views {
namespace {

// Both status files contain the switches of only one thread. For a process, this thread is the leader.
std::string status_of(const Process& process, const Thread& thread) {
    return fmt::format(
        "Name:\t{}\n"
        "State:\t{}\n"
        "Tgid:\t{}\n"
        "Pid:\t{}\n"
        "Threads:\t{}\n"
        "voluntary_ctxt_switches:\t{}\n"
        "nonvoluntary_ctxt_switches:\t{}\n",
        thread.name, thread.state, process.tgid(), thread.pid, process.threads.size(), thread.used.voluntary,
        thread.used.involuntary);
}

std::string print_proc_status(const ViewedRun& run, bool each_thread) {
    const Engine engine(run.scenario, run.policy);
    Machine m = engine.initial_state();
    Statistics statistics(run.scenario.shape);
    lab::run_with_progress(engine, m, run.limits, {.statistics = &statistics}, run.progress);

    std::string text;
    for (const Process& process : processes_of(run.scenario, statistics, m)) {
        for (const Thread& thread : process.threads) {
            if (!text.empty()) text += "\n";
            text += status_of(process, thread);
            if (!each_thread) break;
        }
    }
    return text;
}

}  // namespace

View proc_status_view() {
    return {"proc-status", {}, [](const ViewedRun& run) { return print_proc_status(run, false); }};
}
View proc_task_status_view() {
    return {"proc-task-status", {}, [](const ViewedRun& run) { return print_proc_status(run, true); }};
}

}  // namespace sim::views
