// Recorded decisions of real kernels, replayed: one JSON object a line (docs/decision_vectors.md has the
// format).
#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <string>

#include "sim/base/problem.h"
#include "sim/core/policy.h"

namespace sim {

struct VerifyResult {
    std::uint64_t cases = 0;
    std::uint64_t decisions = 0;    // outcomes compared
    std::uint64_t recorded = 0;     // outcomes that there are in the lines
    std::uint64_t differences = 0;  // cases in which an outcome differs; such a case ends there
    bool whole = true;              // queue order and tasks considered were compared, too
    std::string compared;           // what was, of the last line
    std::uint64_t ticks = 0;        // of recordings that have many in a row (2.6.20)
    std::string policies;           // what was replayed, as policy specs
    std::string first_difference;   // where and what, several lines; empty when there is none
};

// Replays the cases of a file. `policy` takes the place of the recorded one when it is not empty; the
// recorded variant of sched_yield is kept unless it names one. Throws ScenarioError for lines that are no
// recorded decisions, and PolicyError with the place of the case in which a script has failed. `make` makes
// the policy that takes the recorded one's place; without it, make_policy() does.
using PolicyMaker = std::function<NamedPolicy(const std::string& spec)>;
VerifyResult verify(std::istream& lines, const std::string& file, const std::string& policy,
                    const PolicyMaker& make = {});

}  // namespace sim
