// User actions on the workload: edits of the table of jobs.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/scenario/scenario_edit.h"
#include "ui/control/control.h"
#include "ui/view/speeds.h"

namespace ui {

// The current state, for undo.
EditState Control::current_edit_state() {
    const std::string& text = state_.text().text;
    if (text_for_undo_ == nullptr || *text_for_undo_ != text)
        text_for_undo_ = std::make_shared<const std::string>(text);
    return {text_for_undo_, state_.model.sets, state_.a().history().policy().spec(), navigator().position()};
}

// The scenario's text, including the values that were changed in the what-if strip.
sim::ScenarioText Control::text_with_settings() const {
    sim::ScenarioText text = state_.text();
    if (!state_.model.sets.empty()) text.text = sim::text_with_changes(text, state_.model.sets);
    return text;
}

// Rebuilds the runs with `text`, which was edited outside the editor. Throws if the editor contains an
// invalid text, because that text would be lost.
void Control::apply_workload_edit(const std::string& text, const std::string& undo_key,
                                  const std::string& change_name) {
    if (!edited_.is_valid())
        throw sim::ScenarioError(sim::Problem{
            "",
            0,
            0,
            {},
            fmt::format("first correct the error that {} shows, or undo it with {}",
                        state_.services.key_of_command("edit"), state_.services.key_of_command("undo"))});
    rebuild_with_text(text, undo_key, change_name, state_.a().history().policy().spec());
}

// Rebuilds both runs with this text, at the same position. `undo_key`: see UndoHistory::record().
void Control::rebuild_with_text(const std::string& text, const std::string& undo_key,
                                const std::string& change_name, const std::string& policy) {
    EditState before = current_edit_state();
    if (text == state_.text().text && state_.model.sets.empty() && policy == before.policy) return;
    const bool ends = state_.rebuild_runs(text, {}, policy);
    navigator().simulate_and_go_to(before.position, kTyping);
    laboratory().clear_restore_point();
    components_->changes.record(std::move(before), undo_key, change_name);
    state_.say(ends ? "The comparison has ended: the scenario has changed." : "");
}

void Control::edit_field(std::size_t group, sim::JobField field, const std::string& typed) {
    const char* const name = sim::kJobFieldNames[static_cast<std::size_t>(field)];
    const std::string& job = state_.scenario().groups.at(group).name;
    const std::string what = fmt::format("{} of {}: {}", name, job, typed.empty() ? "none" : typed);
    apply_workload_edit(sim::with_job_field(text_with_settings(), group, field, typed),
                        fmt::format("/tasks/{}/{}", group, name), what);
}

void Control::add_job(const sim::ListedJob& job) {
    apply_workload_edit(sim::with_job(text_with_settings(), job), {}, "new job " + job.name);
}

void Control::add_entered_job(const sim::EnteredJob& typed) {
    const std::string text = sim::with_entered_job(text_with_settings(), typed);
    apply_workload_edit(text, {},
                        "new job " + (typed[0].empty() ? sim::unused_job_name(state_.scenario()) : typed[0]));
}

void Control::remove_job(std::size_t group) {
    const std::string what = fmt::format("{} removed", state_.scenario().groups.at(group).name);
    apply_workload_edit(sim::without_job(text_with_settings(), group), {}, what);
}

void Control::replace_jobs(const std::vector<sim::ListedJob>& jobs) {
    apply_workload_edit(
        sim::with_all_jobs(text_with_settings(), jobs), {},
        fmt::format("the pasted table of {} {}", jobs.size(), jobs.size() == 1 ? "job" : "jobs"));
}

bool Control::open_jobs(const std::vector<sim::ListedJob>& jobs, const std::string& policy) {
    return open({.file = "jobs.json", .text = sim::scenario_of_jobs(jobs), .folder = "", .name = "jobs"},
                policy, /*is_job_table=*/true);
}

void Control::prepare_start_screen_playback() {
    state_.simulate(state_.a(), state_.deadline_after(kMoment), [] { return false; });
    // After the events at time 0, the first job has the CPU, as in the chart.
    navigator().seek_after_events_at(sim::Nanos{});
    history().show_whole_run();
    view().set_speed_for(state_.a().end());
}

bool Control::open_draft(sim::ScenarioText text) {
    if (text.name.empty()) text.name = std::filesystem::path(text.file).stem().string();
    if (!open(std::move(text), {}, /*is_job_table=*/true)) return false;
    state_.mark_as_edited();
    return true;
}

sim::ScenarioText Control::text_with_changes() const {
    sim::ScenarioText text = state_.text();
    try {
        text.text = changed_scenario_text(text, state_.model);
    } catch (const std::exception&) {  // the policy is a script that is in no file
        return text_with_settings();
    }
    return text;
}

// True if run A has another policy than the scenario states.
bool Control::has_changed_policy() const {
    try {
        const sim::Scenario& scenario = state_.scenario();
        return sim::make_policy(scenario.policy, scenario.cpus).spec() !=
               state_.a().history().policy().spec();
    } catch (const sim::PolicyError&) {  // the policy is a script that is in no file
        return false;
    }
}

bool Control::has_unsaved_changes() const {
    if (!state_.is_open()) return false;
    return state_.is_text_edited() || !edited_.is_valid() || components_->recorder.has_unsaved_stops() ||
           (!file_.empty() && (!state_.model.sets.empty() || has_changed_policy()));
}

}  // namespace ui
