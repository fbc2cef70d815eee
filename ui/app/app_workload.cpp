// The functions of App for the start screen, for tables from the clipboard, and for the draft.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ui/app/app.h"
#include "ui/app/start_screen.h"
#include "ui/panels/scenario_state.h"
#include "ui/panels/workload_state.h"
#include "ui/view/format.h"
#include "ui/view/speeds.h"

namespace ui {

namespace {

// Whether the result of the command is visible only in panes that are not part of the start screen.
bool needs_all_panes(std::string_view command_id) {
    return command_id == "predict" || command_id == "compare" || command_id.starts_with("tour") ||
           command_id.starts_with("inside.in") || command_id.starts_with("pane.");
}

}  // namespace

void App::run(const Command& command) {
    commit_typing();
    if (command.id == "compare" && view().start) return run_with_needed_panes(command);
    if (view().start && !view().presenting && needs_all_panes(command.id))
        control_.say(
            fmt::format("The command '{}' requires all panes: {} shows all "
                        "panes.",
                        command.title, key_of_command("layout")));
    else
        command.run(*this);
}

void App::run_with_needed_panes(const Command& command) {
    if (view().start && !view().presenting && needs_all_panes(command.id)) {
        view().start = false;
        view().came_from_start = true;
    }
    run(command);
}

void App::commit_typing() {
    ui::commit_typing(control_, memory_.of<WorkloadPaneState>());
    commit_form(control_, memory_.of<ScenarioFormState>());
}

void App::edit_whole_scenario() {
    ScenarioFormState& form = memory_.of<ScenarioFormState>();
    if (view().start && view().editing) {
        view().editing = false;
        return;
    }
    if (model().a == nullptr) return;
    if (view().start)
        view().editing = true;
    else
        show_pane_alone("scenario");
    form.has_keys = true;
}

// True if the key is for the form of the scenario. Keys with Ctrl and function keys run commands. REQUIRES:
// no text box of the form has the focus.
bool App::is_key_for_form(const SDL_KeyboardEvent& event) {
    const ScenarioFormState& form = memory_.of<ScenarioFormState>();
    const bool is_shown = std::find(drawn_.begin(), drawn_.end(), find_panel("scenario")) != drawn_.end();
    const SDL_Scancode code = event.keysym.scancode;
    return form.has_keys && is_shown && overlay_ == Overlay::none && model().error.empty() &&
           (event.keysym.mod & KMOD_CTRL) == 0 && (code < SDL_SCANCODE_F1 || code > SDL_SCANCODE_F12);
}

void App::toggle_start_screen() {
    if (view().bare) return;
    view().start = !view().start;
    view().came_from_start = true;
    prefers_start_ = view().start;
    if (model().a != nullptr && !view().start) control_.history().show_whole_run();
    save_window_settings();
}

void App::show_jobs_on_start_screen() {
    const sim::Scenario& scenario = model().a->scenario();
    for (std::size_t i = 0; i < scenario.groups.size(); ++i)
        if (scenario.groups[i].count != 1 || !sim::has_single_burst(scenario, i)) return;
    if (!scenario.tour.empty()) return;
    view().start = true;
    control_.prepare_start_screen_playback();
}

bool App::is_typing_job() { return memory_.of<WorkloadPaneState>().is_typed_into; }

void App::open_example_jobs() {
    control_.open_jobs(sim::read_jobs("the example table of jobs", kStartJobs), kStartPolicy);
    view().start = true;
    control_.prepare_start_screen_playback();
}

bool App::paste_jobs() {
    const std::string text = backend_.clipboard();
    if (!sim::has_job_row(text)) return false;
    try {
        const std::vector<sim::ListedJob> jobs = sim::read_jobs("the clipboard", text);
        memory_.of<WorkloadPaneState>().must_lose_focus = true;
        memory_.of<WorkloadPaneState>().refused.clear();
        if (model().a == nullptr)
            control_.open_jobs(jobs, {});
        else
            control_.replace_jobs(jobs);
        control_.say(fmt::format("Pasted {}. {} undoes it.", pluralize(jobs.size(), "job", "s"),
                                 key_of_command("undo")));
    } catch (const sim::ScenarioError& problem) {
        control_.set_error(problem.what());
    }
    return true;
}

// If the key is Ctrl+V and the clipboard contains a table, pastes the table as jobs, and not as text into the
// cell with the focus. Returns true if a table was pasted.
bool App::paste_jobs_by_key(const SDL_KeyboardEvent& event) {
    const bool is_paste = event.keysym.scancode == SDL_SCANCODE_V && (event.keysym.mod & KMOD_CTRL) != 0;
    const std::string text = is_paste ? backend_.clipboard() : "";
    // A text without separators, such as the name "Job 1", is not a table.
    const bool is_table = text.find_first_of("\n\t;,|") != std::string::npos;
    return is_paste && is_table && overlay_ == Overlay::none && paste_jobs();
}

bool App::use_draft_file(const std::string& path) {
    draft_ = Draft(path);
    const std::optional<sim::ScenarioText> text = draft_.read();
    if (!text || !control_.open_draft(*text)) return false;
    view().start = prefers_start_;
    control_.prepare_start_screen_playback();
    control_.say(fmt::format("This is the unsaved table of jobs of your last session. {} starts a new table.",
                             key_of_command("new")));
    return true;
}

// Writes the draft if an edit has created a new run, or if the recorded stops of a tour have changed. Does
// nothing while the left mouse button is down.
void App::save_draft() {
    if (!draft_.is_enabled() || model().a == nullptr || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
    const TourRecorder& recorder = control_.tour_recorder();
    const std::pair<std::uint64_t, std::size_t> now{model().a->id(), recorder.stops().size()};
    if (std::exchange(drafted_, now) == now) return;
    if (!control_.is_text_edited() && !recorder.has_unsaved_stops()) return draft_.remove_file();
    sim::ScenarioText text = control_.text_with_changes();
    text.text = recorder.text_with_tour(text.file, text.text);
    draft_.write(text);
}

void App::quit_now() {
    draft_.remove_file();
    quit_ = true;
}

}  // namespace ui
