// Inline functions for slices, interactivity and load weights, used only by the source files of linux-2.6.20.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/core/machine.h"
#include "sim/policies/linux_2_6_20.h"

namespace sim::o1 {

inline constexpr std::int32_t kMaxBonus = 10;
inline constexpr std::int32_t kInteractiveDelta = 2;

// DEF_TIMESLICE, MIN_TIMESLICE and MAX_SLEEP_AVG, in ticks.
inline std::int32_t def_timeslice(const Machine& m) {
    return std::max(static_cast<std::int32_t>(std::uint64_t{100} * m.shape().hz / 1000), 1);
}
inline std::int32_t min_timeslice(const Machine& m) {
    return std::max(static_cast<std::int32_t>(std::uint64_t{5} * m.shape().hz / 1000), 1);
}
inline std::int32_t max_sleep_avg(const Machine& m) { return def_timeslice(m) * kMaxBonus; }

inline std::int64_t tick_ns(const Machine& m) { return 1'000'000'000 / m.shape().hz; }

inline std::int32_t static_prio(const Machine& m, TaskId p) { return 120 + nice_of(m, p); }

// DELTA: a task of this nice value is interactive if its prio is at least this much better (lower) than its
// static_prio. The division rounds down like the kernel's macro SCALE(), because nice + 20 is never negative.
inline std::int32_t min_interactive_bonus(const Machine& m, TaskId p) {
    return (nice_of(m, p) + 20) * kMaxBonus / 40 - kMaxBonus / 2 + kInteractiveDelta;
}

// INTERACTIVE_SLEEP: limit to which a single long sleep can raise sleep_avg, in ns.
inline std::int64_t sleep_ceiling(const Machine& m, TaskId p) {
    return tick_ns(m) *
           (max_sleep_avg(m) * (kMaxBonus / 2 + min_interactive_bonus(m, p) + 1) / kMaxBonus - 1);
}

// TIMESLICE_GRANULARITY: ticks after which an interactive task's turn among tasks of equal priority ends.
inline std::uint32_t timeslice_granularity(const Machine& m, TaskId p) {
    const std::uint32_t base =
        std::max(static_cast<std::uint32_t>(std::uint64_t{10} * m.shape().hz / 1000), 1U);
    return (base << (std::max(kMaxBonus - bonus_of(m, p), 1) - 1)) * m.shape().cpus;
}

// Whether p is in the active array of its CPU.
inline bool is_in_active_array(const Machine& m, TaskId p) {
    return m.of_task<TaskFields>(p).array == m.of_cpu<RunQueueFields>(task_cpu(m, p)).active;
}

inline bool has_real_time_prio(const TaskFields& t) { return t.prio < kMaxRtPrio; }

// Models LOAD_WEIGHT() of the kernel. The weight of nice 0 is SCHED_LOAD_SCALE (128).
inline std::uint32_t weight_of_slice(const Machine& m, std::int32_t slice) {
    return static_cast<std::uint32_t>(slice * 128 / def_timeslice(m));
}

// Models set_load_weight() of the kernel.
inline std::uint32_t weight_of(const Machine& m, TaskId p) {
    if (!is_real_time(m.sched_class[p])) return weight_of_slice(m, full_slice(m, p));
    return weight_of_slice(m, 8 * def_timeslice(m)) + weight_of_slice(m, m.rt_priority[p]);
}

}  // namespace sim::o1
