// Compares two policies under the same scenario, decision by decision, and finds the first difference.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "sim/core/engine.h"
#include "sim/explain/decision_view.h"

namespace sim {

struct Divergence {
    std::uint64_t decision = 0;  // number of the first decision with different chosen tasks; from 1
    DecisionView a, b;
};

struct LockstepResult {
    std::uint64_t decisions = 0;  // decisions compared until the first difference or the end of one run
    // If there is no divergence: true if run a (or b) has further decisions within the limits.
    bool a_goes_on = false, b_goes_on = false;
    std::optional<Divergence> divergence;
};

// One of the two compared runs. REQUIRES: the scenarios of both runs have the same tasks; their machines may
// differ.
struct LockstepSide {
    const Scenario& scenario;
    const Policy& policy;
};

// Runs both sides until a decision differs in the chosen task or one run ends. The n-th decision of one run
// is compared with the n-th of the other, even if their times differ. `progress` is called occasionally; it
// may be empty. Throws PolicyError if a policy script fails.
LockstepResult find_first_divergence(const LockstepSide& a, const LockstepSide& b, const Limits& limits,
                                     const std::function<void(std::uint64_t decisions)>& progress = {});

}  // namespace sim
