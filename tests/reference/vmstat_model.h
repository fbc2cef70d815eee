// A simple, slow model of vmstat output for one second of Linux 2.0 on one CPU. The scheduler is
// linux_2_0_model.h; time advances from event to event, without an event queue.
//
// It supports the workloads of the vmstat quiz questions: tasks with separate address spaces that repeat one
// round of two steps forever.
#pragma once

#include <cstdint>
#include <vector>

namespace reference {

struct Round {
    enum class Kind { hog, sleeper, server, yielder };
    Kind kind = Kind::hog;
    // Times in ns. A sleeper first sleeps `away` in nanosleep(), then computes `busy`. A server waits for a
    // packet instead. A yielder computes and yields.
    std::int64_t away = 0, busy = 0;
};

// Costs of kernel work in nanoseconds. Each switch is to another address space.
struct Costs {
    std::int64_t syscall = 0, schedule = 0, considered = 0, recalculated = 0, context_switch = 0;
};

struct VmstatSecond {
    int runnable = 0;
    std::int64_t interrupts = 0, switches = 0;
    double user = 0, system = 0, idle = 0;  // percent of wall-clock time
};

// The second from 1 s (inclusive) to 2 s (exclusive), at 100 ticks per second.
VmstatSecond vmstat_second(const std::vector<Round>& tasks, const Costs& costs);

}  // namespace reference
