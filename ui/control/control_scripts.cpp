// User actions on policy scripts, including the rebuilding of the runs that use them.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "sim/base/atomic_file.h"
#include "ui/control/control.h"

namespace ui {
namespace {

bool has_text(const EditedScript& script) {
    return script.saved_text || !script.text.empty() || !script.in_force.empty();
}

constexpr const char* kKept = "; the old version of the script stays in use";

}  // namespace

void Control::open_file(const std::string& path, const std::string& default_scenario) {
    if (!sim::is_script_file(path))
        open_soon(path);
    else if (!state_.is_open())
        open(default_scenario, path);
    else
        set_policy(path);
}

// Called if the script `policy` has an error (`problem`). Opens the scenario under its own policy instead, so
// that the user can correct the script. Returns true on success.
bool Control::open_under_own_policy(const std::string& policy,
                                    const std::function<void(const std::string&)>& open,
                                    const std::exception& problem) {
    try {
        open({});
    } catch (const std::exception&) {
        return false;  // the caller reports `problem`
    }
    recreate_components();
    update_after_actions();
    state_.show_error(problem);
    show_broken_script(policy, problem.what());
    return true;
}

// Shows the script in the editor if `problem` names a line of the script and the file can be read.
void Control::show_broken_script(const std::string& spec, const std::string& problem) {
    const std::string name(sim::name_in_spec(spec));
    if (!sim::is_script_file(name) || line_number_in_message(problem, name) == 0) return;
    try {
        const std::string text = sim::script_text(name);
        state_.scripts.on_file_read_or_written(name, text);
        editor_.show_script(name, text, problem);
    } catch (const sim::PolicyError&) {  // the error is already in `problem`
    }
}

// Calls `change`, and then restores the position and the selected line of schedule().
void Control::change_at_same_position(const std::function<void()>& change) {
    const RunPosition position = navigator().position();
    const std::size_t line = state_.view.inside_step;
    const std::string subject = state_.view.subject;
    change();
    navigator().simulate_and_go_to(position, kWait);
    if (navigator().is_seeking()) return;
    const DecisionDetail* const inside = state_.a().last_decision();
    if (inside != nullptr && !inside->steps.empty())
        state_.view.inside_step = std::min(line, inside->steps.size() - 1);
    state_.view.subject = subject;
}

// Replaces script `name` by `text` under the name `new_name`. If the text is invalid, throws
// sim::PolicyError and changes nothing.
void Control::replace_script(const std::string& name, const std::string& new_name, const std::string& text) {
    change_at_same_position([&] {
        // If the script is built-in, run B keeps it, for comparison with the edited copy.
        const bool both = sim::is_script_file(name);
        const AppState::RebuildResult renewed = state_.replace_script(name, new_name, text, both);
        if (!renewed.a && !renewed.b && !renewed.ends_comparison) state_.replace_run_a(new_name);
        if (renewed.ends_comparison)
            state_.say("The comparison has ended: run B has interventions and starts with the old script.");
        else
            state_.say(fmt::format("The scenario was run again with {}.", new_name));
    });
    laboratory().clear_restore_point();
}

bool Control::report_if_no_script() {
    if (!editor_.script().name.empty() && (editor_.script().is_builtin || has_text(editor_.script())))
        return false;
    state_.say(state_.is_open() ? "This policy is not a script, so it has no text to edit."
                                : "No scenario is open.");
    return true;
}

bool Control::run_script() {
    const EditedScript& script = editor_.script();
    if (report_if_no_script() || !state_.is_open()) return false;
    const std::string own =
        script.is_builtin ? unused_copy_name(script.name, state_.scripts.texts()) : script.name;
    try {
        replace_script(script.name, own, script.text);
        editor_.on_text_applied(own);
        return true;
    } catch (const std::exception& problem) {
        std::string words = words_of(problem);
        // `own` is the name of a copy that has not been made, because of the error. The message starts with
        // this name, so the name is replaced by the name of the edited script.
        if (own != script.name && words.starts_with(own)) words.replace(0, own.size(), script.name);
        editor_.record_error(words);
        state_.say(words + kKept);
        return false;
    }
}

SaveResult Control::save_script(const std::string& name, bool replace) {
    const EditedScript& script = editor_.script();
    std::string place = name;
    try {
        place = script_save_path(name);
        std::error_code error;
        if (!replace && place != script.name && std::filesystem::exists(place, error))
            return {SaveResult::Outcome::exists, place,
                    place + " already exists. Press Enter again to replace the file, or Esc to cancel."};
        if (!replace && state_.scripts.has_file_changed(place))
            return {SaveResult::Outcome::exists, place,
                    place +
                        " was changed after this window read it; that change would be lost. Press Enter "
                        "again to replace the file, or Esc to cancel."};
        sim::write_atomically(place, script.text);
    } catch (const std::exception& problem) {
        return {SaveResult::Outcome::failed, place, sim::shorten(words_of(problem), 400)};
    }
    state_.scripts.on_file_read_or_written(place, script.text);
    const std::string text = script.text;
    if (script.name == place && script.in_force == text && state_.uses_script(place)) {
        editor_.on_text_applied(place);
        state_.say(fmt::format("Saved {}.", place));
        return {SaveResult::Outcome::saved, place, {}};
    }
    const std::string was = script.name;
    try {
        if (state_.is_open()) replace_script(was, place, text);
        editor_.on_text_applied(place);
        if (was != place && sim::is_script_file(was) && state_.scripts.file_text(was) == nullptr)
            state_.scripts.remove(was);
        state_.say(fmt::format("Saved {}.", place));
    } catch (const std::exception& problem) {
        const std::string words = words_of(problem);
        editor_.show_script(place, text, words);
        state_.say(fmt::format("Saved. {}{}", words, kKept));
    }
    state_.model.own_scripts = state_.scripts.names();
    return {SaveResult::Outcome::saved, place, {}};
}

void Control::revert_script() {
    if (report_if_no_script()) return;
    if (editor_.script().is_saved()) return state_.say("The script has no changes to revert.");
    editor_.revert();
    const EditedScript& script = editor_.script();
    if (!script.is_builtin && script.saved_text && script.is_changed()) run_script();
}

void Control::copy_builtin_script(const std::string& builtin_name) {
    const std::optional<std::string> text = builtin_script(builtin_name);
    if (!text || !state_.is_open()) return;
    const std::string own = unused_copy_name(builtin_name, state_.scripts.texts());
    replace_script(own, own, *text);
    editor_.update();
    state_.say(fmt::format("The run now uses {}, your own copy of {}.", own, builtin_name));
}

// Reads the script's file again and runs its text. Returns true if there was a change or an error.
bool Control::reload_script_file(const std::string& name) {
    const bool is_edited = editor_.script().name == name;
    try {
        const std::string text = sim::script_text(name);
        const std::string* const kept = state_.scripts.file_text(name);
        if (kept != nullptr && *kept == text) return false;
        state_.scripts.on_file_read_or_written(name, text);
        if (is_edited) editor_.on_file_changed(text);
        if (!state_.uses_script(name) && !(is_edited && state_.scripts.texts().count(name) == 0)) {
            state_.scripts.remove(name);
            return false;
        }
        replace_script(name, name, text);
        if (is_edited && !editor_.script().changed_elsewhere) editor_.on_text_applied(name);
        state_.say(fmt::format("{} has changed on disk; the run now uses the new version.", name));
    } catch (const std::exception& problem) {
        const std::string words = words_of(problem);
        if (is_edited) editor_.record_error(words);
        state_.say(words + kKept);
    }
    return true;
}

bool Control::check_scripts_for_changes() {
    if (!state_.is_open()) return false;
    bool changed = false;
    for (const std::string& name : state_.scripts.changed_files())
        changed = reload_script_file(name) || changed;
    return changed;
}

// Reports a script error that ended a run, once per run.
void Control::report_script_failures() {
    const auto told = [this](const Run* run, std::uint64_t& of, const char* which) {
        if (run == nullptr || run->id() == of) return;
        const ScriptFailure* const failure = run->failure();
        if (failure == nullptr) return;
        of = run->id();
        state_.say(which + failure->words);
    };
    told(state_.model.b, failed_b_, "B: ");
    told(state_.model.a, failed_a_, "");
}

}  // namespace ui
