// What a person does with scripts: opening, editing, saving one, and what becomes of the runs that are made
// of it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "sim/base/whole_file.h"
#include "ui/control/control.h"

namespace ui {
namespace {

bool has_text(const EditedScript& script) {
    return script.kept || !script.text.empty() || !script.in_force.empty();
}

constexpr const char* kKept = "; what ran before stays";

}  // namespace

void Control::open_file(const std::string& path, const std::string& usual_scenario) {
    if (!sim::is_script_file(path))
        open_soon(path);
    else if (!desk_.is_open())
        open(usual_scenario, path);
    else
        set_policy(path);
}

// The scenario under its own policy, with the script in the editor. Returns whether that could be done.
bool Control::open_without_script(const std::string& policy,
                                  const std::function<void(const std::string&)>& open,
                                  const std::exception& problem) {
    try {
        open({});
    } catch (const std::exception&) {
        return false;  // the problem with the policy was the first
    }
    renew_parts();
    look();
    desk_.fail(problem);
    show_broken_script(policy, problem.what());
    return true;
}

// In the editor, if it is a file that can be read: there it can be mended.
void Control::show_broken_script(const std::string& spec, const std::string& problem) {
    const std::string name(sim::name_in_spec(spec));
    if (!sim::is_script_file(name) || line_in(problem, name) == 0) return;
    try {
        const std::string text = sim::script_text(name);
        desk_.scripts.note_file(name, text);
        editor_.show(name, text, problem);
    } catch (const sim::PolicyError&) {  // that is what the problem says
    }
}

// Makes the change, and goes back to where one stands, down to the line of schedule().
void Control::at_same_place(const std::function<void()>& change) {
    const Standing standing = navigator().standing();
    const std::size_t line = desk_.view.inside_step;
    const std::string subject = desk_.view.subject;
    change();
    navigator().arrive(standing, kWait);
    if (navigator().is_on_the_way()) return;
    const Inside* const inside = desk_.a().inside();
    if (inside != nullptr && !inside->steps.empty())
        desk_.view.inside_step = std::min(line, inside->steps.size() - 1);
    desk_.view.subject = subject;
}

// Throws sim::PolicyError, and then nothing has changed.
void Control::put_script(const std::string& name, const std::string& new_name, const std::string& text) {
    at_same_place([&] {
        const bool both = sim::is_script_file(name);  // B may be the original that A is compared with
        const Desk::Renewed renewed = desk_.put_script(name, new_name, text, both);
        if (!renewed.a && !renewed.b && !renewed.ends_comparison) desk_.run_a(new_name);
        if (renewed.ends_comparison)
            desk_.say("The comparison has ended: its past would be another one now.");
        else
            desk_.say(fmt::format("Run anew with {}.", new_name));
    });
    laboratory().forget_runs();
}

bool Control::say_no_script() {
    if (!editor_.script().name.empty() && (editor_.script().is_builtin || has_text(editor_.script())))
        return false;
    desk_.say(desk_.is_open() ? "This policy is no script: there is nothing to edit."
                              : "No scenario is open.");
    return true;
}

bool Control::run_script() {
    const EditedScript& script = editor_.script();
    if (say_no_script() || !desk_.is_open()) return false;
    const std::string own =
        script.is_builtin ? own_script_name(script.name, desk_.scripts.texts()) : script.name;
    try {
        put_script(script.name, own, script.text);
        editor_.succeed(own);
        return true;
    } catch (const std::exception& problem) {
        std::string words = words_of(problem);
        // What is wrong is told of the script as it is called so far.
        if (own != script.name && words.starts_with(own)) words.replace(0, own.size(), script.name);
        editor_.fail(words);
        desk_.say(words + kKept);
        return false;
    }
}

Saved Control::save_script(const std::string& name, bool replace) {
    const EditedScript& script = editor_.script();
    std::string place = name;
    try {
        place = script_file_to_save(name);
        std::error_code error;
        if (!replace && place != script.name && std::filesystem::exists(place, error))
            return {Saved::Outcome::exists, place,
                    place + " is there. Enter again replaces it; Esc does not."};
        if (!replace && desk_.scripts.file_has_other_text(place))
            return {Saved::Outcome::exists, place,
                    place +
                        " was edited after it was read here, and that would be lost. Enter again replaces "
                        "it; Esc does not."};
        sim::write_whole_file(place, script.text);
    } catch (const std::exception& problem) {
        return {Saved::Outcome::failed, place, sim::shorten(words_of(problem), 400)};
    }
    desk_.scripts.note_file(place, script.text);
    const std::string text = script.text;
    if (script.name == place && script.in_force == text && desk_.uses_script(place)) {
        editor_.succeed(place);
        desk_.say(fmt::format("Saved {}.", place));
        return {Saved::Outcome::saved, place, {}};
    }
    const std::string was = script.name;
    try {
        if (desk_.is_open()) put_script(was, place, text);
        editor_.succeed(place);
        if (was != place && sim::is_script_file(was) && desk_.scripts.kept(was) == nullptr)
            desk_.scripts.forget(was);
        desk_.say(fmt::format("Saved {}.", place));
    } catch (const std::exception& problem) {
        const std::string words = words_of(problem);
        editor_.show(place, text, words);
        desk_.say(fmt::format("Saved. {}{}", words, kKept));
    }
    desk_.model.own_scripts = desk_.scripts.names();
    return {Saved::Outcome::saved, place, {}};
}

void Control::revert_script() {
    if (say_no_script()) return;
    if (editor_.script().is_kept()) return desk_.say("There is nothing to take back.");
    editor_.revert();
    const EditedScript& script = editor_.script();
    if (!script.is_builtin && script.kept && script.is_changed()) run_script();
}

void Control::new_script(const std::string& from) {
    const std::optional<std::string> text = builtin_script(from);
    if (!text || !desk_.is_open()) return;
    const std::string own = own_script_name(from, desk_.scripts.texts());
    put_script(own, own, *text);
    editor_.follow();
    desk_.say(fmt::format("{} runs now, a copy of {} that is yours.", own, from));
}

// The file's text in place of what is in force. Returns whether there is news.
bool Control::take_file(const std::string& name) {
    const bool is_edited = editor_.script().name == name;
    try {
        const std::string text = sim::script_text(name);
        const std::string* const kept = desk_.scripts.kept(name);
        if (kept != nullptr && *kept == text) return false;
        desk_.scripts.note_file(name, text);
        if (is_edited) editor_.file_changed(text);
        if (!desk_.uses_script(name) && !(is_edited && desk_.scripts.texts().count(name) == 0)) {
            desk_.scripts.forget(name);
            return false;
        }
        put_script(name, name, text);
        if (is_edited && !editor_.script().changed_elsewhere) editor_.succeed(name);
        desk_.say(fmt::format("{} has changed on disk: run anew.", name));
    } catch (const std::exception& problem) {
        const std::string words = words_of(problem);
        if (is_edited) editor_.fail(words);
        desk_.say(words + kKept);
    }
    return true;
}

bool Control::look_at_scripts() {
    if (!desk_.is_open()) return false;
    bool news = false;
    for (const std::string& name : desk_.scripts.changed_files()) news = take_file(name) || news;
    return news;
}

// Once for each run that a script has ended: the window shows it up to there.
void Control::say_failures() {
    const auto told = [this](const Run* run, std::uint64_t& of, const char* which) {
        if (run == nullptr || run->id() == of) return;
        const ScriptFailure* const failure = run->failure();
        if (failure == nullptr) return;
        of = run->id();
        desk_.say(which + failure->words);
    };
    told(desk_.model.b, failed_b_, "B: ");
    told(desk_.model.a, failed_a_, "");
}

}  // namespace ui
