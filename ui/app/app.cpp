#include "ui/app/app.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

#include "sim/base/atomic_file.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "ui/app/window_link.h"
#include "ui/app/window_settings.h"
#include "ui/panels/scenario_state.h"
#include "ui/panels/script_box.h"
#include "ui/panels/workload_state.h"
#include "ui/platform/png.h"
#include "ui/view/examples.h"
#include "ui/view/presentation.h"
#include "ui/view/tabs.h"

namespace ui {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kFrame = 1.0 / 60;
constexpr std::size_t kMaxKeyBytes = 1 << 20;

}  // namespace

App::App(Backend& backend)
    : backend_(backend),
      control_({.key_of_command = [this](std::string_view id) { return key_of_command(id); },
                .set_clipboard =
                    [this](const std::string& text) { backend_.set_clipboard(sim::printable_lines(text)); }}),
      theme_(&themes().front()) {
    set_theme(theme_->name);
}

// --- the window ---

void App::show_pane_alone(const std::string& pane, bool enlarged) {
    view().alone = view().alone == pane ? std::string{} : pane;
    enlarges_ = enlarged;
}

void App::toggle_hovered_pane_alone() {
    show_pane_alone(
        view().alone.empty() ? (hovered_pane_.empty() ? "timeline" : hovered_pane_) : view().alone, true);
}

void App::set_theme(const std::string& name) {
    const Theme* theme = find_theme(name);
    if (theme == nullptr) return;
    theme_ = theme;
    set_scale(scale_);
}

void App::select_next_theme() {
    const std::size_t i = static_cast<std::size_t>(theme_ - themes().data());
    set_theme(themes()[(i + 1) % themes().size()].name);
    control_.say("Theme: " + theme_->name);
}

void App::set_scale(float scale) {
    scale_ = std::clamp(scale, kSmallestScale, kLargestScale);
    update_scale();
}

// In the presenter's view, the letter size depends on the window's height, and the user's scale can only
// enlarge the letters.
void App::update_scale() {
    const auto [width, height] = backend_.size();
    const ViewState& v = view();
    if (v.presenting) return backend_.set_scale(presenter_scale(height) * std::max(1.0F, scale_));
    const float screen = backend_.is_fullscreen() ? full_screen_scale(windowed_height_, height) : 1.0F;
    const float usual = theme_->text_scale * backend_.density() * screen, scale = scale_ * usual;
    const bool is_alone = !v.alone.empty();
    const bool is_lecture =
        v.layout == WindowLayout::lecture && !v.start && !v.bare && (!is_alone || enlarges_);
    const float lecture = is_lecture ? lecture_scale(width, height, usual, scale) : 1;
    const float alone = is_alone && enlarges_ ? single_pane_scale(height, scale) : 1;
    backend_.set_scale(scale * std::max(lecture, alone));
}

void App::toggle_presenting() {
    ViewState& v = view();
    if (v.bare) return control_.say("An embedded view cannot show the presenter's view.");
    v.presenting = !v.presenting;
    v.blank = v.show_toolbar = false;
    if (!v.presenting) {
        v.show_tour = had_tour_;
        return;
    }
    had_tour_ = std::exchange(v.show_tour, true);
    if (model().a != nullptr && !v.stop && !model().a->scenario().tour.empty())
        control_.tour().go_to_adjacent_stop(1);
    control_.say({});
}

void App::toggle_fullscreen() {
    if (!backend_.is_fullscreen()) windowed_height_ = backend_.size().height;
    backend_.set_fullscreen(!backend_.is_fullscreen());
}

void App::copy_text(const std::string& text) {
    backend_.set_clipboard(sim::printable_lines(text));
    control_.say(fmt::format("Copied {} lines.", std::count(text.begin(), text.end(), '\n')));
}

void App::copy_pane() {
    const Panel* panel = find_panel(view().alone.empty() ? hovered_pane_ : view().alone);
    copy_text(panel == nullptr ? text() : panel->text(model(), view()));
}

void App::copy_link() {
    if (model().a == nullptr) return;
    constexpr std::size_t kLongestShown = 300;  // in bytes
    const sim::Link place = link_of_window(*this);
    const std::string link = format_link(place);
    backend_.set_clipboard(link_base_ + link);
    if (control_.is_builtin() || !place.text.empty())
        control_.say(fmt::format("Copied a link to this view{}: {}",
                                 place.text.empty() ? "" : ", including the scenario",
                                 sim::shorten(link, kLongestShown)));
    else
        control_.say(fmt::format("Copied a link to this view (it works only where the file {} exists): {}",
                                 place.scenario, sim::shorten(link, kLongestShown)));
}

void App::focus_script_editor() {
    show_tab(view(), Tab::script);
    if (!view().alone.empty()) view().alone = info_of(Tab::script).pane;
    memory_.of<ScriptEditorState>().enters = true;
}

bool App::is_typing_script() { return memory_.of<ScriptEditorState>().is_typed_into; }

void App::save_script() {
    const EditedScript& script = control_.script();
    if (control_.report_if_no_script()) return;
    if (!script.saved_text || script.is_builtin) return show_overlay(Overlay::save_script);
    const SaveResult saved = control_.save_script(script.name, false);
    if (saved.outcome == SaveResult::Outcome::saved) return;
    show_overlay(Overlay::save_script);
    (saved.outcome == SaveResult::Outcome::exists ? overlay_box_.question : overlay_box_.problem) =
        sim::printable_lines(saved.words);
}

void App::record_tour_stop() {
    const std::string recording_refusal = control_.tour_recorder().recording_refusal();
    if (!recording_refusal.empty()) return control_.say(recording_refusal);
    if (control_.navigator().is_seeking())
        return control_.say(
            "Wait until the simulation has reached the "
            "new position.");
    control_.player().set_playing(false);
    if (is_outcome_hidden(view())) return control_.say("First answer the question, or end the prediction.");
    show_overlay(Overlay::tour_stop);
}

void App::save_picture() {
    for (int i = 1; i < 1000; ++i) {
        const std::string path = fmt::format("switchyard-{:03}.png", i);
        if (std::filesystem::exists(path)) continue;
        try {
            write_png(path, backend_.screenshot());
            control_.say("Saved " + path);
        } catch (const std::exception& problem) {
            control_.say(problem.what());
        }
        return;
    }
}

// --- overlays ---

void App::show_overlay(Overlay overlay) {
    if (overlay != Overlay::unsaved && overlay != Overlay::save && overlay != Overlay::save_script)
        unsaved_prompt_.cancel();
    if (overlay != Overlay::none) leave_form(memory_.of<ScenarioFormState>());
    overlay_ = overlay;
    overlay_box_.just_opened = true;
    overlay_box_.problem.clear();
    overlay_box_.question.clear();
    overlay_box_.words = {};
    if (overlay == Overlay::picker) overlay_box_.files = scenarios_in("");
    if (overlay == Overlay::save) {
        overlay_box_.words = save_dialog_text(*this);
        if (!memory_.of<WorkloadPaneState>().refused.empty())
            overlay_box_.words.left_out += "\nNot saved in the file:\ninvalid values (red cells)";
    }
    if (overlay == Overlay::export_run) overlay_box_.words = export_dialog_text(*this);
    rebinding_.clear();
    if (overlay != Overlay::none) control_.set_error({});
}

void App::dismiss_error() {
    control_.set_error({});
    if (model().a == nullptr && overlay_ == Overlay::none) show_overlay(Overlay::picker);
}

void App::close_or_leave_depth_level() {
    ViewState& v = view();
    if (overlay_ != Overlay::none)
        show_overlay(Overlay::none);
    else if (!model().error.empty())
        dismiss_error();
    else if (v.answer)
        v.answer.reset();
    else if (drawing_.tool != PenDrawing::Tool::none)
        drawing_.tool = PenDrawing::Tool::none;
    else if (v.blank)
        v.blank = false;
    else if (v.presenting && v.level == DepthLevel::time)
        toggle_presenting();
    else
        control_.navigator().leave_depth_level();
}

// --- commands and their keys ---

void App::ask(std::function<void(App&)> request) {
    requests_.push_back([this, request = std::move(request)](Control&) { request(*this); });
}

void App::use_key_bindings_file(const std::string& path) {
    key_file_ = path;
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return;  // the user has not changed a key yet
    const auto say_too = [&](const std::string& problem) {
        const std::string& before = model().error;
        control_.set_error((before.empty() ? before : before + "\n") + problem);
    };
    try {
        commands_.read_bindings(sim::read_text_file(path, kMaxKeyBytes));
    } catch (const std::invalid_argument& problem) {
        say_too(fmt::format("{}: {}", path, problem.what()));
    } catch (const sim::ScenarioError& problem) {
        say_too(problem.what());
    }
}

void App::use_window_settings_file(const std::string& path) {
    window_settings_file_ = path;
    if (read_window_settings(path, view(), recent_, prefers_start_)) return;
    window_settings_file_.clear();  // avoids overwriting a file that cannot be read
    control_.say(fmt::format("{} cannot be read: window settings and recent files will not be saved.", path));
}

void App::save_window_settings() {
    if (!window_settings_file_.empty() &&
        !write_window_settings(window_settings_file_, view(), recent_, prefers_start_))
        control_.say(
            fmt::format("{} cannot be written: window settings and recent files are lost when you quit.",
                        window_settings_file_));
}

std::string App::key_of_command(std::string_view command_id) const {
    const Command* command = commands_.find(command_id);
    return command == nullptr      ? std::string(command_id)
           : command->keys.empty() ? fmt::format("'{}'", command->title)
                                   : display_name(command->keys.front());
}

// The pressed key becomes the command's only key.
void App::bind_pressed_key(const std::string& command_id, const SDL_KeyboardEvent& event) {
    const Chord chord{event.keysym.scancode, (event.keysym.mod & KMOD_CTRL) != 0,
                      (event.keysym.mod & KMOD_SHIFT) != 0, (event.keysym.mod & KMOD_ALT) != 0};
    const std::string spelled = to_string(chord);
    try {
        commands_.bind(command_id, spelled);
    } catch (const std::invalid_argument& problem) {
        control_.say(problem.what());
        return;
    }
    control_.say(
        fmt::format("The key for the command '{}' is now "
                    "{}.",
                    commands_.find(command_id)->title, spelled));
    if (key_file_.empty()) return;
    const std::filesystem::path folder = std::filesystem::path(key_file_).parent_path();
    std::error_code error;
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    try {
        std::string text;
        if (std::filesystem::exists(key_file_, error)) text = sim::read_text_file(key_file_, kMaxKeyBytes);
        if (!text.empty() && !text.ends_with('\n')) text += '\n';
        sim::write_atomically(key_file_, text + command_id + " = " + spelled + "\n");
    } catch (const sim::FileError&) {
        control_.say(
            fmt::format("The key for the command '{}' is now {} until you quit: {} cannot be "
                        "written.",
                        commands_.find(command_id)->title, spelled, key_file_));
    } catch (const sim::ScenarioError& problem) {  // the file cannot be read and stays unchanged
        control_.say(fmt::format("The key for the command '{}' is now {} until you quit: {}.",
                                 commands_.find(command_id)->title, spelled, problem.what()));
    }
}

// Calls `work`. If it throws, shows the error as the message and returns false.
bool App::attempt(const std::function<void()>& work) {
    try {
        work();
        return true;
    } catch (const std::exception& problem) {
        control_.say(words_of(problem));
        return false;
    }
}

void App::toggle_notes_window() {
    if (!backend_.can_open_second_window()) return control_.say("A web page cannot open a second window.");
    shows_notes_ = !shows_notes_;
    control_.say(shows_notes_ ? fmt::format("The notes are in a second window; {} closes that window.",
                                            key_of_command("notes"))
                              : std::string{});
}

void App::draw_notes_window() {
    if (!std::exchange(shows_notes_, shows_notes_ && !(notes_ && notes_->wants_close())) || !shows_notes_)
        return notes_.reset();
    shows_notes_ = attempt([&] {
        if (!notes_) notes_ = std::make_unique<NotesWindow>(backend_);
        notes_->draw(notes_page(*this, local_time_of_day(), notes_->time_since_opened()), *theme_);
    });
}

// --- frames ---

void App::do_background_work(Deadline deadline) {
    const bool laboratory = std::any_of(
        drawn_.begin(), drawn_.end(), [](const Panel* p) { return p->id == std::string_view("laboratory"); });
    // A slider drag changes the scenario in every frame. Until the mouse button is released, all these
    // changes count as one, and the laboratory does not start a sweep.
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) control_.end_change_series();
    const bool held = !control_.waits_without_limit() && ImGui::IsMouseDown(ImGuiMouseButton_Left);
    if (laboratory && !held) control_.laboratory().request_sweep();
    if (!attempt([&] { busy_ = control_.work(deadline); })) busy_ = false;
    if (overlay_ == Overlay::picker)
        attempt([&] {
            busy_ = thumbnails_.work(control_.waits_without_limit() ? Deadline::max() : deadline) || busy_;
        });
}

bool App::work_between_frames() {
    if (!busy_ || view().moving || view().playing || view().glide) return false;
    do_background_work(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                          std::chrono::duration<double>(kFrame * 0.6)));
    return busy_;
}

void App::execute_requests() {
    std::vector<std::function<void(Control&)>> requests;
    requests.swap(requests_);
    if (requests.empty()) return;
    for (const auto& request : requests) attempt([&] { request(control_); });
    control_.update_after_actions();
    busy_ = true;
}

bool App::check_files_for_changes(double seconds) {
    if (control_.waits_without_limit()) return false;
    // A changed script is loaded when two successive checks have found the same version of the file.
    constexpr double kSecondsBetweenScriptChecks = 0.25;
    bool changed = false;
    if ((since_scripts_ += seconds) >= kSecondsBetweenScriptChecks) {
        since_scripts_ = 0;
        attempt([&] { changed = control_.check_scripts_for_changes(); });
    }
    if ((since_look_ += seconds) < 1) return changed;
    since_look_ = 0;
    return control_.check_file_for_changes() || changed;
}

void App::run_frame(double dt) {
    SDL_Event event;
    while (backend_.poll(event)) handle_event(event);
    update_scale();
    attempt([&] {
        check_files_for_changes(dt);
        control_.player().advance_playback(dt);
    });
    // Seconds for background work: 0.55 frames (of 1/60 s) minus the duration of the last drawing, but at
    // least 3 ms.
    const double free = std::max(0.003, kFrame * 0.55 - last_draw_);
    do_background_work(control_.waits_without_limit()
                           ? Deadline::max()
                           : Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                std::chrono::duration<double>(free)));

    const Clock::time_point begin = Clock::now();
    backend_.begin_frame(dt);
    view().moving = false;
    memory_.of<WorkloadPaneState>().is_typed_into = false;
    draw_window();
    const Clock::time_point built = Clock::now();
    backend_.end_frame(theme_->background);
    const Clock::time_point end = Clock::now();
    times_ = {.lists = built - begin, .frame = end - begin};
    last_draw_ = std::chrono::duration<double>(end - begin).count();
    if (view().moving || view().playing || view().glide) busy_ = true;
    execute_requests();
    draw_notes_window();
    attempt([&] { save_draft(); });
}

}  // namespace ui
