// The window as a whole: the frame around the panes, what lies over them, and what keys and mouse do to it.
//
// Panes read the Model and ask for actions of the control room; keys, menus, the palette and scripts run
// commands, which are the same actions, and the window's own, by name (ui/app/commands.h). The App makes one
// frame at a time and knows no clock but the one it is given.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ui/app/commands.h"
#include "ui/app/overlays.h"
#include "ui/app/presenter.h"
#include "ui/control/control.h"
#include "ui/panels/panel.h"
#include "ui/panels/pointed.h"
#include "ui/platform/backend.h"

namespace ui {

class App {
  public:
    explicit App(Backend& backend);

    // Going, comparing, touring, the laboratory: whatever is not about the window itself.
    Control& control() { return control_; }
    const Control& control() const { return control_; }
    const Model& model() const { return control_.model(); }
    ViewState& view() { return control_.view(); }
    const ViewState& view() const { return control_.view(); }

    // --- the window ---

    void show_alone(const std::string& panel);  // the same again, or empty: all of them
    void show_alone_here();                     // the pane under the mouse, with larger letters
    void set_theme(const std::string& name);
    void next_theme();
    const Theme& theme() const { return *theme_; }
    void set_scale(float scale);
    float scale() const { return scale_; }
    void toggle_fullscreen();  // with letters as much larger as the screen is higher
    void toggle_presenting();
    void copy(const std::string& text);  // to the clipboard, and says so
    void copy_pane();                    // the pane under the mouse, or all of them
    void copy_link();                    // to the place where the window stands
    void set_link_base(std::string url) { link_base_ = std::move(url); }  // what a link begins with: nothing
    void type_into_script();  // the editor comes to the front, and has the keyboard
    bool is_typing_script();  // the keyboard is in the editor
    void save_script();       // into its file, or asks for the name of one
    void save_picture();      // of the window, into the current folder
    Backend& backend() { return backend_; }

    // --- what lies over the panes ---

    using Overlay = ui::Overlay;
    Overlay overlay() const { return overlay_; }
    void show_overlay(Overlay overlay);
    OverlayBox& overlay_box() { return overlay_box_; }
    const OverlayBox& overlay_box() const { return overlay_box_; }
    void dismiss_error();  // and, when nothing is open, to the choice of what to open
    // Closes what lies over the panes; without that, goes a level out.
    void go_out();

    // --- commands and their keys ---

    Commands& commands() { return commands_; }
    const Commands& commands() const { return commands_; }
    // The next key pressed becomes the one key of this command, and the change is kept; empty: never mind.
    void rebind(const std::string& id) { rebinding_ = id; }
    const std::string& rebinding() const { return rebinding_; }
    // Where changed keys are kept; nowhere when empty. Reads what is there, and says which lines are wrong.
    void use_key_file(const std::string& path);
    // Where it is kept what is folded away and was opened; nowhere when empty. Reads what is there.
    void use_memory_file(const std::string& path);
    void remember();
    // The files that were opened, the latest first.
    const std::vector<std::string>& recent() const { return recent_; }
    // The key of a command as a person finds it; its title when it has none.
    std::string key_of(std::string_view id) const;
    // Carried out when all is drawn, in turn with what the panes have asked for.
    void ask(std::function<void(App&)> request);

    // --- frames ---

    // An event that was waited for; those that wait are taken by frame().
    void take(const SDL_Event& event);
    // Makes a frame: takes the events that wait, works for the rest of the time, draws. `dt` in seconds. What
    // goes wrong with what was asked for is said (model().message), and the window goes on; only drawing
    // throws.
    void frame(double dt);
    bool wants_quit() const { return quit_; }
    void quit() { quit_ = true; }
    // So many seconds have passed; looks at the file once a second, and at scripts more often. Returns
    // whether there is news of them.
    bool look_at_file(double seconds);
    // Work in the background is not done, or something moves.
    bool busy() const { return busy_; }
    // What the last frame took: building the lists of what to draw, and all of it but work in the background.
    struct Times {
        std::chrono::nanoseconds lists{}, frame{};
    };
    const Times& times() const { return times_; }
    // The id of the pane that the mouse is over, in the last frame; empty for none.
    const std::string& hovered_pane() const { return hovered_pane_; }
    // What the presenter's view has a frame around; nothing when the caption speaks of nothing that is drawn.
    std::optional<Pointed::Box> outlined() const { return outlined_; }
    // Everything that the window says as text: of the panes that the last frame showed, what they say now.
    // Each pane begins with a line "== Title"; and so do the bar at the top and the footer if all are to be
    // headed.
    std::string text(bool all_headed = false) const;

  private:
    bool attempt(const std::function<void()>& work);
    void key(const SDL_KeyboardEvent& event);
    bool is_for_editor(const SDL_KeyboardEvent& event);
    void fit_scale();
    bool predict_by_key(const SDL_KeyboardEvent& event);
    void bind_pressed(const std::string& id, const SDL_KeyboardEvent& event);
    void work(Deadline deadline);
    void carry_out();
    Frame make_frame(float dt);
    void draw();
    void draw_panes(Frame& frame);
    void draw_presented(Frame& frame);
    void draw_narrow(Frame& frame, ImVec2 at, ImVec2 size);
    void draw_wide(Frame& frame, ImVec2 at, ImVec2 size);
    void draw_pane(std::string_view id, ImVec2 at, ImVec2 size, bool titled);
    std::string draw_tabs(std::span<const char* const> ids, const std::string& shown, ImVec2 at, ImVec2 size);

    Backend& backend_;
    Commands commands_;
    Control control_;
    PaneMemory memory_;
    const Theme* theme_;
    float scale_ = 1;
    int windowed_height_ = 0;  // in pixels, before it filled the screen
    bool enlarges_ = false;    // the pane that is alone
    std::vector<std::function<void(Control&)>> requests_;
    Times times_;
    Overlay overlay_ = Overlay::none;
    OverlayBox overlay_box_;
    std::string titled_;  // the scenario that the window's title has
    std::string rebinding_, key_file_, memory_file_, link_base_;
    bool quit_ = false, busy_ = false;
    std::vector<const Panel*> drawn_;  // in the last frame
    PointingRing ring_;
    bool had_tour_ = true;  // was shown before presenting
    std::vector<std::string> recent_;
    std::string opened_;                         // the file that is open, as it was noted
    double since_look_ = 0, since_scripts_ = 0;  // seconds, at the files
    std::optional<Pointed::Box> outlined_;
    std::string hovered_pane_;  // what Ctrl+C copies
    double last_draw_ = 0;      // seconds that drawing took last time, which work() leaves free
};

}  // namespace ui
