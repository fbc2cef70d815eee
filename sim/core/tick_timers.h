// Timers set by tasks (`sleep`): nanosleep(), or select() with only a timeout.
//
// Without `hrtimers`, kernels run timers at ticks. A sleep is rounded up to ticks; Linux adds one tick,
// because the current tick period may be nearly over. The sleep ends at the end of the last tick's interrupt,
// without an interrupt of its own. With `hrtimers`, the sleep ends exactly, by an interrupt of its own.
// Source: Linux 2.0.40, kernel/sched.c, sys_nanosleep(), timespectojiffies() and, for the order at a tick,
// do_timer() and timer_bh(); 2.2 and 2.4 do the same.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/base/types.h"
#include "sim/core/machine.h"
#include "sim/core/policy.h"
#include "sim/core/scenario.h"

namespace sim {

class TickTimers {
  public:
    // REQUIRES: scenario and policy outlive this object.
    TickTimers(const Scenario& scenario, const Policy& policy)
        : scenario_(scenario), policy_(policy), tick_(kSecond / scenario.machine.hz) {}

    // Whether timers fire exactly, each by its own interrupt.
    bool are_exact() const { return scenario_.machine.hrtimers; }

    // Returns the time at which a sleep that begins now ends, or the current time if the policy does not
    // let the task sleep.
    Nanos end_of_sleep(const Globals& g, Nanos span) const {
        const Nanos wanted = std::min(span, kHorizon);
        if (are_exact()) return std::min(g.now + wanted, kHorizon);
        const std::uint64_t ticks = policy_.ticks_of_sleep(ticks_rounded_up(wanted));
        if (ticks == 0) return g.now;
        // The first expression avoids a division; it is valid if HZ divides a second.
        const Nanos end = tick_ * scenario_.machine.hz == kSecond
                              ? g.next_tick + Nanos{static_cast<std::int64_t>((ticks - 1) * tick_)}
                              : scenario_.time_of_tick(g.ticks + ticks);
        return std::min(end, kHorizon);
    }

  private:
    static constexpr std::uint64_t kSecond = 1'000'000'000;

    // timespectojiffies(): the number of ticks, rounded up.
    std::uint64_t ticks_rounded_up(Nanos span) const {
        const auto all = static_cast<std::uint64_t>(span.count());
        return all / kSecond * scenario_.machine.hz + (all % kSecond + tick_ - 1) / tick_;
    }

    const Scenario& scenario_;
    const Policy& policy_;
    std::uint64_t tick_;  // length of a tick in nanoseconds, rounded down
};

}  // namespace sim
