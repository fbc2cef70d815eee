// Options under their old names: the old spelling still works and prints a notice. Help, manual pages and
// completion contain only the present names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/command_line/arguments.h"

namespace sim::cli {

// The present name of the command's option: "--exit-code" for "--same" of compare. Returns a name that is not
// an old one unchanged.
std::string_view present_name(const Command& command, std::string_view name);

// Returns the words of the command line, the program's name first, with the present names of all options.
// Values, and the words after "--", are unchanged. Prints a notice on standard error for each old name, once.
std::vector<std::string> with_present_names(const Command& program, int argc, const char* const* argv);

}  // namespace sim::cli
