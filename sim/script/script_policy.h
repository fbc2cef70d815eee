// Policies that are scripts: files (`--policy my.lua`) and built-in scripts (scenarios/policies/).
#pragma once

#include <string>
#include <string_view>

#include "sim/core/policy.h"

namespace sim::script {

// Makes a policy from a script. `name` is the name of the policy; messages that refer to a line of the script
// begin with this name. Throws PolicyError if the script cannot be loaded.
PolicyInfo script_policy(const std::string& name, std::string_view text);

}  // namespace sim::script
