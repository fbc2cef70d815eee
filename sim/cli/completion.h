// What could come next on a command line: the answer to a shell whose user has pressed Tab.
//
// The same tree of commands and options that parses and prints --help says which word is begun; what its
// value can be follows from the name that --help prints for it: POLICY, SCENARIO, POINTER=VALUE, {text|json}.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "sim/cli/arguments.h"
#include "sim/cli/pointers.h"

namespace sim::cli {

// What a program has names for besides policies, scenarios and measures: by the name of the value, "TABLE".
using NamedValues = std::map<std::string, std::vector<Candidate>>;

// What the last of the words, which may be empty, could become; the words before it are complete, and the
// program's name is not among them. A candidate that ends with one of "/=:," goes on. Reads the scenario that
// is named on the line and lists folders; what cannot be read has no candidates. REQUIRES: words is not
// empty.
std::vector<Candidate> complete(const Command& program, std::span<const std::string> words,
                                const NamedValues& named);

}  // namespace sim::cli
