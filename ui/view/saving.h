// The scenario that is open, with all that was changed of it, as a file: what would be in it, and what not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/exchange/formats.h"
#include "sim/scenario/scenario_json.h"
#include "ui/view/model.h"

namespace ui {

// What became of an attempt to save.
struct Saved {
    enum class Outcome : std::uint8_t {
        saved,
        exists,  // there is such a file, and it was not to be replaced
        failed,
    };
    Outcome outcome;
    std::string path;   // of the file
    std::string words;  // why it failed, or the question whether to replace it
};

// All of these REQUIRE an open scenario. `source` is the text that it was made of.

// What is another value than in the source, as POINTER=VALUE: values and the policy of A. A value that was
// changed and changed back is none of them. Throws ScenarioError.
std::vector<std::string> changes_to_save(const sim::ScenarioText& source, const Model& model);
// The file's text. Throws ScenarioError.
std::string changed_scenario(const sim::ScenarioText& source, const Model& model);
// What is on the screen and cannot be in such a file, a line each: the second run, and what was done in it.
std::vector<std::string> not_saved(const Model& model);
// A name for the file: "x-mine.json", beside x.json or, for a built-in scenario, in the current folder.
std::string proposed_file(const sim::ScenarioText& source);

// The file that somebody means who typed this: without blanks around it, with the home folder for a "~" that
// it begins with, and with ".json" behind it, unless it ends so or such a file is there. Throws
// sim::FileError for what can be no file: nothing, a folder, a device.
std::string file_to_save(const std::string& typed);
// The same of a script: ".lua" is added to whatever does not end so.
std::string script_file_to_save(const std::string& typed);

// The same of an export, to which no ending is added.
std::string file_to_export(const std::string& typed);
// The format that the ending of a file's name asks for: ".schedule.json" before ".json". Throws
// sim::FileError that says which endings there are.
const sim::exchange::Format& export_format(const std::string& path);
// Those endings, with what each is, a line each.
std::vector<std::string> export_endings();
// A name for the file: "x.perfetto-trace", in the current folder.
std::string proposed_export(const sim::ScenarioText& source);

}  // namespace ui
