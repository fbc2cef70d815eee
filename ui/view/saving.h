// Saves the open scenario with its changes: the contents of the file, and the state that it cannot contain.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/scenario_json.h"
#include "sim/trace_io/formats.h"
#include "ui/view/model.h"

namespace ui {

// The result of an attempt to save.
struct Saved {
    enum class Outcome : std::uint8_t {
        saved,
        exists,  // the file exists and must not be replaced
        failed,
    };
    Outcome outcome;
    std::string path;
    std::string words;  // why it failed, or the question whether to replace the file
};

// The functions with a Model REQUIRE an open scenario. `source`: the text that it was made from.

// The values and the policy of run A that differ from the source, as POINTER=VALUE. Values that were changed
// back are not included. Throws ScenarioError.
std::vector<std::string> changes_to_save(const sim::ScenarioText& source, const Model& model);
// The contents of the file. Throws ScenarioError.
std::string changed_scenario(const sim::ScenarioText& source, const Model& model);
// The visible state that the file cannot contain, one line each: the second run and its interventions.
std::vector<std::string> not_saved(const Model& model);
// A proposed name: "x-mine.json", next to x.json or, for a built-in scenario, in the current directory.
std::string proposed_file(const sim::ScenarioText& source);

// The file name for typed text, without surrounding spaces. A leading "~" is the home directory. ".json" is
// appended unless the text ends with it or such a file exists. Throws sim::FileError for an empty name, a
// directory or a device.
std::string file_to_save(const std::string& typed);
// The same for the name of a policy script; ".lua" is appended unless the name ends with it.
std::string script_file_to_save(const std::string& typed);

// The same for the name of an export, without an appended ending.
std::string file_to_export(const std::string& typed);
// The format for a file's ending, the longest match: ".schedule.json" before ".json". Throws sim::FileError
// with a list of the endings.
const sim::trace_io::Format& export_format(const std::string& path);
// The endings, one line each with a description.
std::vector<std::string> export_endings();
// A proposed name: "x.perfetto-trace", in the current directory.
std::string proposed_export(const sim::ScenarioText& source);

}  // namespace ui
