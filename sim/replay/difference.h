// Finds the first decision for which two runs of one scenario choose different tasks.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/replay/run_history.h"

namespace sim {

// Result of comparing two runs decision by decision. Decisions with equal numbers are compared, even if
// their times differ. The comparison starts at decision `first_decision` and covers at most `most` decisions.
struct DifferenceSearchResult {
    // Number of the first decision with different choices; nullopt: none found.
    std::optional<std::uint64_t> decision;
    std::uint64_t next = 0;  // number of the first decision not yet compared
    bool over = false;       // all decisions that both runs have simulated so far have been compared
};

// REQUIRES: first_decision >= 1; both runs have the same scenario, and therefore the same rows in their task
// tables.
DifferenceSearchResult find_difference(const RunHistory& a, const RunHistory& b, std::uint64_t first_decision,
                                       std::uint64_t most);

}  // namespace sim
