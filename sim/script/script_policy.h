// Policies that are scripts: `--policy my.lua` and the built-in ones (scenarios/policies/).
#pragma once

#include <string>
#include <string_view>

#include "sim/core/policy.h"

namespace sim::script {

// `name` selects the policy and is the prefix of lines in messages. Throws PolicyError if the script cannot
// be loaded.
PolicyInfo script_policy(const std::string& name, std::string_view text);

}  // namespace sim::script
