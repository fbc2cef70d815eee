// A run of homework: it ends, whatever the policy does.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "sim/core/engine.h"
#include "sim/core/policy.h"
#include "sim/core/scenario.h"

namespace sim::grade {

inline constexpr std::uint64_t kMostEvents = 2'000'000;

// Why a run cannot be graded: a sentence.
class Ungraded : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// To the end that the scenario asks for, or so many events.
Limits bounded_limits(const Scenario& scenario);

// Runs the machine to the end. Throws PolicyError when the policy has done what no scheduler may, and
// Ungraded when the end does not come.
StopReason run_to_end(const Engine& engine, const Scenario& scenario, Machine& m, const Sinks& sinks);

}  // namespace sim::grade
