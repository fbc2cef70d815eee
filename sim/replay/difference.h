// Finds the first decision for which two runs of one scenario choose different tasks.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/replay/run_history.h"

namespace sim {

// Compares the decisions with equal numbers in both runs, even if their times differ. Starts at decision
// `first` and compares at most `most` decisions.
struct DifferenceSearch {
    std::optional<std::uint64_t> decision;  // the first one that chose different tasks
    std::uint64_t next = 0;                 // the first decision not compared yet
    bool over = false;                      // a run has no further simulated decision
};

// REQUIRES: first >= 1; both runs have the same scenario, and so the same rows in their task tables.
DifferenceSearch find_difference(const RunHistory& a, const RunHistory& b, std::uint64_t first,
                                 std::uint64_t most);

}  // namespace sim
