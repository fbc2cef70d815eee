// From JSON to a Scenario: the only place where files become simulations, and the only one that finds fault.
//
// The format is described in docs/scenario_reference.md and scenarios/schema.json. Unknown keys are errors.
// All problems are reported together, each with file, line, column, JSON pointer and, where a word is nearly
// right, the right one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/place.h"
#include "sim/base/problem.h"
#include "sim/core/scenario.h"

namespace sim {

// Reads a scenario: a file, "-" for standard input, or the name of one that is built in ("yield-processes").
// `sets` are POINTER=VALUE changes, made before anything is checked. Throws ScenarioError.
Scenario load_scenario(const std::string& path_or_name, std::span<const std::string> sets = {});

// A scenario's text before it is read: what parse_scenario() takes.
struct ScenarioText {
    std::string file, text, folder;
};

// The text that load_scenario() would read, to read it several times with other `sets`. Throws ScenarioError.
ScenarioText find_scenario(const std::string& path_or_name);

// The same for text in memory. `folder` is where machine files are looked for before the built-in ones; it
// may be empty. Throws ScenarioError.
Scenario parse_scenario(std::string file, std::string text, std::span<const std::string> sets = {},
                        const std::string& folder = {});

// "2.5ms" as time. Answers nothing when it is not a time, with the reason in `why`. Exact: a fraction of a
// nanosecond is refused, not rounded.
std::optional<Nanos> parse_time(std::string_view text, std::string& why);

// "12.5ms", "switch 37", "recalculation 1" as a place in a run. Answers nothing when it is none, with the
// reason in `why`.
std::optional<Place> parse_place(std::string_view text, std::string& why);

// 1500 ns as "1.5us": exact, in the largest unit up to seconds that leaves no leading zero.
std::string format_time(Nanos time);

// A file built into the program from scenarios/: "yield-processes.json", "machines/pentium-mmx-200.json".
struct BuiltinFile {
    std::string_view name;
    std::string_view text;
};
std::span<const BuiltinFile> builtin_files();  // ordered by name
// The one of that name, or null.
const BuiltinFile* find_builtin(std::string_view name);
// The scenarios for "", the machines for "machines/"; without folder and ending, ordered.
std::vector<std::string> builtin_names(std::string_view folder);

}  // namespace sim
