// A scenario's file with some of its values changed: what `--set` does to a scenario when it is read, done to
// the text that a person wrote, of which the rest stays as it is.
#pragma once

#include <span>
#include <string>

#include "sim/scenario/scenario_json.h"

namespace sim {

// The text with these POINTER=VALUE changes in it, in their order, and with nothing else changed:
// parse_scenario() makes of it what it makes of the original with these `sets`, to the same run. A value
// that is changed to what it is stays as it is written; one that is not there yet gets its place among its
// neighbours. "machine": "NAME" becomes {"base": "NAME", ...} when a part of it changes. What "numbers" says
// of a changed value is no longer so: the entry says instead what the value was, and those for what is gone
// go. Throws ScenarioError when something is wrong with the original or with a change.
std::string changed_text(const ScenarioText& original, std::span<const std::string> sets);

// Whether the text's machine is the same one when it is read in this folder instead of the original's: a
// machine may be described by a file beside a scenario. Throws ScenarioError, for the file `saved`, when not.
void check_machine_of(const ScenarioText& original, const std::string& text, const std::string& saved);

}  // namespace sim
