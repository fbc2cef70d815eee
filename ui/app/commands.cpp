#include "ui/app/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/base/suggest.h"
#include "ui/app/app.h"
#include "ui/app/why_box.h"
#include "ui/view/layouts.h"

namespace ui {
namespace {

std::string_view trimmed(std::string_view text) {
    const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

std::vector<Chord> parse_chords(std::string_view list) {
    std::vector<Chord> all;
    while (!trimmed(list).empty()) {
        list = trimmed(list);
        // A comma separates chords, except in two cases, in which the comma is a key. 1: it is the first
        // character of a chord. 2: it follows "+" or "Keypad ", and the next character is a comma or missing.
        const auto ends_here = [&](std::size_t comma) {
            const bool last = trimmed(list.substr(comma + 1)).empty() || list[comma + 1] == ',';
            return !last || (list[comma - 1] != '+' && !list.substr(0, comma).ends_with("Keypad "));
        };
        std::size_t comma = list.find(',', 1);
        while (comma != std::string_view::npos && !ends_here(comma)) comma = list.find(',', comma + 1);
        const std::string_view one = trimmed(list.substr(0, comma));
        list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
        const std::optional<Chord> chord = parse_chord(one);
        if (!chord) throw std::invalid_argument(fmt::format("'{}' is not a key", one));
        all.push_back(*chord);
    }
    return all;
}

constexpr double kZoomStep = 1.5;
constexpr double kPanStep = 0.15;  // share of the visible width

// Both functions below return the action of a command. The action calls a method of a component of Control
// (such as its Navigator), or a method of the App.
template <class Component, class Method, class... Arguments>
auto make_component_action(Component& (Control::*component)(), Method method, Arguments... arguments) {
    return [=](App& app) { ((app.control().*component)().*method)(arguments...); };
}
template <class Method, class... Arguments>
auto make_app_action(Method method, Arguments... arguments) {
    return [=](App& app) { (app.*method)(arguments...); };
}

// Shows a pane that has no tab: alone in the window, or as the pane of the presenter's view.
void show_pane(App& app, const char* pane) {
    if (!app.view().presenting) return app.show_pane_alone(pane, app.view().layout == WindowLayout::lecture);
    app.view().presented = pane;
    app.view().subject.clear();
}

// Starts the animation of the last decision, or ends it. On the start screen, the animation replaces the run
// queue; elsewhere, it is the only pane.
void toggle_animation(App& app) {
    ViewState& view = app.view();
    if (app.model().a == nullptr) return;
    const bool is_shown = view.start        ? view.start_screen_animates
                          : view.presenting ? view.presented == "animation"
                                            : view.alone == "animation";
    if (view.start)
        view.start_screen_animates = !is_shown;
    else if (is_shown && view.presenting)
        view.presented.clear();
    else if (is_shown)
        view.alone.clear();
    else
        show_pane(app, "animation");
    view.animation = {.plays = !is_shown};
}

void zoom(App& app, double factor) {
    ViewHistory& history = app.control().history();
    history.zoom(factor, history.zoom_anchor());
}

}  // namespace

void Commands::add(std::string id, std::string group, std::string title, std::string_view keys,
                   std::function<void(App&)> run, bool repeats) {
    commands_.push_back(
        {std::move(id), std::move(group), std::move(title), parse_chords(keys), std::move(run), repeats});
}

Commands::Commands() {
    add_time_and_step_commands();
    add_view_commands();
    add_mark_and_tour_commands();
    add_pane_commands();
    add_script_commands();
    add_window_commands();
}

void Commands::add_time_and_step_commands() {
    using sim::StepEventKind;
    add("play", "Time", "Play or pause", "Space",
        [](App& app) { app.control().player().set_playing(!app.view().playing); });
    add("speed.up", "Time", "Play faster", ".",
        make_component_action(&Control::player, &Player::change_speed_by_steps, 1), true);
    add("speed.down", "Time", "Play slower", ",",
        make_component_action(&Control::player, &Player::change_speed_by_steps, -1), true);
    add("speed.switch", "Time", "Play one switch per second", "",
        [](App& app) { app.view().speed = kSwitchASecond; });
    add("speed.run", "Time", "Play the run in about 20 s", "",
        [](App& app) { app.view().speed = app.view().own_speed; });
    add("go.beginning", "Time", "Go to the start", "Home",
        make_component_action(&Control::navigator, &Navigator::seek_beginning));
    add("go.end", "Time", "Go to the end", "End",
        make_component_action(&Control::navigator, &Navigator::seek_end));
    add("go.to", "Time", "Go to a time or a switch...", "G",
        [](App& app) { app.show_overlay(App::Overlay::go_to); });

    add("step.forward", "Step", "Step forward: by event, switch or line", "Right",
        make_component_action(&Control::navigator, &Navigator::step_at_depth_level, 1), true);
    add("step.back", "Step", "Step back: by event, switch or line", "Left",
        make_component_action(&Control::navigator, &Navigator::step_at_depth_level, -1), true);
    const auto step = [&](StepEventKind kind, const char* keys_forward, const char* keys_back) {
        const std::string name = to_string(kind);
        add("step." + name + ".forward", "Step", "Go to the next " + name, keys_forward,
            make_component_action(&Control::navigator, &Navigator::step, kind, 1), true);
        add("step." + name + ".back", "Step", "Go to the previous " + name, keys_back,
            make_component_action(&Control::navigator, &Navigator::step, kind, -1), true);
    };
    step(StepEventKind::event, "E", "Shift+E");
    step(StepEventKind::decision, "Ctrl+Right", "Ctrl+Left");
    step(StepEventKind::context_switch, "Shift+Right", "Shift+Left");
    step(StepEventKind::yield, "Y", "Shift+Y");
    step(StepEventKind::recalculation, "R", "Shift+R");
    step(StepEventKind::tick, "T", "Shift+T");

    add("inside.in", "Look inside", "Go one level in: time to switch to line of schedule()", "I, Enter",
        make_component_action(&Control::navigator, &Navigator::enter_depth_level));
    add("inside.out", "Look inside", "Go one level out", "O, Esc",
        make_app_action(&App::close_or_leave_depth_level));
    add("predict", "Look inside", "Toggle prediction: hide the outcome until you answer", "P",
        make_component_action(&Control::prediction_quiz, &PredictionQuiz::toggle));
}

void Commands::add_view_commands() {
    add(
        "view.zoom_in", "View", "Zoom in", "W", [](App& app) { zoom(app, kZoomStep); }, true);
    add(
        "view.zoom_out", "View", "Zoom out", "S", [](App& app) { zoom(app, 1 / kZoomStep); }, true);
    add("view.left", "View", "Show earlier times", "A",
        make_component_action(&Control::history, &ViewHistory::pan, -kPanStep), true);
    add("view.right", "View", "Show later times", "D",
        make_component_action(&Control::history, &ViewHistory::pan, kPanStep), true);
    add("view.fit", "View", "Show the whole run", "F",
        make_component_action(&Control::history, &ViewHistory::show_whole_run));
    add("view.fit_selection", "View", "Show the selection", "Shift+F",
        make_component_action(&Control::history, &ViewHistory::fit_selection));
    add("view.position", "View", "Show the range around the position", "Z",
        make_component_action(&Control::history, &ViewHistory::show_range_around_position));
    add("view.back", "View", "Go back to the previous time range", "Alt+Left",
        make_component_action(&Control::history, &ViewHistory::back));
    add("view.forward", "View", "Go forward to the next time range", "Alt+Right",
        make_component_action(&Control::history, &ViewHistory::forward));
    add("view.select", "View", "Select the visible time range", "Ctrl+A",
        [](App& app) { app.control().selection().select(app.view().shown); });
    add("view.deselect", "View", "Clear the selection", "Ctrl+D",
        make_component_action(&Control::selection, &Selection::clear));
    add("view.task_up", "View", "Select the task above", "Up",
        make_component_action(&Control::selection, &Selection::select_adjacent_task, -1), true);
    add("view.task_down", "View", "Select the task below", "Down",
        make_component_action(&Control::selection, &Selection::select_adjacent_task, 1), true);
    add("view.marks", "View", "Show/hide markers", "M",
        [](App& app) { app.view().show_marks = !app.view().show_marks; });
    add("view.depth", "View", "Show/hide the run queue's length", "L",
        [](App& app) { app.view().show_depth = !app.view().show_depth; });
    add("view.mms", "View", "Show/hide the loaded address spaces", "V",
        [](App& app) { app.view().show_mms = !app.view().show_mms; });
    add("view.cpu_down", "View", "Select the CPU below", "U",
        make_component_action(&Control::selection, &Selection::select_adjacent_cpu, 1), true);
    add("view.cpu_up", "View", "Select the CPU above", "Shift+U",
        make_component_action(&Control::selection, &Selection::select_adjacent_cpu, -1), true);
    const auto fold = [](bool ViewState::*shown) {
        return [shown](App& app) {
            app.view().*shown = !(app.view().*shown);
            app.save_window_settings();
        };
    };
    add("view.what_if", "View", "Show/hide the what-if strip", "F6",
        [fold_strip = fold(&ViewState::show_what_if)](App& app) {
            if (app.view().layout == WindowLayout::laboratory)
                return app.control().say("The laboratory layout always shows the what-if strip.");
            fold_strip(app);
        });
    add("view.hints", "View", "Show/hide the key hints", "F7", fold(&ViewState::show_hints));
    add("view.band", "View", "Show the next page of the bottom band", "H",
        [](App& app) { ++app.view().band_page; });
    add("view.alone", "View", "Show only the pane under the mouse, or all panes", "F11",
        make_app_action(&App::toggle_hovered_pane_alone));
}

void Commands::add_mark_and_tour_commands() {
    add("mark.bookmark", "Marks", "Toggle bookmark", "B",
        make_component_action(&Control::bookmarks, &Bookmarks::toggle));
    add("mark.next", "Marks", "Go to the next bookmark", "]",
        make_component_action(&Control::bookmarks, &Bookmarks::go_to_next, 1));
    add("mark.previous", "Marks", "Go to the previous bookmark", "[",
        make_component_action(&Control::bookmarks, &Bookmarks::go_to_next, -1));
    add("mark.a", "Marks", "Set/clear cursor A at the position", "Q",
        make_component_action(&Control::selection, &Selection::toggle_measuring_cursor, 'a'));
    add("mark.b", "Marks", "Set/clear cursor B at the position", "Shift+Q",
        make_component_action(&Control::selection, &Selection::toggle_measuring_cursor, 'b'));

    add("tour.next", "Tour", "Go to the next stop of the tour", "PageDown",
        make_component_action(&Control::tour, &TourPlayer::go_to_adjacent_stop, 1));
    add("tour.previous", "Tour", "Go to the previous stop of the tour", "PageUp",
        make_component_action(&Control::tour, &TourPlayer::go_to_adjacent_stop, -1));
    add("tour", "Tour", "Show/hide the tour", "Ctrl+B", [](App& app) {
        app.control().tour().toggle_tour_panel();
        app.save_window_settings();
    });
    add("tour.copy", "Tour", "Copy the bookmarks as a tour", "Ctrl+Shift+B",
        make_component_action(&Control::bookmarks, &Bookmarks::copy_as_tour));
    add("tour.record", "Tour", "Record a tour: add a stop", "Shift+F6",
        [](App& app) { app.record_tour_stop(); });

    add("animate", "Look inside", "Start/end the animation of the last decision", "Shift+M",
        [](App& app) { toggle_animation(app); });
    add("fill_in", "Look inside", "Start/end the exercise: fill in the Gantt chart", "Shift+P",
        make_component_action(&Control::prediction_quiz, &PredictionQuiz::toggle_fill_in_exercise));
    add("why.not", "Look inside", "Explain why the task under the mouse, or the selected task, does not run",
        "F2", [](App& app) { compute_answer_to_why_not(app); });

    add("compare", "Compare", "Compare with another policy, or stop comparing", "C",
        make_component_action(&Control::comparison, &Comparison::toggle));
    add("compare.next", "Compare", "Go to the next decision where the runs differ", "N",
        make_component_action(&Control::navigator, &Navigator::go_to_next_difference));
    add("compare.next_recorded", "Compare", "Go to the next mismatch with the trace", "Shift+N",
        make_component_action(&Control::navigator, &Navigator::go_to_next_trace_mismatch, 1));
    add("compare.previous_recorded", "Compare", "Go to the previous mismatch with the trace", "Ctrl+Shift+N",
        make_component_action(&Control::navigator, &Navigator::go_to_next_trace_mismatch, -1));
}

void Commands::add_pane_commands() {
    const auto alone = [&](const char* pane, const char* keys) {
        add(std::string("pane.") + pane, "Panes", std::string("Show only ") + find_panel(pane)->title, keys,
            [pane](App& app) { show_pane(app, pane); });
    };
    alone("timeline", "Shift+F2");
    alone("decision", "F3");
    alone("run_queue", "F4");
    alone("workload", "J");
    alone("gantt", "K");
    for (std::size_t i = 0; i < kTabs.size(); ++i) {
        const TabInfo& info = kTabs[i];
        add(std::string("pane.") + info.name, "Panes", std::string("Show ") + find_panel(info.pane)->title,
            std::to_string((i + 1) % 10), [tab = info.tab](App& app) { show_tab(app.view(), tab); });
    }
}

void Commands::add_script_commands() {
    add("script.run", "Script", "Run the edited script, keep the position", "Ctrl+Enter",
        [](App& app) { app.control().run_script(); });
    add("script.edit", "Script", "Edit the policy script", "F8", [](App& app) { app.focus_script_editor(); });
    add("script.open", "Script", "Use a policy script, built-in or from a file...", "Ctrl+Shift+O",
        [](App& app) {
            if (app.model().a != nullptr) app.show_overlay(App::Overlay::script);
        });
    add("script.compare", "Script", "Compare with a policy script...", "Ctrl+Shift+C", [](App& app) {
        if (app.model().a != nullptr) app.show_overlay(App::Overlay::script_to_compare);
    });
    add("script.save_as", "Script", "Save the script as a file...", "Ctrl+Shift+S", [](App& app) {
        if (!app.control().report_if_no_script()) app.show_overlay(App::Overlay::save_script);
    });
    add("script.revert", "Script", "Revert the script to its saved text", "Ctrl+Shift+R",
        [](App& app) { app.control().revert_script(); });
}

void Commands::add_window_commands() {
    add("open", "Window", "Open a scenario...", "Ctrl+O",
        [](App& app) { app.show_overlay(App::Overlay::picker); });
    add("new", "Window", "Create a scenario with a table of four jobs", "Ctrl+N",
        [](App& app) { app.unsaved_prompt().replace_scenario([](App& a) { a.open_example_jobs(); }); });
    add("edit", "Window", "Edit the whole scenario: programs, devices, machine, JSON", "F10",
        [](App& app) { app.edit_whole_scenario(); });
    add("lessons", "Window", "Open a lesson...", "", [](App& app) {
        app.show_overlay(App::Overlay::picker);
        app.overlay_box().starts_with = "lesson";
    });
    add("paste", "Window", "Paste a table of jobs: name, arrival, burst", "Ctrl+V", [](App& app) {
        if (!app.paste_jobs())
            app.control().say(
                "The clipboard contains no table of jobs; expected name, arrival, burst, such "
                "as: A 0 8, B 1 4");
    });
    add("layout", "Window", "Switch between the start screen and the panes", "F9",
        make_app_action(&App::toggle_start_screen));
    for (std::size_t i = 0; i < kLayouts.size(); ++i)
        add(std::string("layout.") + kLayouts[i].name, "Window", kLayouts[i].command_title,
            fmt::format("Shift+{}", i + 1), make_app_action(&App::set_layout, kLayouts[i].layout));
    add("save", "Window", "Save the scenario with your changes, or the script being edited", "Ctrl+S",
        [](App& app) {
            if (app.is_typing_script()) return app.save_script();
            if (app.model().a != nullptr) app.show_overlay(App::Overlay::save);
        });
    add("export", "Window", "Export the run, or the selection, for other programs...", "Ctrl+E",
        [](App& app) {
            if (app.model().a != nullptr) app.show_overlay(App::Overlay::export_run);
        });
    add("export.stop", "Window", "Cancel the export without writing the file", "Ctrl+Shift+E",
        [](App& app) { app.control().exporter().stop(); });
    add("reload", "Window", "Reload the scenario's file from disk", "F5",
        [](App& app) { app.control().reload(); });
    add("undo", "Window", "Undo the latest change of a value, the workload or the policy", "Ctrl+Z",
        [](App& app) { app.control().undo(); });
    add("redo", "Window", "Redo the undone change", "Ctrl+Shift+Z, Ctrl+Y",
        [](App& app) { app.control().redo(); });
    add("reset", "Window", "Undo all changes of the what-if strip", "Ctrl+Backspace",
        [](App& app) { app.control().reset_values(); });
    add("copy", "Window", "Copy the pane under the mouse as text", "Ctrl+C",
        make_app_action(&App::copy_pane));
    add("link", "Window", "Copy a link to this view", "Ctrl+Shift+L", make_app_action(&App::copy_link));
    add("picture", "Window", "Save a picture of the window", "F12", make_app_action(&App::save_picture));
    add(
        "scale.up", "Window", "Make everything larger", "Ctrl+=, Ctrl+Keypad +",
        [](App& app) { app.set_scale(app.scale() * 1.25F); }, true);
    add(
        "scale.down", "Window", "Make everything smaller", "Ctrl+-, Ctrl+Keypad -",
        [](App& app) { app.set_scale(app.scale() / 1.25F); }, true);
    add("scale.reset", "Window", "Reset the text size", "Ctrl+0", make_app_action(&App::set_scale, 1.0F));
    add("theme", "Window", "Switch to the next theme: dark, light, projector", "Ctrl+T",
        make_app_action(&App::select_next_theme));
    add("motion", "Window", "Toggle reduced motion", "", [](App& app) {
        app.view().reduce_motion = !app.view().reduce_motion;
        app.control().say(app.view().reduce_motion ? "Reduced motion is on: task cards jump to their new "
                                                     "places."
                                                   : "Reduced motion is off: task cards move to their new "
                                                     "places.");
    });
    add("fullscreen", "Window", "Toggle full screen", "Alt+Enter", make_app_action(&App::toggle_fullscreen));
    add("palette", "Window", "Show all commands", "Ctrl+P",
        [](App& app) { app.show_overlay(App::Overlay::palette); });
    add("help", "Window", "Show the keys", "?, F1", [](App& app) { app.show_overlay(App::Overlay::help); });
    add("present", "Window", "Toggle the presenter's view: one large pane under the tour's caption",
        "Shift+F5", make_app_action(&App::toggle_presenting));
    add("notes", "Window", "Show/hide the notes window: caption, next stop, clock", "Shift+F9",
        make_app_action(&App::toggle_notes_window));
    add("pen", "Window", "Select the drawing tool: pen, marker, off", "Shift+F7",
        [](App& app) { select_next_pen(app); });
    add("pen.erase", "Window", "Erase the drawing", "Shift+F8", [](App& app) { erase_drawing(app); });
    add("present.blank", "Window", "Presenter's view: toggle the black screen (also B)", "Shift+B",
        [](App& app) { app.view().blank = app.view().presenting && !app.view().blank; });
    add("present.toolbar", "Window", "Presenter's view: show/hide the toolbar", "Tab",
        [](App& app) { app.view().show_toolbar = app.view().presenting && !app.view().show_toolbar; });
    add("quit", "Window", "Quit", "Ctrl+Q", [](App& app) { app.unsaved_prompt().quit(); });
}

const Command* Commands::find(std::string_view id) const {
    const auto found =
        std::find_if(commands_.begin(), commands_.end(), [id](const Command& c) { return c.id == id; });
    return found == commands_.end() ? nullptr : &*found;
}

const Command* Commands::find_by_key(const SDL_KeyboardEvent& event) const {
    for (const Command& command : commands_)
        for (const Chord& chord : command.keys)
            if (matches(chord, event)) return &command;
    return nullptr;
}

void Commands::bind(std::string_view id, std::string_view keys) {
    const auto command =
        std::find_if(commands_.begin(), commands_.end(), [id](const Command& c) { return c.id == id; });
    if (command == commands_.end()) {
        std::vector<std::string> ids;
        for (const Command& c : commands_) ids.push_back(c.id);
        throw std::invalid_argument(
            fmt::format("unknown command '{}'{}", id, sim::did_you_mean(std::string(id), ids)));
    }
    const std::vector<Chord> wanted = parse_chords(keys);
    for (Command& other : commands_)
        std::erase_if(other.keys, [&](const Chord& c) {
            return std::find(wanted.begin(), wanted.end(), c) != wanted.end();
        });
    command->keys = wanted;
}

void Commands::read_bindings(std::string_view text) {
    std::string problems;
    for (int line = 1; !text.empty(); ++line) {
        const std::size_t end = text.find('\n');
        const std::string_view all = trimmed(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
        if (all.empty() || all.front() == '#') continue;
        const std::size_t equals = all.find('=');
        try {
            if (equals == std::string_view::npos)
                throw std::invalid_argument("expected 'command = key, key'");
            bind(trimmed(all.substr(0, equals)), trimmed(all.substr(equals + 1)));
        } catch (const std::invalid_argument& problem) {
            problems += fmt::format("{}line {}: {}", problems.empty() ? "" : "\n", line, problem.what());
        }
    }
    if (!problems.empty()) throw std::invalid_argument(problems);
}

}  // namespace ui
