// How App handles SDL's events: dropped files, and keys for text boxes, controls and commands.
#include <memory>
#include <utility>

#include "sim/link/link.h"
#include "ui/app/app.h"
#include "ui/panels/scenario_state.h"
#include "ui/panels/script_box.h"
#include "ui/panels/workload_state.h"

namespace ui {
namespace {

// True if an ImGui text box with the keyboard focus must receive this key.
bool is_text_box_key(const SDL_Keysym& key) {
    const SDL_Scancode code = key.scancode;
    const bool bare = (key.mod & (KMOD_CTRL | KMOD_ALT)) == 0;
    const bool function = code >= SDL_SCANCODE_F1 && code <= SDL_SCANCODE_F12;
    return bare ? !function
                : code == SDL_SCANCODE_A || code == SDL_SCANCODE_C || code == SDL_SCANCODE_V ||
                      code == SDL_SCANCODE_X || code == SDL_SCANCODE_Y || code == SDL_SCANCODE_Z ||
                      code == SDL_SCANCODE_BACKSPACE || code == SDL_SCANCODE_DELETE ||
                      (SDL_SCANCODE_INSERT <= code && code <= SDL_SCANCODE_UP);  // cursor keys
}

// Digit of a key that is pressed without modifiers; nullopt for any other key.
std::optional<std::size_t> digit_of(const SDL_Keysym& key) {
    if ((key.mod & (KMOD_CTRL | KMOD_ALT | KMOD_SHIFT | KMOD_GUI)) != 0) return std::nullopt;
    const SDL_Scancode code = key.scancode;
    if (code == SDL_SCANCODE_0 || code == SDL_SCANCODE_KP_0) return 0;
    for (const SDL_Scancode one : {SDL_SCANCODE_1, SDL_SCANCODE_KP_1})
        if (one <= code && code <= one + 8) return static_cast<std::size_t>(code - one) + 1;
    return std::nullopt;
}

// Replaces Enter by Space, because ImGui operates a control by Space, and Enter must do the same.
SDL_Event replace_enter_by_space(SDL_Event event) {
    if (event.type != SDL_KEYDOWN && event.type != SDL_KEYUP) return event;
    SDL_Keysym& key = event.key.keysym;
    if (key.scancode == SDL_SCANCODE_RETURN || key.scancode == SDL_SCANCODE_KP_ENTER) {
        key.scancode = SDL_SCANCODE_SPACE;
        key.sym = SDLK_SPACE;
    }
    return event;
}

}  // namespace

// True if the user closes the main window while the notes window is open. For the last open window, SDL
// sends SDL_QUIT instead.
bool App::is_main_window_close(const SDL_Event& event) const {
    return notes_ && event.type == SDL_WINDOWEVENT && event.window.event == SDL_WINDOWEVENT_CLOSE &&
           event.window.windowID == backend_.window_id();
}

void App::handle_event(const SDL_Event& event) {
    if (notes_ && notes_->handle_event(event)) return;
    if (event.type == SDL_QUIT || is_main_window_close(event)) {
        attempt([&] { unsaved_prompt_.quit(); });
    } else if (event.type == SDL_DROPFILE) {
        attempt([&] {
            const std::unique_ptr<char, void (*)(void*)> path(event.drop.file, SDL_free);
            commit_typing();
            show_overlay(Overlay::none);
            const std::string file = path.get();
            if (sim::is_script_file(file)) return control_.open_file(file, sim::Link{}.scenario);
            unsaved_prompt_.replace_scenario(
                [file](App& a) { a.control_.open_file(file, sim::Link{}.scenario); });
        });
        return;
    }
    if (event.type == SDL_KEYDOWN && handle_editor_key(event.key)) return;
    if (event.type == SDL_KEYDOWN && is_typing_job()) {
        bool is_taken = false;
        attempt([&] { is_taken = paste_jobs_by_key(event.key); });
        if (is_taken) return;
    }
    // A text box of the scenario form gets the keyboard focus one frame after it is opened, so the form's own
    // flag counts, too.
    const bool typing = ImGui::GetIO().WantTextInput || memory_.of<ScenarioFormState>().typing;
    if (event.type == SDL_MOUSEBUTTONDOWN) switch_keyboard_navigation(false);
    const bool is_taken = event.type == SDL_KEYDOWN && ((!typing && is_key_for_form(event.key)) ||
                                                        handle_navigation_key(event.key, typing));
    backend_.process_event(uses_controls_ && !typing ? replace_enter_by_space(event) : event);
    if (event.type == SDL_KEYDOWN && !is_taken) {
        const bool leaves = event.key.keysym.scancode == SDL_SCANCODE_ESCAPE;
        // In a text box of a pane, Esc only removes the keyboard focus from the box.
        const bool in_pane = overlay_ == Overlay::none && model().error.empty();
        const bool is_boxes = typing && is_text_box_key(event.key.keysym) && !is_scenario_undo_key(event.key);
        if (leaves ? !(typing && in_pane) : !is_boxes) attempt([&] { handle_key(event.key); });
    }
}

// True if the key is undo or redo, and nothing has been typed in the cell with the focus. The key then undoes
// or redoes an edit of the scenario, not of the text in the cell.
bool App::is_scenario_undo_key(const SDL_KeyboardEvent& event) {
    const Command* const command = commands_.find_by_key(event);
    const WorkloadPaneState& cells = memory_.of<WorkloadPaneState>();
    return command != nullptr && (command->id == "undo" || command->id == "redo") && cells.typed_in &&
           cells.typed == cells.before;
}

void App::switch_keyboard_navigation(bool on) {
    if (std::exchange(uses_controls_, on) == on) return;
    set_keyboard_navigation(on);
    constexpr const char* kKeys =
        "Keyboard navigation: Tab and arrow keys select a control, Space operates the control, Esc ends the "
        "navigation.";
    if (on)
        control_.say(kKeys);
    else if (model().message == kKeys)
        control_.say({});
}

// Handles a key of keyboard navigation: Tab turns it on, Esc turns it off. Returns true if the key is for the
// controls and must not run a command.
bool App::handle_navigation_key(const SDL_KeyboardEvent& event, bool typing) {
    if ((event.keysym.mod & (KMOD_CTRL | KMOD_ALT)) != 0) return false;
    switch (event.keysym.scancode) {
        case SDL_SCANCODE_TAB:
            if (view().presenting && overlay_ == Overlay::none) return false;  // the toolbar
            if (!typing) switch_keyboard_navigation(true);
            return true;
        case SDL_SCANCODE_ESCAPE:
            if (!uses_controls_ || typing) return false;
            if (backend_.has_popup())
                backend_.close_popups();
            else
                switch_keyboard_navigation(false);
            return true;
        case SDL_SCANCODE_UP:
        case SDL_SCANCODE_DOWN:
        case SDL_SCANCODE_LEFT:
        case SDL_SCANCODE_RIGHT:
        case SDL_SCANCODE_SPACE:
        case SDL_SCANCODE_RETURN:
        case SDL_SCANCODE_KP_ENTER:
            return uses_controls_ && !typing;
        default:
            return false;
    }
}

// Handles the keys (Esc, Ctrl+Enter) with which ImGui would end editing in a box for code. Returns true if
// such a box has the focus and `event` is such a key.
bool App::handle_editor_key(const SDL_KeyboardEvent& event) {
    CodeBoxState& script = memory_.of<ScriptEditorState>();
    CodeBoxState& scenario = memory_.of<ScenarioFormState>().code;
    if (!script.is_typed_into && !scenario.is_typed_into) return false;
    if (event.keysym.scancode == SDL_SCANCODE_ESCAPE) {
        (script.is_typed_into ? script : scenario).leaves = true;
        return true;
    }
    const bool ctrl = (event.keysym.mod & KMOD_CTRL) != 0;
    const bool enter =
        event.keysym.scancode == SDL_SCANCODE_RETURN || event.keysym.scancode == SDL_SCANCODE_KP_ENTER;
    if (!ctrl || !enter) return false;
    attempt([&] { handle_key(event); });
    return true;
}

void App::handle_key(const SDL_KeyboardEvent& event) {
    const SDL_Scancode code = event.keysym.scancode;
    const bool modifier = code >= SDL_SCANCODE_LCTRL && code <= SDL_SCANCODE_RGUI;
    if (modifier) return;
    if (!rebinding_.empty()) {
        const std::string id = std::exchange(rebinding_, {});
        if (code != SDL_SCANCODE_ESCAPE) bind_pressed_key(id, event);
        return;
    }
    // While a menu or drop-down box is open, Esc closes it, and only the commands of the group "Window"
    // work.
    if (backend_.has_popup()) {
        if (code == SDL_SCANCODE_ESCAPE) return backend_.close_popups();
        const Command* command = commands_.find_by_key(event);
        if (command == nullptr || command->group != "Window") return;
    }
    // While an overlay or an error is open, Esc closes it (Enter also closes an error), and only the
    // commands of the group "Window" work.
    const bool error = !model().error.empty();
    if (overlay_ != Overlay::none || error) {
        const bool enter = code == SDL_SCANCODE_RETURN || code == SDL_SCANCODE_KP_ENTER;
        const bool bare = (event.keysym.mod & (KMOD_CTRL | KMOD_ALT)) == 0;
        if (code == SDL_SCANCODE_ESCAPE || (error && overlay_ == Overlay::none && enter && bare)) {
            close_or_leave_depth_level();
            return;
        }
        const Command* command = commands_.find_by_key(event);
        if (command == nullptr || command->group != "Window" || command->id == "undo" ||
            command->id == "redo")
            return;
    }
    if (overlay_ == Overlay::none && !error && answer_prediction_by_key(event)) return;
    if (const Command* command = commands_.find_by_key(event);
        command != nullptr && (event.repeat == 0 || command->repeats)) {
        const Overlay before = overlay_;
        // In the presenter's view, the bookmark key B blanks the screen, because the blank-screen key of a
        // presentation remote sends the letter B.
        const bool blanks = view().presenting && command->id == "mark.bookmark";
        if (blanks) command = commands_.find("present.blank");
        if (command->id != "present.blank" && command->id != "inside.out") view().blank = false;
        run(*command);
        if (before != Overlay::none && overlay_ == before && command->id == "help") overlay_ = Overlay::none;
    }
}

// Answers the current question if the key is a digit. Returns true if it was answered.
bool App::answer_prediction_by_key(const SDL_KeyboardEvent& event) {
    const std::optional<std::size_t> number = digit_of(event.keysym);
    if (number && view().fill_in) {
        control_.prediction_quiz().fill_next_cell(*number);
        return true;
    }
    if (!number || !control_.prediction_quiz().is_asking()) return false;
    if (event.repeat == 0) control_.prediction_quiz().choose_answer_number(*number);
    return true;
}

}  // namespace ui
