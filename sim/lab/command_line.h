// The command line of a sweep, to be pasted into a shell.
#pragma once

#include <string>

#include "sim/lab/sweep_spec.h"

namespace sim::lab {

// Quotes a word for the shell if necessary.
std::string quote_for_shell(const std::string& word);

// The command `switchyard sweep ...` for a request. `scenario`: file or name of the scenario. If `measure`
// is empty, the command shows the default measures.
std::string sweep_command(const std::string& scenario, const SweepRequest& request,
                          const std::string& measure = {});

}  // namespace sim::lab
