// A sweep as the command line that makes it, to be pasted into a shell.
#pragma once

#include <string>

#include "sim/lab/sweep_spec.h"

namespace sim::lab {

// A word as a shell needs it: in quotes where it has to be.
std::string shell_word(const std::string& word);

// `switchyard sweep ...` for what is asked for about a scenario, by file or name. Without a measure the
// command shows the usual ones.
std::string sweep_command(const std::string& scenario, const SweepRequest& request,
                          const std::string& measure = {});

}  // namespace sim::lab
