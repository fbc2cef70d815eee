// Runs a simulation for grading. The number of events is limited, so the run ends under any policy.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "sim/core/engine.h"
#include "sim/core/policy.h"
#include "sim/core/scenario.h"

namespace sim::grade {

inline constexpr std::uint64_t kMostEvents = 2'000'000;

// Thrown if a run cannot be graded. The message is one sentence with the reason.
class GradingError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The limits of a run for grading: the end stated in the scenario, and kMostEvents events.
Limits grading_limits(const Scenario& scenario);

// Runs the machine to the end. Throws PolicyError if the policy breaks a rule for schedulers, and
// GradingError if the run does not end.
StopReason run_to_end(const Engine& engine, const Scenario& scenario, Machine& m, const Sinks& sinks);

}  // namespace sim::grade
