// Weights and virtual times of the fair schedulers: a task's virtual time is its run time divided by its
// weight.
//
// Source: kernel/sched.c (prio_to_weight, prio_to_wmult, calc_delta_mine) of Linux 2.6.24.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "sim/core/machine.h"

namespace sim::fair {

inline constexpr std::int64_t kMinVruntimeAtBoot = -(1 << 20);
inline constexpr std::uint32_t kNice0Load = 1024;

// A task's weight w and the inverse 2^32 / w, by which the kernel multiplies instead of dividing by w.
struct Weight {
    std::uint32_t w;
    std::uint64_t inverse;
};

// prio_to_weight and prio_to_wmult: weight and inverse by nice + 20. One nice level changes the weight by
// about 25 %.
inline constexpr std::uint32_t kWeights[40] = {
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904,
    3906,  3121,  2501,  1991,  1586,  1277,  1024,  820,   655,   526,   423,  335,  272,  215,
    172,   137,   110,   87,    70,    56,    45,    36,    29,    23,    18,   15};
inline constexpr std::uint32_t kInverses[40] = {
    48388,    59856,    76040,    92818,    118348,   147320,    184698,    229616,    287308,    360437,
    449829,   563644,   704093,   875809,   1099582,  1376151,   1717300,   2157191,   2708050,   3363326,
    4194304,  5237765,  6557202,  8165337,  10153587, 12820798,  15790321,  19976592,  24970740,  31350126,
    39045157, 49367440, 61356676, 76695844, 95443717, 119304647, 148102320, 186737708, 238609294, 286331153};

inline std::int32_t nice_of(std::int32_t priority) { return std::clamp(20 - priority, -20, 19); }

inline Weight weight_of_nice(std::int32_t nice) {
    const auto i = static_cast<std::size_t>(nice + 20);
    return {kWeights[i], kInverses[i]};
}

// WEIGHT_IDLEPRIO: weight of tasks of class idle, in 2.6.24 and in later kernels.
inline constexpr Weight kIdleWeightOf2624{2, ~std::uint64_t{0} << 31}, kIdleWeight{3, 1'431'655'765};

inline Weight weight_of(const Machine& m, TaskId p, const Weight& idle_class_weight) {
    if (m.sched_class[p] == SchedClass::idle) [[unlikely]]
        return idle_class_weight;
    return weight_of_nice(nice_of(m.priority[p]));
}

// get_update_sysctl_factor(): the factor by which 2.6.32 and 6.6 multiply latencies and granularities. It
// depends on the number of CPUs.
inline std::int64_t sysctl_factor(const Machine& m) { return std::bit_width(std::min(m.shape().cpus, 8U)); }

// calc_delta_mine() of 2.6: t * factor / w, rounded. `inverse`: the inverse of the weight w (struct Weight).
// If t * factor exceeds 2^32, the product is rounded before the division, too. Products wrap like the
// kernel's.
inline std::uint64_t calc_delta_mine(std::uint64_t t, std::uint32_t factor, std::uint64_t inverse) {
    const std::uint64_t product = t * factor;
    const std::uint64_t result = product > std::uint64_t{1} << 32
                                     ? (((product + (1U << 15)) >> 16) * inverse + (1U << 15)) >> 16
                                     : (product * inverse + (std::uint64_t{1} << 31)) >> 32;
    return std::min(result, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
}

// calc_delta_fair() of 2.6: the virtual time that a task of this weight gains in t ns.
inline std::int64_t virtual_time(std::int64_t t, const Weight& weight) {
    if (weight.w == kNice0Load) return t;
    return static_cast<std::int64_t>(
        calc_delta_mine(static_cast<std::uint64_t>(t), kNice0Load, weight.inverse));
}

// Returns a - b. Virtual times may wrap (linux-2.6.24), so kernels compare this difference with 0 instead
// of comparing a with b.
inline std::int64_t wrapping_difference(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

// Returns t + addend, which may wrap.
inline std::int64_t wrapping_sum(std::int64_t t, std::int64_t addend) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(t) + static_cast<std::uint64_t>(addend));
}

}  // namespace sim::fair
