// Reads scenarios from JSON. Only this module converts files to scenarios and reports their problems.
//
// The format is described in docs/reference/scenario_reference.md and scenarios/schema.json. Unknown keys are
// errors. All problems are reported together, with file, line, column, JSON pointer and a suggestion for
// misspelled words. Old names of keys (renamed_keys.h) are accepted, with a notice.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/core/scenario.h"

namespace sim {

// Reads a scenario from a file, from standard input ("-"), from a built-in scenario ("yield-processes"), or
// from a job table ("A 0 8; B 1 4").
// `sets`: POINTER=VALUE changes, applied before validation. `notices`, if not null, receives messages for the
// user that are not errors, such as notices about old names of keys. Throws ScenarioError.
Scenario load_scenario(const std::string& path_or_name, std::span<const std::string> sets = {},
                       std::vector<Problem>* notices = nullptr);

// A scenario's text: the input of parse_scenario().
struct ScenarioText {
    std::string file, text, folder;
    std::string name = {};  // name of the scenario; empty: the file's name without directory and extension

    bool operator==(const ScenarioText&) const = default;
};

// The text that load_scenario() would parse. A caller can parse this text several times with different
// `sets`. A job table, as a file or as `path_or_name` itself ("A 0 8; B 1 4"), is converted to a scenario
// (job_list.h). Throws ScenarioError.
ScenarioText find_scenario(const std::string& path_or_name);

// Parses text in memory. `folder`: directory searched for machine files before the built-in ones; may be
// empty. Throws ScenarioError.
Scenario parse_scenario(std::string file, std::string text, std::span<const std::string> sets = {},
                        const std::string& folder = {}, std::vector<Problem>* notices = nullptr);
Scenario parse_scenario(const ScenarioText& text, std::span<const std::string> sets = {},
                        std::vector<Problem>* notices = nullptr);

}  // namespace sim
