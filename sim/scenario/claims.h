// A claim about a run's summary, as scenarios and the tests of homework have it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "sim/core/scenario.h"
#include "sim/scenario/fields.h"
#include "sim/scenario/problems.h"

namespace sim {

// Reads one; nothing for what is no object. `policy` reads the policy under which it holds; when it is empty,
// claims name none.
std::optional<Expectation> read_claim(Problems& problems, const JsonValue& claim,
                                      const std::function<std::string(const JsonValue&)>& policy);

}  // namespace sim
