// JSON pointers that --set and --vary accept for a scenario, one level at a time, for completion.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sim::cli {

// A completion of a word.
struct CompletionCandidate {
    std::string text;       // the whole word
    std::string help = {};  // one line; may be empty
};

// The scenario as a user may change it: without descriptive members, with the content of the machine in place
// of its name, and with all optional members. Returns null if the text is not a scenario's JSON.
nlohmann::ordered_json settable_scenario_json(const std::string& text);

// Completions of `partial_word`: "/tasks/" has further levels, "/tasks/0/count=" expects a value. After '=',
// the candidate is the current value.
std::vector<CompletionCandidate> json_pointer_candidates(const nlohmann::ordered_json& scenario,
                                                         std::string_view partial_word);

}  // namespace sim::cli
