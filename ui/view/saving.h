// Functions for saving the open scenario with its changes: the contents of the file, and the state that the
// file cannot contain.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/scenario_json.h"
#include "sim/trace_io/export/export_formats.h"
#include "ui/view/model.h"

namespace ui {

// The result of an attempt to save.
struct SaveResult {
    enum class Outcome : std::uint8_t {
        saved,
        exists,  // the file exists and was not replaced
        failed,
    };
    Outcome outcome;
    std::string path;
    std::string words;  // the error, or the question whether to replace the file
};

// REQUIRES, for the functions with a Model: a scenario is open. `source`: the text from which that scenario
// was made.

// The values and the policy of run A that differ from those in `source`, as POINTER=VALUE. A value that the
// user has changed and then changed back is not included. Throws ScenarioError.
std::vector<std::string> changes_to_save(const sim::ScenarioText& source, const Model& model);
// The contents of the file to save. Throws ScenarioError.
std::string changed_scenario_text(const sim::ScenarioText& source, const Model& model);
// The visible state that the file cannot contain (the second run and its interventions), one line each.
std::vector<std::string> state_not_in_file(const Model& model);
// A proposed file name. For a scenario from a .json file, it is the name of this file. For another file x, it
// is "x-mine.json" in the directory of x. For a built-in scenario x, it is "x-mine.json" in the current
// directory.
std::string proposed_file(const sim::ScenarioText& source);

// The file name for a typed text, without surrounding spaces. A leading "~" is the home directory. ".json"
// is appended, unless the text ends with it or a file of the typed name exists. Throws sim::FileError for
// an empty name, a directory or a device.
std::string scenario_save_path(const std::string& typed);
// As scenario_save_path(), but for a policy script: appends ".lua" unless the name ends
// with it.
std::string script_save_path(const std::string& typed);

// As scenario_save_path(), but for an export: appends no ending.
std::string export_path(const std::string& typed);
// The export format that the ending of `path` selects. If several endings match, the longest is used:
// ".schedule.json" rather than ".json". Throws sim::FileError, with a list of the endings, if none matches.
const sim::trace_io::ExportFormat& export_format(const std::string& path);
// The endings of all export formats, one line each with a description.
std::vector<std::string> export_endings();
// A proposed file name for an export of the scenario x: "x.perfetto-trace", in the current directory.
std::string proposed_export_file(const sim::ScenarioText& source);

}  // namespace ui
