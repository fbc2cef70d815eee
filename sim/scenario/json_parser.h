// Parses text into the values of a JsonTree in one pass. The error messages are meant for readers with little
// JSON experience.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/problem.h"
#include "sim/scenario/json_tree.h"

namespace sim {

// Rejects text that is too large, is not UTF-8 (such as UTF-16), or contains hidden characters
// (sim/base/text.h), even in comments. Thus a file contains nothing that its reader cannot see. Throws
// ScenarioError.
void check_size_and_characters(const std::string& file, std::string_view text,
                               std::size_t max_bytes = kMaxJsonBytes);

// Sets the line and column of the problem to those of byte `offset`.
void set_line_and_column(Problem& problem, std::string_view text, std::size_t offset);

// Parses the text and stores its values in `storage`. If a mistake leaves the meaning of the text clear (a
// duplicate key, a hidden character), appends the mistake to `noted`. Throws ScenarioError for any other
// mistake. `file` is for messages. REQUIRES: check_size_and_characters() accepts the text, which must outlive
// the storage.
JsonValue& parse_json(const std::string& file, std::string_view text, JsonStorage& storage,
                      std::vector<Problem>& noted, JsonMemberOrder members = JsonMemberOrder::by_key);

}  // namespace sim
