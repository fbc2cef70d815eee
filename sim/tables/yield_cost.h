// The cost of a yield in a simulation of the 1997 document's program, and its parts.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/core/cost_model.h"

namespace sim::tables {

inline constexpr std::array<int, 6> kYieldContexts{2, 4, 8, 10, 20, 40};
inline constexpr std::uint64_t kYields = 100'000;

// A row of the 1997 table of yield costs.
struct YieldRow {
    const char* label;
    const char* scenario;
    const char* machine;
    const char* policy;
    std::array<double, 6> published;  // us, one value for each number of contexts in kYieldContexts
};

inline constexpr std::size_t kLinuxRows = 4;
std::span<const YieldRow> yield_rows();  // Linux's rows, then NT's

// Counts and times of one cell's simulation, over the measured yields.
struct YieldCost {
    std::uint64_t yields = 0, switched = 0, recalculations = 0;
    // Numbers of tasks examined, of counters recalculated, and of switches that loaded page tables.
    std::uint64_t considered = 0, recalculated = 0, mm_loads = 0;
    Nanos time{};
    Overhead overhead;

    // The mean time per yield, in us.
    double per_yield(Nanos part) const {
        return static_cast<double>(part.count()) / 1e3 / static_cast<double>(yields);
    }
    double per_yield(std::uint64_t count) const {
        return static_cast<double>(count) / static_cast<double>(yields);
    }
};

// Simulates at least `yields` yields on the row's machine with `changes` (POINTER=VALUE). REQUIRES: contexts
// > 0.
YieldCost measure_yield_cost(const YieldRow& row, int contexts, std::uint64_t yields = kYields,
                             const std::vector<std::string>& changes = {});

}  // namespace sim::tables
