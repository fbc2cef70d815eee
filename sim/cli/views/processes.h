// The tasks as /proc has them: processes, with threads in them.
//
// Tasks that share an address space by name are the threads of one process. The first that was made, which
// has the lowest pid, is its leader, and its pid is the thread group's id (tgid). If the leader exits before
// the others, it stays as a zombie with what it had counted, as long as one of them lives; another thread
// that exits is gone. Everybody else, and each kernel thread, is a process of one thread.
//
// The engine knows nothing of processes: this is made of address spaces and pids, and of what Statistics has
// kept of threads that have exited.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/machine.h"
#include "sim/core/scenario.h"
#include "sim/core/statistics.h"

namespace sim::cli {

struct Thread {
    std::uint32_t pid = 0;
    std::string name;
    const char* state = "";      // in the words of /proc/PID/status
    std::uint32_t last_cpu = 0;  // 0, too, for one that has never run
    TaskStatistics used;         // so far
};

struct Process {
    std::vector<Thread> threads;  // by pid, the leader first
    Nanos user{}, system{};       // of all its threads, those that have exited included

    const Thread& leader() const { return threads.front(); }
    std::uint32_t tgid() const { return leader().pid; }
};

// Those that are there now, by tgid. REQUIRES: `statistics` watched the whole run of `m`.
std::vector<Process> processes_of(const Scenario& scenario, const Statistics& statistics, const Machine& m);

}  // namespace sim::cli
