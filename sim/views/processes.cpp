#include "sim/views/processes.h"

#include <algorithm>
#include <map>
#include <utility>

#include "sim/core/summary.h"

namespace sim::views {
namespace {

std::uint32_t cpu_number_or_zero(std::uint16_t processor) {
    return processor == Task::kNoProcessor ? 0 : processor;
}

// Like the kernel, shows a ready task as running, even if it is not on a CPU.
const char* state_of(const Scenario& scenario, const Machine& m, TaskId p) {
    if (m.task[p].state == TaskState::runnable) return "R (running)";
    return scenario.is_uninterruptible(m, p) ? "D (disk sleep)" : "S (sleeping)";
}

Thread thread_of(const Scenario& scenario, const Machine& m, TaskId p, const TaskStatistics& used) {
    const Task& task = m.task[p];
    return {.pid = task.pid,
            .name = scenario.task_name(m, p),
            .state = state_of(scenario, m, p),
            .last_cpu = cpu_number_or_zero(task.last_processor),
            .nice = is_real_time(m.sched_class[p]) ? 0 : std::clamp(20 - m.priority[p], -20, 19),
            .rt_priority = is_real_time(m.sched_class[p]) ? m.rt_priority[p] : 0,
            .used = used};
}

// A leader that has exited is a zombie.
Thread zombie_leader_of(const Scenario& scenario, const ExitedThreads& exited_threads) {
    return {.pid = exited_threads.pid,
            .name = scenario.task_name(exited_threads.group, exited_threads.ordinal),
            .state = "Z (zombie)",
            .last_cpu = cpu_number_or_zero(exited_threads.last_processor),
            .used = exited_threads.first};
}

void add_thread_times(Process& process) {
    for (const Thread& thread : process.threads) {
        process.user += thread.used.user;
        process.system += thread.used.system;
    }
}

}  // namespace

std::vector<Process> processes_of(const Scenario& scenario, const Statistics& statistics, const Machine& m) {
    const std::vector<TaskStatistics> used = elapsed_task_statistics(scenario, statistics, m);
    std::vector<Process> processes;
    std::map<MmId, Process> shared;
    for (TaskId p = m.first_task(); p < m.globals().high_row; ++p) {
        if (!m.is_live(p)) continue;
        const MmId mm = m.task[p].mm;
        const bool has_threads = mm != kKernelMm && mm <= m.shape().shared_mms;
        Process& process = has_threads ? shared[mm] : processes.emplace_back();
        process.threads.push_back(thread_of(scenario, m, p, used[p]));
    }
    for (Process& process : processes) add_thread_times(process);
    for (auto& [mm, process] : shared) {
        std::vector<Thread>& threads = process.threads;
        std::sort(threads.begin(), threads.end(),
                  [](const Thread& a, const Thread& b) { return a.pid < b.pid; });
        add_thread_times(process);
        const ExitedThreads& gone = statistics.exited_threads[mm - 1];
        process.user += gone.user;
        process.system += gone.system;
        if (gone.pid != 0 && gone.pid < process.tgid())
            threads.insert(threads.begin(), zombie_leader_of(scenario, gone));
        processes.push_back(std::move(process));
    }
    std::sort(processes.begin(), processes.end(),
              [](const Process& a, const Process& b) { return a.tgid() < b.tgid(); });
    return processes;
}

}  // namespace sim::views
