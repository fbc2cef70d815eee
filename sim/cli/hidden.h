// What both programs do with the tree of their options besides parsing a line; no --help names it:
//
// - PROGRAM complete -- WORDS... says what the last word could become, one a line (TEXT, a tab, help), and
//   never fails;
// - PROGRAM manual FOLDER writes the manual pages into the folder.
#pragma once

#include <optional>

#include "sim/cli/completion.h"
#include "sim/cli/manual.h"

namespace sim::cli {

// Does one of the two if that is what the line asks for, and returns the exit code; `names` and `manual` are
// asked only then. 2 and a message when a page cannot be written.
std::optional<int> run_hidden(const Command& program, int argc, const char* const* argv,
                              NamedValues (*names)(), ManualText (*manual)());

}  // namespace sim::cli
