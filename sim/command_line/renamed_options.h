// Old names of options: they still work and print a notice. Help, manual pages and completion contain only
// the current names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/command_line/arguments.h"

namespace sim::cli {

// The current name of the command's option: "--exit-code" for "--same" of compare. A name that is not an old
// name is returned unchanged.
std::string_view current_option_name(const Command& command, std::string_view name);

// Returns the words of the command line, the program's name first, with the current names of all options.
// Values, and the words after "--", are unchanged. Prints a notice on standard error for each old name, once.
std::vector<std::string> with_current_option_names(const Command& program, int argc, const char* const* argv);

}  // namespace sim::cli
