// Two commands that switchyard and switchyard-ui both have and that --help does not list:
//
// - PROGRAM complete -- WORDS... prints candidates for the last word, one per line (TEXT, a tab, help),
//   and never fails.
// - PROGRAM manual DIRECTORY writes the manual pages.
#pragma once

#include <optional>

#include "sim/command_line/completion.h"
#include "sim/command_line/manual.h"

namespace sim::cli {

// Executes `complete` or `manual` if the line names one of them, and returns the exit code. Calls `names`
// or `manual` only in this case. Throws FileError if a page cannot be written.
std::optional<int> run_hidden_command(const Command& program, int argc, const char* const* argv,
                                      CandidatesByValueName (*names)(), ManualText (*manual)());

}  // namespace sim::cli
