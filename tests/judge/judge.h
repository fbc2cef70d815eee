// The kernel of this machine as judge: a few tasks bound to one of its CPUs, and the same under linux-6.6.
#pragma once

#include <sys/utsname.h>

#include <cstdint>
#include <string>
#include <vector>

namespace judge {

// What a task does, again and again: it computes, and then sleeps or yields.
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

// What became of them.
struct Seen {
    struct Task {
        double share = 0;  // of the CPU
        std::uint64_t voluntary = 0, involuntary = 0;
    };
    std::vector<Task> tasks;
    // How often each came right after each other one, [before][after]; empty where nobody could look.
    std::vector<std::vector<std::uint64_t>> follows;
    // Whoever else ran on that CPU, of the kernel or of the machine's; 0 where nobody could look.
    struct Others {
        std::uint64_t turns = 0;
        double seconds = 0;
    };
    Others others;
};

struct Place {
    int cpus = 1;  // of this machine
    int cpu = 0;   // which the tasks are bound to
    int hz = 250;
    double turns_per_us = 1'000;  // of a loop that does nothing
};

// The CPUs of this machine, the last of them, and how often its timer ticks while it is busy.
Place place_here();

// For so many seconds. REQUIRES: may set negative nice values, where there are any.
Seen run_here(const Case& which, const Place& place, int seconds);
// Beside such others, which wake at random.
Seen simulate(const Case& which, const Place& place, int seconds, const std::string& policy,
              const Seen::Others& others);

}  // namespace judge
