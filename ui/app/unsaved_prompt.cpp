#include "ui/app/unsaved_prompt.h"

#include <fmt/format.h>

#include <utility>

#include "ui/app/app.h"

namespace ui {

std::string UnsavedPrompt::unsaved_changes() const {
    const Control& control = app_.control();
    const bool has_scenario = control.has_unsaved_changes(), has_script = has_unsaved_script();
    if (!has_script && !has_scenario) return "";
    const std::string scenario = has_scenario ? "the changes to " + app_.model().scenario_name : "";
    const std::string own = has_script ? "the script " + control.script().name : "";
    return fmt::format("Not saved yet: {}{}{}.", scenario, has_script && has_scenario ? ", and " : "", own);
}

bool UnsavedPrompt::has_unsaved_script() const {
    const EditedScript& script = app_.control().script();
    return !script.name.empty() && !script.text.empty() &&
           (script.is_builtin ? script.is_changed() : !script.is_saved());
}

void UnsavedPrompt::quit() {
    app_.commit_typing();
    if (unsaved_changes().empty() || (app_.overlay() == Overlay::unsaved && quits_)) return app_.quit_now();
    ask_before([](App& app) { app.quit_now(); }, true);
}

void UnsavedPrompt::replace_scenario(std::function<void(App&)> open) {
    app_.commit_typing();
    if (!app_.control().has_unsaved_changes()) return open(app_);
    ask_before(std::move(open), false);
}

void UnsavedPrompt::ask_before(std::function<void(App&)> action, bool is_quit) {
    app_.show_overlay(Overlay::none);
    next_ = std::move(action);
    quits_ = is_quit;
    app_.show_overlay(Overlay::unsaved);
}

// Closes the box without cancelling the action.
void UnsavedPrompt::close_overlay() {
    std::function<void(App&)> next = std::move(next_);
    app_.show_overlay(Overlay::none);
    next_ = std::move(next);
}

// Saves the script before the scenario, because a scenario that refers to an unsaved script cannot be saved.
void UnsavedPrompt::save() {
    close_overlay();
    if (quits_ && has_unsaved_script())
        app_.save_script();
    else
        app_.show_overlay(Overlay::save);
    continue_action();  // does nothing if a box now asks for a file name
}

void UnsavedPrompt::close_after_save() {
    close_overlay();
    continue_action();
}

void UnsavedPrompt::continue_action() {
    if (!next_ || app_.overlay() != Overlay::none) return;
    const bool is_done = quits_ ? unsaved_changes().empty() : !app_.control().has_unsaved_changes();
    is_done ? discard() : save();
}

void UnsavedPrompt::discard() {
    const std::function<void(App&)> next = std::exchange(next_, nullptr);
    app_.show_overlay(Overlay::none);
    if (next) next(app_);
}

}  // namespace ui
