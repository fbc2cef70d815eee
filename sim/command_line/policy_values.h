// Lets users name policies on command lines as courses do: `--policy RR` (sim/core/policy_names.h).
#pragma once

#include <functional>
#include <string>

#include "sim/command_line/arguments.h"

namespace sim::cli {

// Makes every option whose values are policies accept the names that courses use. For each such name in the
// command line, calls `print_notice` once with a sentence that states which policy is used. REQUIRES: all
// commands and options are added.
void accept_common_policy_names(Command& program,
                                const std::function<void(const std::string&)>& print_notice);

}  // namespace sim::cli
