// Finds the first decision for which two runs of one scenario choose different tasks.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/replay/run_history.h"

namespace sim {

// Compares decisions of the same number in both runs, from `first` on, at most `most`. Their times may
// differ.
struct DifferenceSearch {
    std::optional<std::uint64_t> decision;  // the first one that chose different tasks
    std::uint64_t next = 0;                 // the first decision not compared yet
    bool over = false;                      // one of the runs has no further decision simulated
};

// REQUIRES: first >= 1; both runs have the same scenario, and so the same rows in their task tables.
DifferenceSearch find_difference(const RunHistory& a, const RunHistory& b, std::uint64_t first,
                                 std::uint64_t most);

}  // namespace sim
