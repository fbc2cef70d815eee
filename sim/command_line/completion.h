// Shell completion: candidates for the last word of a command line.
//
// The tree of commands and options determines what the word may be. For the value of an option, the
// candidates depend on the name that --help prints for the value: POLICY, SCENARIO, POINTER=VALUE,
// {text|json}.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "sim/command_line/arguments.h"
#include "sim/command_line/pointers.h"

namespace sim::cli {

// Candidates for values other than policies, scenarios and measures, by the name of the value, such as
// "TABLE".
using CandidatesByValueName = std::map<std::string, std::vector<CompletionCandidate>>;

// Candidates for the last word, which may be empty; the words exclude the program's name. A candidate that
// ends with one of "/=:," is incomplete. Reads the scenario that the line names, and lists directories. A
// scenario or directory that cannot be read has no candidates. REQUIRES: words is not empty.
std::vector<CompletionCandidate> complete_last_word(const Command& program,
                                                    std::span<const std::string> words,
                                                    const CandidatesByValueName& by_value_name);

}  // namespace sim::cli
