// A policy that is a script: `--policy my.lua`, and those built in (scenarios/policies/).
#pragma once

#include <string>
#include <string_view>

#include "sim/core/policy.h"

namespace sim::script {

// `name` is how it is asked for, and stands before the lines in messages. Throws PolicyError when the script
// cannot be loaded.
PolicyInfo script_policy(const std::string& name, std::string_view text);

}  // namespace sim::script
