// The files that a command line names, looked at before anything is done: a mistake in a name must not cost
// an hour of simulations, or the file that they were to be read from. The machine that a scenario names is
// not among them.
#pragma once

#include <string>

#include "sim/cli/arguments.h"

namespace sim::cli {

// --output FILE, as most commands have it.
void add_output_option(Command& command, std::string& file);

// From now on, each command refuses before it begins: an empty value for an option that names a file or a
// word (a script whose variable is empty believes that it has saved something); a file to write that can be
// seen not to be writable; one that is to be written twice, or read as well. `save` may write the scenario
// that it reads.
void check_given_files(Command& program);

}  // namespace sim::cli
