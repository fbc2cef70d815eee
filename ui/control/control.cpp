#include "ui/control/control.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/atomic_file.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_edit.h"
#include "ui/view/format.h"
#include "ui/view/timeline_tracks.h"

namespace ui {

namespace {

constexpr const char* kComparisonHasEnded = "The comparison has ended: the scenario has changed.";
constexpr std::size_t kLongestSaveError = 400;  // in bytes

std::string absolute_path(const std::string& path) {
    std::error_code error;
    return std::filesystem::absolute(path, error).lexically_normal().string();
}

}  // namespace

bool Control::open(const std::string& path_or_name, const std::string& policy) {
    return open_and_recreate_components(policy,
                                        [&](const std::string& spec) { state_.open(path_or_name, spec); });
}

void Control::open_soon(const std::string& path_or_name) {
    constexpr std::uintmax_t kLarge = 16 << 20;  // in bytes; reading so large a file takes about 60 ms
    constexpr int kFramesToBeSeen = 3;
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path_or_name, error);
    if (error || size < kLarge || waits_without_limit()) {
        open(path_or_name);
        return;
    }
    large_file_ = path_or_name;
    frames_until_open_ = kFramesToBeSeen;
    state_.say(
        fmt::format("Reading {}, {} MB: the window does not respond until the file is "
                    "read.",
                    path_or_name, group_digits(size / 1'000'000)));
}

bool Control::open(sim::ScenarioText text, const std::string& policy, bool is_job_table) {
    return open_and_recreate_components(
        policy, [&](const std::string& spec) { state_.open(text, spec, is_job_table); });
}

void Control::recreate_components() {
    components_.emplace(state_);
    state_.model.script = &editor_.script();
    state_.model.edited = &edited_;
    text_of_runs_.clear();
    edited_.problems.clear();
    edited_.before.clear();
    edited_run_ = 0;
}

bool Control::open_and_recreate_components(const std::string& policy,
                                           const std::function<void(const std::string&)>& open) {
    bool went_well = true;
    large_file_.clear();
    try {
        open(policy);
    } catch (const sim::PolicyError& problem) {
        // The script has an error, so the editor shows the script, and the scenario runs under its own
        // policy.
        went_well = false;
        if (state_.is_open() || !sim::is_script_file(sim::name_in_spec(policy)) ||
            !open_under_own_policy(policy, open, problem)) {
            state_.show_error(problem);
            return false;
        }
    } catch (const std::exception& problem) {
        state_.show_error(problem);
        return false;
    }
    const std::string error = state_.model.error;
    recreate_components();
    update_after_actions();
    record_write_time();
    file_.clear();
    if (written_) file_ = absolute_path(state_.source());
    if (!state_.scenario().tour.empty() && state_.view.start) {
        state_.view.start = false;  // the start screen shows no tours
        state_.view.came_from_start = true;
    }
    state_.view.set_speed_for(state_.a().history().latest_end());
    if (state_.view.start)
        prepare_start_screen_playback();
    else if (state_.scenario().tour.empty() || !policy.empty())
        navigator().go_to_first_point_of_interest();
    else
        tour().go_to_stop(0);
    if (!went_well) state_.model.error = error;
    return went_well;
}

void Control::set_policy(const std::string& spec, const std::string& undo_key) {
    if (!state_.is_open()) return;
    try {
        EditState before = current_edit_state();
        state_.replace_run_a(spec);
        navigator().simulate_and_go_to(before.position, kWait);
        if (const std::string now = state_.a().history().policy().spec(); now != before.policy)
            components_->changes.record(std::move(before), undo_key, "policy " + now);
    } catch (const sim::PolicyError& problem) {
        state_.show_error(problem);
        show_broken_script(spec, problem.what());
    }
}

// Rebuilds both runs with these values, at the same position.
void Control::rebuild_with_values(std::vector<std::string> sets) {
    const RunPosition position = navigator().position();
    if (state_.rebuild_runs(std::move(sets), state_.a().history().policy().spec()))
        state_.say(kComparisonHasEnded);
    navigator().simulate_and_go_to(position, kMoment);
}

void Control::set_value(const std::string& pointer, const std::string& value) {
    if (!state_.is_open()) return;
    std::vector<std::string> sets = state_.model.sets;
    const std::string start = pointer + "=";
    std::erase_if(sets, [&](const std::string& set) { return set.starts_with(start); });
    sets.push_back(start + value);
    try {
        EditState before = current_edit_state();
        rebuild_with_values(std::move(sets));
        components_->changes.record(std::move(before), pointer);
    } catch (const std::exception& problem) {
        state_.show_error(problem);
    }
}

void Control::undo_or_redo(bool is_undo) {
    if (!state_.is_open()) return;
    if (is_undo && state_.model.can_leave_lab_run) return laboratory().leave_run();
    if (!is_undo && !edited_.is_valid())
        return state_.say("First correct the scenario that is being edited.");
    if (is_undo && !edited_.is_valid()) return undo_invalid_edit();
    UndoHistory& changes = components_->changes;
    EditState now = current_edit_state();
    const std::optional<UndoHistory::Step> step = is_undo ? changes.undo(now) : changes.redo(now);
    if (!step) return state_.say(is_undo ? "There is nothing to undo." : "There is nothing to redo.");
    const EditState& state = step->state;
    try {
        const bool ends = *state.text == *now.text
                              ? state_.rebuild_runs(state.sets, state.policy)
                              : state_.rebuild_runs(*state.text, state.sets, state.policy);
        navigator().simulate_and_go_to(state.position, kWait);
        if (ends) state_.say(kComparisonHasEnded);
    } catch (const std::exception& problem) {
        is_undo ? changes.redo(state) : changes.undo(state);
        return state_.show_error(problem);
    }
    laboratory().clear_restore_point();
    if (!step->change_text.empty())
        return state_.say(fmt::format("{}: {}", is_undo ? "Undone" : "Redone", step->change_text));
    std::string all;
    for (const std::string& set : state.sets) all += (all.empty() ? "Changed: " : "   ") + set;
    if (all.empty()) all = state_.is_text_edited() ? "No value is changed." : "The scenario has no changes.";
    state_.say(all);
}

void Control::undo() { undo_or_redo(true); }
void Control::redo() { undo_or_redo(false); }

void Control::record_write_time() {
    std::error_code error;
    const auto written = std::filesystem::last_write_time(state_.source(), error);
    written_ = error || state_.has_no_file() ? std::nullopt : std::optional(written);
}

bool Control::is_builtin() const {
    const sim::ScenarioText& text = state_.text();
    return !state_.is_text_edited() && text.folder.empty() && text.name.empty() &&
           sim::find_builtin_file(text.file) != nullptr;
}

bool Control::check_file_for_changes() {
    if (!state_.is_open() || !written_) return false;
    const auto before = *written_;
    record_write_time();
    if (!written_) written_ = before;  // the file may be missing while another program writes it
    if (*written_ == before) return false;
    state_.say(fmt::format("{} has changed on disk: {} reloads it.", state_.source(),
                           state_.services.key_of_command("reload")));
    return true;
}

void Control::reload() {
    if (!state_.is_open()) return;
    if (state_.has_no_file())
        return state_.say(fmt::format("{} {}: there is no file to reload. {} saves the scenario as a file.",
                                      state_.source(), state_.origin_phrase(),
                                      state_.services.key_of_command("save")));
    const std::string own = sim::make_policy(state_.scenario().policy, state_.scenario().cpus).spec();
    const bool is_own = own == state_.a().history().policy().spec();
    record_write_time();
    try {
        for (const std::string& name : state_.scripts.names())
            if (state_.scripts.file_text(name) != nullptr && state_.uses_script(name))
                reload_script_file(name);
        if (state_.is_text_edited()) {
            EditState before = current_edit_state();
            state_.rebuild_runs(sim::find_scenario(state_.source()).text, state_.model.sets, before.policy);
            state_.mark_as_saved();
            navigator().simulate_and_go_to(before.position, kMoment);
            components_->changes.record(std::move(before), {}, "the reload of the file from disk");
        } else {
            rebuild_with_values(state_.model.sets);
        }
        std::optional<std::size_t>& stop = state_.view.stop;
        if (stop && *stop >= state_.scenario().tour.size()) stop.reset();
        if (is_own) set_policy(state_.scenario().policy);
        laboratory().clear_restore_point();
        state_.say(fmt::format("Reloaded {}.", state_.source()));
    } catch (const std::exception& problem) {
        state_.show_error(problem);
    }
}

// True if `place` is the open file and another program has changed it since it was opened.
bool Control::was_changed_by_other_program(const std::string& place) const {
    std::error_code error;
    if (file_.empty() || !std::filesystem::equivalent(place, file_, error)) return false;
    try {
        return sim::find_scenario(file_).text != state_.saved_text();
    } catch (const sim::ScenarioError&) {
        return true;
    }
}

SaveResult Control::save_as(const std::string& name, bool replace) {
    namespace fs = std::filesystem;
    std::string place = name;
    const RunPosition position = navigator().position();
    const std::size_t line = state_.view.inside_step;
    const std::string subject = state_.view.subject;
    const std::optional<std::uint64_t> difference = state_.model.difference;
    if (!edited_.is_valid())
        return {SaveResult::Outcome::failed, place,
                sim::shorten("First correct the scenario's text, or undo the "
                             "edit: " +
                                 edited_.problems.front().text(),
                             kLongestSaveError)};
    try {
        place = scenario_save_path(name);
        std::error_code error;
        if (!replace && fs::exists(place, error))
            return {SaveResult::Outcome::exists, place,
                    place + (was_changed_by_other_program(place)
                                 ? " was changed after this window opened it; that change would be lost. "
                                   "Press Enter again to replace the file, or Esc to cancel."
                                 : " already exists. Press Enter again to replace the file, or Esc to "
                                   "cancel.")};
        const std::string text =
            components_->recorder.text_with_tour(place, changed_scenario_text(state_.text(), state_.model));
        sim::check_machine_unchanged(state_.text(), text, place);
        // Makes the name a path, so that it denotes a file even if a built-in scenario has the same name.
        const fs::path folder = fs::path(place).parent_path();
        state_.replace_text_and_save(
            {folder.empty() ? "./" + place : place, text, folder.empty() ? "." : folder.string()},
            [&] { sim::write_atomically(place, text); });
    } catch (const std::exception& problem) {
        return {SaveResult::Outcome::failed, place, sim::shorten(words_of(problem), kLongestSaveError)};
    }
    record_write_time();
    file_ = absolute_path(place);
    components_->changes = {};
    components_->baseline = {};
    components_->recorder.on_stops_saved();
    if (std::optional<std::size_t>& stop = state_.view.stop; stop && *stop >= state_.scenario().tour.size())
        stop.reset();
    laboratory().clear_restore_point();
    navigator().simulate_and_go_to(position, kMoment);
    if (!navigator().is_seeking()) {
        state_.view.inside_step = line;
        state_.view.subject = subject;
        if (difference) comparison().move_b_after(*difference);
    }
    update_after_actions();
    state_.say(fmt::format("Saved {}; this file is the open scenario now.", place));
    return {SaveResult::Outcome::saved, place, {}};
}

void Control::reset_values() {
    if (!state_.is_open() || state_.model.sets.empty()) return;
    try {
        EditState before = current_edit_state();
        rebuild_with_values({});
        components_->changes.record(std::move(before), {});
        laboratory().clear_restore_point();
    } catch (const std::exception& problem) {
        state_.show_error(problem);
    }
}

void Control::update_after_actions() {
    components_->baseline.record(state_.model);
    editor_.update();
    update_editor();
    report_script_failures();
}

bool Control::work(Deadline deadline) {
    if (!large_file_.empty() && --frames_until_open_ <= 0) open(std::exchange(large_file_, {}));
    const auto now = Deadline::clock::now();
    bool more =
        state_.is_open() && laboratory().work(waits_without_limit() ? deadline : now + (deadline - now) / 2);
    for (Run* run : {state_.model.a, state_.model.b}) {
        if (run == nullptr) continue;
        more = run->work(deadline) || more;
        // Computes now the values that the panes will request.
        run->last_decision();
        run->detail(shown_range(state_.model, state_.view));
    }
    more = exporter().work(deadline) || more;
    if (RunTraceComparison* const trace_comparison = state_.is_open() ? state_.trace_comparison() : nullptr)
        more = trace_comparison->work(deadline) || more;
    navigator().complete_pending_move();
    tour().save_stop_state_on_arrival();
    update_after_actions();
    return more || !large_file_.empty();
}

}  // namespace ui
