// Applies `--set` changes to the text of a scenario file and preserves the rest of the text.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/scenario/scenario_json.h"

namespace sim {

// Returns the original text after the POINTER=VALUE changes `sets`. parse_scenario() converts the result to
// the same scenario as the original text with these `sets`.
// - If several changes set the same value, only the last of them is applied.
// - A value keeps its spelling if it is set to an equal value. A new member is inserted at its usual
//   position in the object.
// - "machine": "NAME" becomes {"base": "NAME", ...} if a member of the machine changes.
//
// The entries of "provenance" about a changed value are updated:
// - An entry for exactly this value is replaced by an entry that states the original value.
// - If an entry covers other values too, a new entry for the changed value is added, unless "provenance"
//   is full.
// - Entries for parts of a changed value are removed. An entry for a range of elements loses only the
//   changed element.
// - An entry that `sets` itself changes is not updated.
//
// Throws ScenarioError if the original or a change is invalid.
std::string text_with_changes(const ScenarioText& original, std::span<const std::string> sets);

// Returns the elements of `sets` that change a value of the original text, in their original order. Throws
// ScenarioError. REQUIRES: parse_scenario() accepts the original with `sets`.
std::vector<std::string> sets_that_change_values(const ScenarioText& original,
                                                 std::span<const std::string> sets);

// The value of "machine" in a scenario's text, as JSON in one line. If the text has no "machine", the name of
// the default machine is returned. `file` is used in messages only. Throws ScenarioError.
std::string machine_json_in(const std::string& text, const std::string& file);

// Throws ScenarioError if the text would describe a different machine, or no valid machine, after it has been
// saved as the file `saved`. This is possible if the directories of `saved` and of the original contain
// different machine files. REQUIRES: the text is valid in the original's directory.
void check_machine_unchanged(const ScenarioText& original, const std::string& text, const std::string& saved);

}  // namespace sim
