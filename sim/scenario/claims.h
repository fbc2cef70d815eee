// Assertions about a run's summary, used by scenarios and homework tests.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "sim/core/scenario.h"
#include "sim/scenario/fields.h"
#include "sim/scenario/problems.h"

namespace sim {

// Reads one assertion; nullopt if `claim` is not an object. `policy` reads the policy to which the assertion
// applies; if it is empty, the key "policy" is unknown.
std::optional<Expectation> read_claim(Problems& problems, const JsonValue& claim,
                                      const std::function<std::string(const JsonValue&)>& policy);

}  // namespace sim
