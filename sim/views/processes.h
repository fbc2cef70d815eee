// Groups the tasks into processes with threads, as /proc shows them.
//
// Tasks that share a named address space are the threads of one process. The first one created has the lowest
// pid and is the leader; its pid is the thread group id (tgid). A leader that exits first stays as a zombie
// with its counters until the last thread exits; other threads disappear on exit. Every other task, and each
// kernel thread, is a process of one thread.
//
// The engine has no processes; they are derived from address spaces, pids, and the exited threads in
// Statistics.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/machine.h"
#include "sim/core/scenario.h"
#include "sim/core/statistics.h"

namespace sim::views {

struct Thread {
    std::uint32_t pid = 0;
    std::string name;
    const char* state = "";      // state as in /proc/PID/status
    std::uint32_t last_cpu = 0;  // also 0 if the thread has never run
    std::int32_t nice = 0;
    std::int32_t rt_priority = 0;  // 0: not a real-time thread
    TaskStatistics used;           // since the start of the thread
};

struct Process {
    std::vector<Thread> threads;  // by pid, the leader first
    Nanos user{}, system{};       // times of all its threads, including exited ones

    const Thread& leader() const { return threads.front(); }
    std::uint32_t tgid() const { return leader().pid; }
};

// The current processes, by tgid. REQUIRES: `statistics` covers the whole run of `m`.
std::vector<Process> processes_of(const Scenario& scenario, const Statistics& statistics, const Machine& m);

}  // namespace sim::views
