// A slow second opinion on what vmstat shows of a second of Linux 2.0 on one CPU: its scheduler is
// linux_2_0_model.h, its time a walk from one thing that happens to the next, with no queue but a list that
// is searched each time.
//
// What runs is what the questions about vmstat tell of: tasks with an address space each that go through one
// round of two steps for ever.
#pragma once

#include <cstdint>
#include <vector>

namespace reference {

struct Round {
    enum class Kind { hog, sleeper, server, yielder };
    Kind kind = Kind::hog;
    // Nanoseconds. A sleeper is away first, by nanosleep(), and computes then; so does a server, until a
    // packet comes. A yielder computes and yields.
    std::int64_t away = 0, busy = 0;
};

// What the kernel's work takes, in nanoseconds. Every switch is one to another address space.
struct Prices {
    std::int64_t syscall = 0, schedule = 0, considered = 0, recalculated = 0, context_switch = 0;
};

struct VmstatSecond {
    int runnable = 0;
    std::int64_t interrupts = 0, switches = 0;
    double user = 0, system = 0, idle = 0;  // per cent of the time as it passed
};

// The second from 1 s to 2 s at 100 ticks a second. What happens at 1 s is part of it, what happens at 2 s is
// not.
VmstatSecond vmstat_second(const std::vector<Round>& tasks, const Prices& prices);

}  // namespace reference
