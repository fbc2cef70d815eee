// From text to the values of a JsonTree, in one pass; refuses what is no JSON in words for somebody who has
// written little of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/problem.h"
#include "sim/scenario/json_tree.h"

namespace sim {

// Refuses what is no text: too large, UTF-16, not UTF-8, or with characters that are not shown
// (sim/base/text.h), in comments, too: a file reads as what it says. Throws ScenarioError.
void check_bytes(const std::string& file, std::string_view text, std::size_t most = kMaxJsonBytes);

// Gives the problem the line and column of this byte of the text.
void set_place(Problem& problem, std::string_view text, std::size_t offset);

// The JSON value that the text is, built in `storage`; what has a meaning and is wrong all the same, keys
// given twice and text that is not shown, is appended to `noted`. `file` is only named in messages. Throws
// ScenarioError. REQUIRES: check_bytes() has passed the text, which outlives the storage.
JsonValue& parse_json(const std::string& file, std::string_view text, JsonStorage& storage,
                      std::vector<Problem>& noted, JsonMembers members = JsonMembers::by_key);

}  // namespace sim
