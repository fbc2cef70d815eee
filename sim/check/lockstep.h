// Two policies under the same scenario, decision by decision: where do they part for the first time?
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "sim/core/engine.h"
#include "sim/explain/decision_view.h"

namespace sim {

struct Divergence {
    std::uint64_t decision = 0;  // its number, from 1: the first that chose another task
    DecisionView a, b;
};

struct LockstepResult {
    std::uint64_t decisions = 0;  // compared, until the first that differs or until one run was over
    bool a_goes_on = false, b_goes_on = false;  // without a divergence: one has more decisions, within limits
    std::optional<Divergence> divergence;
};

// The two have the same tasks; their machines may differ.
struct LockstepSide {
    const Scenario& scenario;
    const Policy& policy;
};

// Runs both until a decision differs in the chosen task or one of the runs ends. Time may differ all along:
// the n-th decision of one is compared with the n-th of the other. `progress` is called now and then; it may
// be empty. Throws PolicyError when a policy that is a script has done what no scheduler may.
LockstepResult first_divergence(const LockstepSide& a, const LockstepSide& b, const Limits& limits,
                                const std::function<void(std::uint64_t decisions)>& progress = {});

}  // namespace sim
