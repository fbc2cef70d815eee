// The window as a whole: the frame around the panes, the overlays, and the effects of keys and mouse.
//
// Panes read the Model and request actions of Control. Keys, menus, the palette and input scripts run
// commands by name (ui/app/commands.h). A command executes an action of Control or of the App. Each call of
// App::run_frame() makes one frame; the caller passes the elapsed time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ui/app/commands.h"
#include "ui/app/notes_window.h"
#include "ui/app/overlays.h"
#include "ui/app/pen.h"
#include "ui/app/presenter.h"
#include "ui/app/unsaved_prompt.h"
#include "ui/control/control.h"
#include "ui/control/draft.h"
#include "ui/panels/caption_target.h"
#include "ui/panels/panel.h"
#include "ui/panels/scenario_state.h"
#include "ui/platform/backend.h"
#include "ui/view/thumbnails.h"

namespace ui {

class App {
  public:
    explicit App(Backend& backend);

    // The actions that are not about the window itself: navigation, comparison, tours, the laboratory.
    Control& control() { return control_; }
    const Control& control() const { return control_; }
    const Model& model() const { return control_.model(); }
    ViewState& view() { return control_.view(); }
    const ViewState& view() const { return control_.view(); }

    // --- the window ---

    // Shows only this pane; shows all panes if `pane` is empty or is already the only pane. `enlarged`: the
    // letters of the pane are larger.
    void show_pane_alone(const std::string& pane, bool enlarged = false);
    // Toggles between all panes and only the pane under the mouse, which is then enlarged.
    void toggle_hovered_pane_alone();
    void set_theme(const std::string& name);
    void select_next_theme();
    const Theme& theme() const { return *theme_; }
    void set_scale(float scale);
    float scale() const { return scale_; }
    void toggle_fullscreen();  // full screen enlarges letters in proportion to the screen's height
    void toggle_presenting();
    void toggle_start_screen();            // toggles between start screen and layout; the choice is saved
    void set_layout(WindowLayout layout);  // shows the panes in this layout; the choice is saved
    // Shows the start screen if it can show all tasks of the open scenario as jobs.
    void show_jobs_on_start_screen();
    bool prefers_start_screen() const { return prefers_start_; }
    bool is_typing_job();  // true if a cell of the table of jobs has the keyboard focus
    void commit_typing();  // applies the text that is typed in a cell or form to the scenario
    // Runs a command, unless it needs panes that are not shown.
    void run(const Command& command);
    // Runs a command; leaves the start screen before that if the command needs other panes.
    void run_with_needed_panes(const Command& command);
    // Replaces the jobs by the table in the clipboard. Returns false if the clipboard contains no table.
    bool paste_jobs();
    // The form of the pane SCENARIO, for tests.
    const ScenarioFormState& scenario_form() { return memory_.of<ScenarioFormState>(); }
    // Shows the whole scenario as a form and as JSON. On the start screen, toggles between the whole scenario
    // and the table of jobs.
    void edit_whole_scenario();
    void open_example_jobs();                 // opens a new scenario: the example table of the start screen
    void copy_text(const std::string& text);  // copies the text to the clipboard and shows a message
    void copy_pane();                         // copies the text of the pane under the mouse, or of all panes
    void copy_link();                         // copies a link to the current position and view
    void set_link_base(std::string url) { link_base_ = std::move(url); }  // prefix of links; by default empty
    void focus_script_editor();  // shows the script editor and moves the keyboard focus to it
    bool is_typing_script();     // true if the script editor has the keyboard focus
    void save_script();          // saves the script in its file, or asks for a file name
    void record_tour_stop();     // opens the box that adds a stop to a tour
    void save_picture();         // saves the window as a picture in the current directory
    Backend& backend() { return backend_; }

    // --- overlays ---

    using Overlay = ui::Overlay;
    Overlay overlay() const { return overlay_; }
    void show_overlay(Overlay overlay);
    PenDrawing& pen_drawing() { return drawing_; }
    void toggle_notes_window();  // opens or closes the lecturer's second window
    // Opens or closes the notes window if toggle_notes_window() has requested that; draws it if its page has
    // changed.
    void draw_notes_window();
    const NotesWindow* notes_window() const { return notes_.get(); }
    OverlayBox& overlay_box() { return overlay_box_; }
    const OverlayBox& overlay_box() const { return overlay_box_; }
    void dismiss_error();  // also shows the scenario picker if no scenario is open
    // Closes the first of these that is open: overlay, error, answer to "why does a task (not) run?", pen,
    // black screen. If none is open, goes to the next less detailed DepthLevel: from `inside` to
    // `context_switch`, or from there to `time`. At `time`, leaves the presenter's view, or else shows all
    // panes again, or else removes the selection.
    void close_or_leave_depth_level();

    // --- commands and their keys ---

    Commands& commands() { return commands_; }
    const Commands& commands() const { return commands_; }
    // The next key that the user presses becomes the only key of command `command_id` and is saved. An empty
    // `command_id` cancels the wait for a key.
    void start_rebinding(const std::string& command_id) { rebinding_ = command_id; }
    const std::string& rebinding_command() const { return rebinding_; }
    // Sets the file in which changed keys are saved, reads it, and reports its invalid lines. If `path` is
    // empty, changed keys are not saved.
    void use_key_bindings_file(const std::string& path);
    // Sets the file for window settings (ui/app/window_settings.h) and reads it. If `path` is empty,
    // settings are not saved.
    void use_window_settings_file(const std::string& path);
    void save_window_settings();
    // Sets the draft file, which holds an edited scenario until the scenario is saved or discarded. Opens the
    // scenario in the file; returns false if there is none. If `path` is empty, no draft is written.
    bool use_draft_file(const std::string& path);
    // The recently opened files, the most recent first.
    const std::vector<std::string>& recent_files() const { return recent_; }
    // The display name of the command's first key; the command's title if it has no key.
    std::string key_of_command(std::string_view command_id) const;
    // Adds the action `request` to the queue that also contains the actions of the panes. These actions are
    // executed after the frame is drawn.
    void ask(std::function<void(App&)> request);

    // --- frames ---

    // Handles an event that the caller received by waiting. run_frame() handles all other pending events.
    void handle_event(const SDL_Event& event);
    // Makes a frame: handles pending events, does background work, draws. `dt`: seconds since the previous
    // frame. An error in a requested action becomes model().message and does not throw; an error in drawing
    // throws.
    void run_frame(double dt);
    bool wants_quit() const { return quit_; }
    void quit_now();
    Thumbnails& thumbnails() { return thumbnails_; }  // pictures in the list of scenarios to open
    UnsavedPrompt& unsaved_prompt() { return unsaved_prompt_; }
    const UnsavedPrompt& unsaved_prompt() const { return unsaved_prompt_; }
    // Checks the scenario's file once per second and policy scripts four times per second. `seconds`: time
    // since the last call. Returns true if one of these files has changed.
    bool check_files_for_changes(double seconds);
    // True while keyboard navigation is on: Tab, arrow keys, Space and Enter operate the controls.
    bool is_navigating_by_keyboard() const { return uses_controls_; }
    // True if background work is pending or an animation is running.
    bool is_busy() const { return busy_; }
    // Does background work for most of a frame's time, without drawing. Returns false if the next frame must
    // be drawn, because something moves or the work is finished.
    bool work_between_frames();
    // Durations in the last frame. `lists`: the time to build ImGui's draw lists. `frame`: the time to build
    // and to render them; background work is not included.
    struct FrameTimes {
        std::chrono::nanoseconds lists{}, frame{};
    };
    const FrameTimes& times() const { return times_; }
    // The id of the pane under the mouse in the last frame; empty: none.
    const std::string& hovered_pane() const { return hovered_pane_; }
    // In the presenter's view: the outline of the tour caption's subject, which is the pane or a part of the
    // pane. std::nullopt if there is no outline.
    std::optional<CaptionTarget::Box> caption_outline() const { return outlined_; }
    // The current text of the window, with the panes of the last frame. Each pane has a heading "== Title".
    // With `with_all_headings`, the top bar and the footer also have headings.
    std::string text(bool with_all_headings = false) const;

  private:
    bool attempt(const std::function<void()>& work);
    bool is_main_window_close(const SDL_Event& event) const;
    void handle_key(const SDL_KeyboardEvent& event);
    bool handle_editor_key(const SDL_KeyboardEvent& event);
    bool is_key_for_form(const SDL_KeyboardEvent& event);
    bool handle_navigation_key(const SDL_KeyboardEvent& event, bool typing);
    bool is_scenario_undo_key(const SDL_KeyboardEvent& event);
    void switch_keyboard_navigation(bool on);
    void save_draft();
    bool paste_jobs_by_key(const SDL_KeyboardEvent& event);
    void update_scale();
    bool answer_prediction_by_key(const SDL_KeyboardEvent& event);
    void bind_pressed_key(const std::string& command_id, const SDL_KeyboardEvent& event);
    void do_background_work(Deadline deadline);
    void execute_requests();
    Frame make_frame(float dt);
    void draw_window();
    void draw_panes(Frame& frame);
    void draw_start_panes(Frame& frame);
    void draw_presenters_view(Frame& frame);
    void draw_panes_on_tabs(Frame& frame, ImVec2 at, ImVec2 size);
    void draw_layout(Frame& frame, ImVec2 at, ImVec2 size);
    void draw_lecture_layout(ImVec2 at, ImVec2 size, float gap);
    void draw_kernel_layout(ImVec2 at, ImVec2 size, float gap);
    void draw_laboratory_layout(ImVec2 at, ImVec2 size, float gap);
    void draw_tabbed_area(ImVec2 at, ImVec2 size);
    void draw_pane(std::string_view id, ImVec2 at, ImVec2 size, bool titled);
    std::string draw_tabs(std::span<const char* const> ids, const std::string& shown, ImVec2 at, ImVec2 size);

    Backend& backend_;
    Commands commands_;
    Control control_;
    PaneCache memory_;
    const Theme* theme_;
    float scale_ = 1;
    int windowed_height_ = 0;  // height in pixels before full screen was entered
    bool enlarges_ = false;    // whether a pane that fills the window has larger letters
    std::vector<std::function<void(Control&)>> requests_;
    FrameTimes times_;
    Overlay overlay_ = Overlay::none;
    OverlayBox overlay_box_;
    PenDrawing drawing_;
    bool shows_notes_ = false;
    std::unique_ptr<NotesWindow> notes_;
    std::string titled_;  // the scenario that the window's title names
    std::string rebinding_, key_file_, window_settings_file_, link_base_;
    bool quit_ = false, busy_ = false;
    bool uses_controls_ = false, focus_is_drawn_ = false;
    UnsavedPrompt unsaved_prompt_{*this};
    Thumbnails thumbnails_;
    std::vector<const Panel*> drawn_;  // panes drawn in the last frame
    PointingRing ring_;
    Draft draft_;
    // Run::id() of the run and the number of recorded stops when the draft was written.
    std::pair<std::uint64_t, std::size_t> drafted_{};
    bool prefers_start_ = true;  // the user prefers the start screen to a layout; a saved setting
    bool had_tour_ = true;       // value of show_tour before the presenter's view
    std::vector<std::string> recent_;
    std::string opened_;                         // the open file, as added to recent_
    double since_look_ = 0, since_scripts_ = 0;  // seconds since the last check: scenario file, scripts
    std::optional<CaptionTarget::Box> outlined_;
    std::string hovered_pane_;  // the pane that Ctrl+C copies
    double last_draw_ = 0;      // duration of the last drawing in seconds; shortens background work
};

}  // namespace ui
