// A scenario's file with some of its values changed: what `--set` does to a scenario when it is read, done to
// the text that a person wrote, of which the rest stays as it is.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/scenario/scenario_json.h"

namespace sim {

// The text with these POINTER=VALUE changes in it, and with nothing else changed: parse_scenario() makes of
// it what it makes of the original with these `sets`, to the same run. Of several changes of one value the
// last one counts. A value that is changed to what it is stays as it is written; one that is not there yet
// gets its place among its neighbours. "machine": "NAME" becomes {"base": "NAME", ...} when a part of it
// changes.
//
// What "numbers" says of a changed value is no longer so. An entry for just that value says instead what it
// was in the original; one that speaks of others, too, gets another beside it that says so, as long as there
// is room in "numbers"; and what was said of parts of a changed value goes, also out of a range. An entry
// that is itself among the changes stays as they have it.
//
// Throws ScenarioError when something is wrong with the original or with a change.
std::string changed_text(const ScenarioText& original, std::span<const std::string> sets);

// Those of the `sets` that leave another value than the original's where they put one; in their order. Throws
// ScenarioError. REQUIRES: parse_scenario() takes the original with them.
std::vector<std::string> effective_sets(const ScenarioText& original, std::span<const std::string> sets);

// The "machine" of a scenario's text as it stands there, as JSON in one line; empty when it has none. `file`
// is for messages. Throws ScenarioError.
std::string machine_in(const std::string& text, const std::string& file);

// Refuses a text whose machine is another one, or none, when it is read as the file `saved`: the folder where
// that is may describe machines, and so may the original's. Throws ScenarioError. REQUIRES: the text can be
// read in the original's folder.
void check_machine_of(const ScenarioText& original, const std::string& text, const std::string& saved);

}  // namespace sim
