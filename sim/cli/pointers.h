// What --set and --vary can name in a scenario, one level at a time, for completion.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sim::cli {

// What could stand where a word has been begun.
struct Candidate {
    std::string text;       // the whole word
    std::string help = {};  // a line about it; may be empty
};

// The scenario as a user may change it: without what is only said about it, with the machine in place of its
// name, and with the members that every scenario has. Returns null for a text that is no JSON.
nlohmann::ordered_json changeable(const std::string& text);

// The pointers that `begun` may become: "/tasks/" leads on, "/tasks/0/count=" is a value. After '=', the
// value that the scenario has.
std::vector<Candidate> pointers(const nlohmann::ordered_json& scenario, std::string_view begun);

}  // namespace sim::cli
