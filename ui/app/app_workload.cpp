// The start screen, tables from the clipboard, and the question before the window closes.
#include <fmt/format.h>

#include <utility>

#include "ui/app/app.h"
#include "ui/app/start_screen.h"
#include "ui/panels/workload_state.h"
#include "ui/view/format.h"
#include "ui/view/speeds.h"

namespace ui {

namespace {

// Commands whose result the start screen does not show.
bool needs_all_panes(std::string_view id) {
    return id == "predict" || id == "compare" || id.starts_with("tour") || id.starts_with("inside.in") ||
           id.starts_with("pane.");
}

}  // namespace

void App::run(const Command& command) {
    commit_typing();
    if (view().start && needs_all_panes(command.id))
        control_.say(fmt::format("'{}' needs all panes: {} shows them.", command.title, key_of("layout")));
    else
        command.run(*this);
}

void App::commit_typing() { ui::commit_typing(control_, memory_.of<WorkloadState>()); }

void App::toggle_start() {
    if (view().bare) return;
    view().start = !view().start;
    view().came_from_start = true;
    prefers_start_ = view().start;
    if (model().a != nullptr && !view().start) control_.history().fit();
    save_window_settings();
}

void App::show_jobs_on_start_screen() {
    const sim::Scenario& scenario = model().a->scenario();
    for (std::size_t i = 0; i < scenario.groups.size(); ++i)
        if (scenario.groups[i].count != 1 || !sim::is_job(scenario, i)) return;
    if (!scenario.tour.empty()) return;
    view().start = true;
    control_.begin_on_start_screen();
}

bool App::is_typing_job() { return memory_.of<WorkloadState>().is_typed_into; }

void App::new_jobs() {
    control_.open_jobs(sim::read_jobs("the table", kStartJobs), kStartPolicy);
    view().start = true;
    control_.begin_on_start_screen();
}

bool App::paste_jobs() {
    const std::string text = backend_.clipboard();
    if (!sim::contains_a_job(text)) return false;
    try {
        const std::vector<sim::ListedJob> jobs = sim::read_jobs("the clipboard", text);
        memory_.of<WorkloadState>().leaves = true;
        memory_.of<WorkloadState>().refused.clear();
        if (model().a == nullptr)
            control_.open_jobs(jobs, {});
        else
            control_.replace_jobs(jobs);
        control_.say(
            fmt::format("Pasted {}. {} undoes it.", pluralize(jobs.size(), "job", "s"), key_of("undo")));
    } catch (const sim::ScenarioError& problem) {
        control_.set_error(problem.what());
    }
    return true;
}

// Takes a table from the clipboard where a text box would take it as one text. Returns true if it did.
bool App::pastes_jobs(const SDL_KeyboardEvent& event) {
    const bool is_paste = event.keysym.scancode == SDL_SCANCODE_V && (event.keysym.mod & KMOD_CTRL) != 0;
    const std::string text = is_paste ? backend_.clipboard() : "";
    // A name such as "Job 1" is no table.
    const bool is_table = text.find_first_of("\n\t;,|") != std::string::npos;
    return is_paste && is_table && overlay_ == Overlay::none && paste_jobs();
}

bool App::use_draft_file(const std::string& path) {
    draft_ = Draft(path);
    const std::optional<sim::ScenarioText> text = draft_.read();
    if (!text || !control_.open_draft(*text)) return false;
    view().start = prefers_start_;
    control_.begin_on_start_screen();
    control_.say(fmt::format("This is your table of the last time, which was not saved. {} starts a new one.",
                             key_of("new")));
    return true;
}

// Writes the draft when an edit has made another run; not during a drag.
void App::keep_draft() {
    if (!draft_.is_kept() || model().a == nullptr || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
    const std::uint64_t run = model().a->id();
    if (std::exchange(drafted_run_, run) == run) return;
    if (control_.is_edited())
        draft_.keep(control_.changed_text());
    else
        draft_.forget();
}

void App::quit_now() {
    draft_.forget();
    quit_ = true;
}

std::string App::unsaved() const {
    const bool has_scenario = control_.has_unsaved_changes(), has_script = has_unsaved_script();
    if (!has_script && !has_scenario) return "";
    const std::string scenario = has_scenario ? "the changes of " + model().scenario_name : "";
    const std::string own = has_script ? "the script " + control_.script().name : "";
    return fmt::format("Not saved yet: {}{}{}.", scenario, has_script && has_scenario ? ", and " : "", own);
}

bool App::has_unsaved_script() const {
    const EditedScript& script = control_.script();
    return !script.name.empty() && !script.text.empty() &&
           (script.is_builtin ? script.is_changed() : !script.is_kept());
}

void App::quit() {
    commit_typing();
    if (unsaved().empty() || (overlay_ == Overlay::unsaved && quits_after_saving_)) return quit_now();
    ask_to_save([](App& app) { app.quit_now(); }, true);
}

void App::replace_scenario(std::function<void(App&)> open) {
    commit_typing();
    if (!control_.has_unsaved_changes()) return open(*this);
    ask_to_save(std::move(open), false);
}

void App::ask_to_save(std::function<void(App&)> next, bool quits) {
    show_overlay(Overlay::none);
    after_saving_ = std::move(next);
    quits_after_saving_ = quits;
    show_overlay(Overlay::unsaved);
}

// The script is saved first, because a scenario that names it cannot be saved without it.
void App::save_first() {
    std::function<void(App&)> next = std::move(after_saving_);
    show_overlay(Overlay::none);
    after_saving_ = std::move(next);
    if (quits_after_saving_ && has_unsaved_script())
        save_script();
    else
        show_overlay(Overlay::save);
    go_on_after_save();  // unless a box asks for a file name
}

void App::go_on_after_save() {
    if (!after_saving_ || overlay_ != Overlay::none) return;
    const bool is_done = quits_after_saving_ ? unsaved().empty() : !control_.has_unsaved_changes();
    is_done ? discard() : save_first();
}

void App::close_after_save() {
    std::function<void(App&)> next = std::move(after_saving_);
    show_overlay(Overlay::none);
    after_saving_ = std::move(next);
    go_on_after_save();
}

void App::discard() {
    const std::function<void(App&)> next = std::exchange(after_saving_, nullptr);
    show_overlay(Overlay::none);
    if (next) next(*this);
}

}  // namespace ui
