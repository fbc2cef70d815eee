// From JSON to a Scenario: the only place where files become simulations, and the only one that finds fault.
//
// The format is described in docs/scenario_reference.md and scenarios/schema.json. Unknown keys are errors.
// All problems are reported together, each with file, line, column, JSON pointer and, where a word is nearly
// right, the right one.
#pragma once

#include <span>
#include <string>

#include "sim/base/problem.h"
#include "sim/core/scenario.h"

namespace sim {

// Reads a scenario: a file, "-" for standard input, or the name of one that is built in ("yield-processes").
// `sets` are POINTER=VALUE changes, made before anything is checked. Throws ScenarioError.
Scenario load_scenario(const std::string& path_or_name, std::span<const std::string> sets = {});

// A scenario's text before it is read: what parse_scenario() takes.
struct ScenarioText {
    std::string file, text, folder;
    std::string name = {};  // the scenario's; empty: that of the file, without folder and ending

    bool operator==(const ScenarioText&) const = default;
};

// The text that load_scenario() would read, to read it several times with other `sets`. Throws ScenarioError.
ScenarioText find_scenario(const std::string& path_or_name);

// The same for text in memory. `folder` is where machine files are looked for before the built-in ones; it
// may be empty. Throws ScenarioError.
Scenario parse_scenario(std::string file, std::string text, std::span<const std::string> sets = {},
                        const std::string& folder = {});
Scenario parse_scenario(const ScenarioText& text, std::span<const std::string> sets = {});

}  // namespace sim
