// Policies that are scripts: `--policy my.lua` and the built-in ones (scenarios/policies/).
#pragma once

#include <string>
#include <string_view>

#include "sim/core/policy.h"

namespace sim::script {

// Makes a policy from a script. `name` selects the policy, and messages begin with it when they refer to a
// line. Throws PolicyError if the script cannot be loaded.
PolicyInfo script_policy(const std::string& name, std::string_view text);

}  // namespace sim::script
