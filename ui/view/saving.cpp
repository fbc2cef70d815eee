#include "ui/view/saving.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "sim/base/atomic_file.h"
#include "sim/os/directories.h"
#include "sim/scenario/scenario_edit.h"
#include "ui/view/format.h"
#include "ui/view/knobs.h"

namespace ui {
namespace {

// True if another change sets a value that contains the value at `pointer`.
bool lies_in_another_change(const std::string& pointer, const std::vector<std::string>& changes) {
    return std::any_of(changes.begin(), changes.end(), [&](const std::string& change) {
        return pointer.starts_with(change.substr(0, change.find('=')) + "/");
    });
}

// An intervention as text: "kill hog.1 at 12.5 ms".
std::string intervention_text(const sim::Intervention& done, const Run& run) {
    using Kind = sim::Intervention::Kind;
    const std::string at = " at " + instant_text(done.time);
    if (done.kind == Kind::policy) return done.policy + " from " + instant_text(done.time) + " on";
    const std::string name = run.name(done.task);
    if (done.kind == Kind::renice) return fmt::format("renice {} to priority {}{}", name, done.priority, at);
    return (done.kind == Kind::kill ? "kill " : "wake ") + name + at;
}

// The file name for a typed text. Appends `ending` if the name does not end with it. If `even_if_file_exists`
// is false, the name of an existing file is not changed.
std::string file_with_ending(const std::string& typed, const char* ending, bool even_if_file_exists) {
    namespace fs = std::filesystem;
    constexpr const char* kBlanks = " \t\r\n";
    const std::size_t first = typed.find_first_not_of(kBlanks);
    if (first == std::string::npos) throw sim::FileError("The file name is missing.");
    std::string name = typed.substr(first, typed.find_last_not_of(kBlanks) + 1 - first);
    name = sim::os::expand_home(std::move(name));
    const std::string last = fs::path(name).filename().string();
    if (last.empty() || last == "." || last == "..")
        throw sim::FileError(fmt::format("{}: this is a directory; the file name is missing.", name));
    std::error_code error;
    if (!name.ends_with(ending) && (even_if_file_exists || !fs::is_regular_file(name, error))) name += ending;
    const fs::file_status there = fs::status(name, error);
    if (fs::is_directory(there)) throw sim::FileError(fmt::format("{}: a directory has this name.", name));
    if (fs::exists(there) && !fs::is_regular_file(there))
        throw sim::FileError(fmt::format("{}: this is not a regular file.", name));
    return name;
}

}  // namespace

std::vector<std::string> changes_to_save(const sim::ScenarioText& source, const Model& model) {
    const sim::Scenario before = sim::parse_scenario(source);
    std::vector<std::string> changes = model.sets;
    for (const Knob& knob : knobs_of(before))
        if (!lies_in_another_change(knob.pointer, model.sets))
            std::erase(changes, knob.pointer + "=" + scenario_value_text(knob, value_of(knob, before)));
    changes = sim::sets_that_change_values(source, changes);
    const std::string policy = model.a->history().policy().spec();
    if (policy != sim::make_policy(model.a->scenario().policy, model.a->scenario().cpus).spec())
        changes.push_back(fmt::format("/policy=\"{}\"", policy));
    return changes;
}

std::string changed_scenario_text(const sim::ScenarioText& source, const Model& model) {
    return sim::text_with_changes(source, changes_to_save(source, model));
}

std::vector<std::string> state_not_in_file(const Model& model) {
    std::vector<std::string> lines;
    if (model.b == nullptr) return lines;
    const sim::RunHistory& b = model.b->history();
    lines.push_back(fmt::format("the comparison with {}", b.policy().spec()));
    for (const sim::Intervention& done : b.interventions())
        lines.push_back(fmt::format("the intervention in run B: {}", intervention_text(done, *model.b)));
    return lines;
}

std::string proposed_file(const sim::ScenarioText& source) {
    constexpr std::string_view kOwn = "-mine";
    std::error_code error;
    const bool is_own = source.name.empty() && std::filesystem::path(source.file).extension() == ".json" &&
                        std::filesystem::exists(source.file, error);
    if (is_own) return source.file;  // the dialog asks for confirmation before it replaces the file
    const std::filesystem::path path = source.name.empty() ? source.file : source.name + ".json";
    std::string stem = path.stem().string();
    if (!stem.ends_with(kOwn)) stem += kOwn;
    return (path.parent_path() / (stem + ".json")).string();
}

std::string scenario_save_path(const std::string& typed) { return file_with_ending(typed, ".json", false); }

std::string script_save_path(const std::string& typed) { return file_with_ending(typed, ".lua", true); }

std::string export_path(const std::string& typed) { return file_with_ending(typed, "", true); }

namespace {

// The file name ending of a format. If an earlier format has the same ending, the name of the format is put
// in front of the ending.
std::string ending_of(const sim::trace_io::ExportFormat& format) {
    for (const sim::trace_io::ExportFormat& other : sim::trace_io::export_formats()) {
        if (std::string_view(other.ending) != format.ending) continue;
        if (std::string_view(other.name) == format.name) break;
        return fmt::format(".{}.{}", format.name, format.ending);
    }
    return fmt::format(".{}", format.ending);
}

}  // namespace

const sim::trace_io::ExportFormat& export_format(const std::string& path) {
    const sim::trace_io::ExportFormat* found = nullptr;
    for (const sim::trace_io::ExportFormat& format : sim::trace_io::export_formats())
        if (path.ends_with(ending_of(format)) &&
            (found == nullptr || ending_of(format).size() > ending_of(*found).size()))
            found = &format;
    if (found != nullptr) return *found;
    std::string endings;
    for (const sim::trace_io::ExportFormat& format : sim::trace_io::export_formats())
        endings += (endings.empty() ? "" : ", ") + ending_of(format);
    throw sim::FileError(fmt::format("{}: unknown extension; expected one of {}.", path, endings));
}

std::vector<std::string> export_endings() {
    std::vector<std::string> lines;
    for (const sim::trace_io::ExportFormat& format : sim::trace_io::export_formats())
        lines.push_back(fmt::format("{}  {}", ending_of(format), format.summary));
    return lines;
}

std::string proposed_export_file(const sim::ScenarioText& source) {
    const std::filesystem::path path = source.name.empty() ? source.file : source.name;
    return (source.name.empty() ? path.stem().string() : source.name) + ".perfetto-trace";
}

}  // namespace ui
