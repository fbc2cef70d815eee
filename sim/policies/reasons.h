// Clauses that several policies return from Policy::wake_reason() and tick_reason(). Each clause states the
// comparison that the policy has made, with the compared values.
#pragma once

#include <fmt/format.h>

#include <string>

#include "sim/core/policy.h"

namespace sim {

// The reason after a wake-up, for a policy in which a woken task preempts if its counter exceeds the counter
// of the running task by more than `margin`: "C's counter 20 is not more than 3 above A's 18".
inline std::string counter_margin_reason(const Machine& m, TaskId woken, TaskId current, std::int32_t margin,
                                         const TaskNamer& name) {
    const bool is_above = m.counter[woken] > m.counter[current] + margin;
    return fmt::format("{}'s counter {} is {}more than {} above {}'s {}", name(woken), m.counter[woken],
                       is_above ? "" : "not ", margin, name(current), m.counter[current]);
}

inline std::string real_time_reason(const Machine& m, TaskId woken, const TaskNamer& name) {
    return fmt::format("{} is a real-time task (class {})", name(woken), to_string(m.sched_class[woken]));
}

// The reason after a tick, for a policy whose counter is in ticks: "A's counter is 12".
inline std::string counter_left_reason(const Machine& m, TaskId p, bool needs_resched,
                                       const TaskNamer& name) {
    if (needs_resched) return fmt::format("{}'s counter is used up", name(p));
    return fmt::format("{}'s counter is {}", name(p), m.counter[p]);
}

// The reason after a tick, for a slice in ticks: "12 ticks of its slice are left".
inline std::string ticks_left_reason(std::int32_t ticks) {
    return fmt::format("{} tick{} of its slice {} left", ticks, ticks == 1 ? "" : "s",
                       ticks == 1 ? "is" : "are");
}

}  // namespace sim
