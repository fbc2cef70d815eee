// Compares the kernel of this machine with the model: the same tasks run on one real CPU and simulated under
// linux-6.6.
#pragma once

#include <sys/utsname.h>

#include <cstdint>
#include <string>
#include <vector>

namespace host_kernel {

// The endless loop of a task: compute, then sleep or yield.
struct Program {
    int nice = 0;
    int run_us = 10'000;
    int sleep_us = 0;
    bool yields = false;
};

struct Case {
    std::string name;
    std::vector<Program> tasks;
};

struct RunResult {
    struct Task {
        double share = 0;  // fraction of the CPU
        std::uint64_t voluntary = 0, involuntary = 0;
    };
    std::vector<Task> tasks;
    // How often the CPU switched directly from one task to another, as [from][to]; empty if switches could
    // not be recorded.
    std::vector<std::vector<std::uint64_t>> follows;
    // Load by other threads on that CPU: threads of the kernel or of other programs. 0 if switches could
    // not be recorded.
    struct BackgroundLoad {
        std::uint64_t turns = 0;
        double seconds = 0;
    };
    BackgroundLoad others;
};

struct Place {
    int cpus = 1;  // number of CPUs of this machine
    int cpu = 0;   // the CPU of the tasks
    int hz = 250;
    double turns_per_us = 1'000;  // speed of spin(), in rounds
};

// Measures this machine: the number of its CPUs, the last of which runs the tasks; the timer frequency
// while that CPU is busy; and the speed of spin() on it.
Place place_here();

// Runs the tasks for `seconds`. REQUIRES: permission for negative nice values, if the case has any.
RunResult run_here(const Case& which, const Place& place, int seconds);
// Simulates the tasks under `policy`, with a background load `others` that wakes at random.
RunResult simulate(const Case& which, const Place& place, int seconds, const std::string& policy,
                   const RunResult::BackgroundLoad& others);

}  // namespace host_kernel
