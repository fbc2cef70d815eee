// The window as a whole: the runs, what is shown of them, and every action that a person can take.
//
// Panes read the Model and ask for actions; keys, menus, the palette and scripts run commands, which are the
// same actions by name (ui/app/commands.h). The App makes one frame at a time and knows no clock but the one
// it is given.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/replay/intervention.h"
#include "ui/app/commands.h"
#include "ui/panels/panel.h"
#include "ui/platform/backend.h"
#include "ui/view/laboratory.h"
#include "ui/view/model.h"
#include "ui/view/view_state.h"

namespace ui {

// The id of the pane on this tab.
const char* id_of(Tab tab);

class App {
  public:
    explicit App(Backend& backend);
    ~App();

    // --- opening ---

    // A file or the name of a built-in scenario; `policy` empty for the scenario's own. When there is
    // something wrong with it, it is said and what was open stays. Answers whether it was opened.
    bool open(const std::string& path_or_name, const std::string& policy = {});
    void set_policy(const std::string& spec);
    // Changes a value of the scenario, a number or a word in JSON, and runs it anew.
    void set_value(const std::string& pointer, const std::string& value);
    void reset_values();

    // --- where we are ---

    // To the first decision that there is something to see in: one that refilled all counters, or a switch.
    void go_to_start();
    void seek(sim::Nanos t);
    void seek(sim::StepKind kind, std::uint64_t n);
    // "12.5ms", "switch 37", "decision 37"; says what is wrong with anything else. Answers whether it went.
    bool go_to(const std::string& text);
    bool go_to(const sim::Place& place);
    void step(sim::StepKind kind, int direction);  // +1 or -1
    void step_here(int direction);                 // at the depth where one is: event, switch or line
    void go_in();
    void go_out();
    void seek_beginning();
    void seek_end();
    void set_playing(bool playing);
    void change_speed(int by);

    // --- what is shown ---

    void show(TimeRange range);                   // remembered for view_back()
    void zoom(double factor, sim::Nanos anchor);  // above 1: closer
    void pan(double widths);
    void fit();
    void fit_selection();
    void view_back();
    void view_forward();
    void select(std::optional<TimeRange> range) { view_.selection = range; }
    void select_task(std::optional<sim::TaskId> p) { view_.task = p; }
    void show_alone(const std::string& panel);  // the same again, or empty: all of them
    void show_tab(Tab tab);
    void next_task(int direction);
    void select_cpu(sim::CpuId cpu) { view_.cpu = cpu; }
    void next_cpu(int direction);
    void set_cursor(char which);  // 'a' or 'b', at the position; the same place again takes it away
    void toggle_bookmark();
    void next_bookmark(int direction);
    void go_to_stop(std::size_t n);  // of the scenario's tour, from 0. REQUIRES: there is one
    void next_stop(int direction);
    void toggle_tour();
    void copy_tour();  // the bookmarks as a tour for the scenario's file
    void show_position();
    void show_alone_here();    // the pane under the mouse
    sim::Nanos focus() const;  // what zooming holds in its place: the position, or the middle
    void set_theme(const std::string& name);
    void next_theme();
    void set_scale(float scale);
    float scale() const { return scale_; }
    void toggle_fullscreen();

    // --- comparing and intervening ---

    void compare_with(const std::string& policy);         // the same scenario under another policy
    void what_if(const sim::Intervention& intervention);  // the same run with this done at the position
    void end_compare();
    void next_difference();
    void toggle_compare();
    void toggle_predicting();
    void predict(const Prediction& choice);

    // --- the laboratory ---

    // The very run behind a point: its values, policy and seed. leave_lab_run() goes back to the one before.
    void open_lab_run(std::uint64_t run);
    void leave_lab_run();
    void stop_lab(bool stop);  // false: it goes on
    void copy_lab_command();
    void save_lab_figure();  // with its results, into the current folder

    void copy(const std::string& text);  // to the clipboard, and says so
    void copy_pane();                    // the pane under the mouse, or all of them
    void save_picture();                 // of the window, into the current folder
    void say(const std::string& message) { model_.message = message; }

    // --- frames ---

    // An event that was waited for; those that wait are taken by frame().
    void take(const SDL_Event& event);
    // Makes a frame: takes the events that wait, works for the rest of the time, draws. `dt` in seconds.
    void frame(double dt);
    bool wants_quit() const { return quit_; }
    void quit() { quit_ = true; }
    // Work in the background is not done, or something moves.
    bool busy() const { return busy_; }
    // What the last frame took: building the lists of what to draw, and all of it but work in the background.
    struct Times {
        std::chrono::nanoseconds lists{}, frame{};
    };
    const Times& times() const { return times_; }
    // No limit on the work of a frame, for pictures.
    void set_patient(bool patient) { patient_ = patient; }
    // Everything that the window says as text: of the panes that the last frame showed, what they say now.
    std::string text() const;

    const Model& model() const { return model_; }
    ViewState& view() { return view_; }
    const ViewState& view() const { return view_; }
    Commands& commands() { return commands_; }
    const Commands& commands() const { return commands_; }
    bool overlay_just_opened() const { return overlay_opened_; }
    void dismiss_error();  // and, when nothing is open, to the choice of what to open
    Backend& backend() { return backend_; }
    const Theme& theme() const { return *theme_; }

    // What lies over the panes, if anything.
    enum class Overlay : std::uint8_t { none, help, palette, picker, go_to };
    Overlay overlay() const { return overlay_; }
    void show_overlay(Overlay overlay);

    // The next key pressed becomes the one key of this command, and the change is kept; empty: never mind.
    void rebind(const std::string& id) { rebinding_ = id; }
    const std::string& rebinding() const { return rebinding_; }
    // Where changed keys are kept; nowhere when empty. Reads what is there, and says which lines are wrong.
    void use_key_file(const std::string& path);
    // The key of a command as a person finds it; its title when it has none.
    std::string key_of(std::string_view id) const;

  private:
    void key(const SDL_KeyboardEvent& event);
    void bind_pressed(const std::string& id, const SDL_KeyboardEvent& event);
    void play(double dt);
    void work(Deadline deadline);
    void draw();
    void draw_panes();
    void draw_pane(const Panel& panel, ImVec2 at, ImVec2 size, bool titled);
    std::string draw_tabs(std::span<const char* const> ids, const std::string& shown, ImVec2 at, ImVec2 size);
    bool splitter(const char* id, ImVec2 at, ImVec2 size, bool vertical, float& share, float whole);
    void adopt(std::unique_ptr<Run> run);
    std::unique_ptr<Run> make_run(const std::string& policy);
    void run_anew();
    void use(std::vector<std::string> sets, const std::string& policy);
    std::vector<std::string> lab_sets() const;
    bool work_in_lab(Deadline deadline);
    void keep_in_view();
    TimeRange within_run(TimeRange range) const;
    void moved();
    void ask_next();
    bool predict_by_key(const SDL_KeyboardEvent& event);  // answers whether the key was meant for it
    void simulate(Run& run, std::chrono::milliseconds wait, const std::function<bool()>& enough) const;
    void arrive(sim::Nanos t, std::chrono::milliseconds wait);
    void take_b_along();
    void add_bookmark(const std::string& note);
    void catch_up();

    Backend& backend_;
    Commands commands_;
    const Theme* theme_;
    float scale_ = 1;
    Model model_;
    ViewState view_;
    std::unique_ptr<Run> a_, b_;
    std::shared_ptr<const sim::Scenario> scenario_;
    std::string source_;  // what was opened
    Laboratory laboratory_;
    // What opening a run of the laboratory has set, and what was set in its place before, if anything: the
    // laboratory goes on with what the person has chosen.
    std::vector<std::pair<std::string, std::string>> lab_puts_;
    struct Before {
        std::vector<std::string> sets;
        std::string policy;
        sim::Nanos now{};
        std::uint64_t events = 0;
    };
    std::optional<Before> before_lab_;  // open before that
    std::string b_policy_;
    std::vector<TimeRange> back_, forward_;
    TimeRange home_;                            // shown last by choice; see keep_in_view()
    std::optional<sim::Nanos> wanted_;          // where to go as soon as it is simulated
    std::optional<sim::StepKind> wanted_step_;  // likewise, a step
    bool b_is_late_ = false;                    // it is not simulated as far as where A stands
    std::uint64_t look_from_ = 0;               // the decision that next_difference() has not compared yet
    std::vector<std::function<void(App&)>> requests_;
    Times times_;
    Overlay overlay_ = Overlay::none;
    bool overlay_opened_ = false;  // in this frame: the keyboard goes to its first box
    std::string rebinding_, key_file_;
    bool quit_ = false, busy_ = false, patient_ = false;
    double play_rest_ = 0;             // nanoseconds that were too few to move
    std::vector<const Panel*> drawn_;  // in the last frame
    std::string hovered_pane_;         // what Ctrl+C copies
    double last_draw_ = 0;             // seconds that drawing took last time, which work() leaves free
};

}  // namespace ui
