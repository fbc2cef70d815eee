// Policies on command lines may have the names that courses use: `--policy RR` (sim/core/policy_names.h).
#pragma once

#include <functional>
#include <string>

#include "sim/command_line/arguments.h"

namespace sim::cli {

// Makes every option whose values are policies accept these names. `notice` receives, once for each name, the
// policy that it stands for. REQUIRES: all commands and options are added.
void accept_usual_policy_names(Command& program, const std::function<void(const std::string&)>& notice);

}  // namespace sim::cli
