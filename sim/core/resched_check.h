// A point where a policy decides whether a CPU must call schedule(): a wake-up, a timer interrupt, the end of
// a slice or a sched_yield(). Most of these decisions are negative and leave no other record in the run.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/types.h"

namespace sim {

struct ReschedCheck {
    enum class Point : std::uint8_t { wake_up, tick, slice_end, yield };

    Point at{};
    Nanos time{};
    CpuId cpu{};       // the CPU of `current`
    TaskId task{};     // the woken task; for other checks, equal to `current`
    TaskId current{};  // the running task, possibly the idle task
    bool asks{};       // the policy asks for a schedule() on `cpu`
    bool pending{};    // another request for this CPU was pending
    // The comparison that led to this result, as a clause with the names of the tasks: "C's counter 25 is
    // more than 3 above A's 18". Empty: the policy states no reason.
    std::string reason{};
};

}  // namespace sim
