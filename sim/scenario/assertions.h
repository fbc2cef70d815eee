// Assertions about a run's summary, used by scenarios and homework tests.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "sim/core/scenario.h"
#include "sim/scenario/fields.h"
#include "sim/scenario/problems.h"

namespace sim {

// Reads one assertion. Returns nullopt if `assertion` is not an object. `policy` is the function that reads
// the value of the key "policy". If this function is empty, the key is reported as unknown.
std::optional<Assertion> read_assertion(Problems& problems, const JsonValue& assertion,
                                        const std::function<std::string(const JsonValue&)>& policy);

}  // namespace sim
