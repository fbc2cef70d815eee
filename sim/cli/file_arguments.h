// Checks the files on a command line before the command starts: a mistyped name must not cost hours of
// simulation or overwrite an input. The machine file of a scenario is not checked.
#pragma once

#include <string>

#include "sim/command_line/arguments.h"

namespace sim::cli {

void add_output_option(Command& command, std::string& file);

// Makes every command reject, before it starts:
// - an empty value of an option that expects a file or a word (a shell variable was probably not set);
// - an output file that cannot be written, as check_can_be_written() finds out;
// - an output file that is also written or read by another option; `save` may overwrite its scenario.
void check_file_arguments(Command& program);

}  // namespace sim::cli
