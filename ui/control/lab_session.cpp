#include "ui/control/lab_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/atomic_file.h"

namespace ui {

// The settings (POINTER=VALUE) that the user has made. A setting that open_run() has made is not included; if
// it replaced a setting of the user, the user's setting is included.
std::vector<std::string> LabSession::user_settings() const {
    std::vector<std::string> sets;
    for (const std::string& set : state_.model.sets) {
        const auto put = std::find_if(lab_settings_.begin(), lab_settings_.end(),
                                      [&](const auto& p) { return p.first == set; });
        if (put == lab_settings_.end())
            sets.push_back(set);
        else if (!put->second.empty())
            sets.push_back(put->second);
    }
    return sets;
}

// Rebuilds the runs with these settings and this policy. Shows an error and returns false if that fails.
bool LabSession::try_rebuild_runs(std::vector<std::string> sets, const std::string& policy) {
    try {
        state_.rebuild_runs(std::move(sets), policy);
        return true;
    } catch (const std::exception& problem) {
        state_.show_error(problem);
        return false;
    }
}

void LabSession::open_run(std::uint64_t run) {
    if (!state_.is_open() || !laboratory_.has_sweep()) return;
    const std::vector<std::string> own = user_settings();
    const std::vector<std::string> sets = laboratory_.settings_of(run);
    const std::string policy = laboratory_.policy_of(run);
    const RestorePoint was{state_.model.sets, state_.a().history().policy().spec(), navigator_.position()};
    if (!try_rebuild_runs(sets, policy)) return;
    if (!before_) before_ = was;
    state_.model.can_leave_lab_run = true;
    lab_settings_.clear();
    std::string what;
    for (const std::string& set : sets) {
        if (std::find(own.begin(), own.end(), set) != own.end()) continue;
        const std::string start = set.substr(0, set.find('=') + 1);
        const auto old = std::find_if(own.begin(), own.end(),
                                      [&](const std::string& other) { return other.starts_with(start); });
        lab_settings_.emplace_back(set, old == own.end() ? std::string{} : *old);
        what += set + ", ";
    }
    state_.view.alone.clear();
    state_.view.playing = false;
    state_.view.level = DepthLevel::time;
    state_.view.selection.reset();
    navigator_.go_to_first_point_of_interest();
    comparison_.sync_run_b();
    state_.say(
        fmt::format("Opened the run {}under {}. \"Back\" in the laboratory returns to your original "
                    "run.",
                    what, policy));
}

void LabSession::leave_run() {
    if (!state_.is_open() || !before_) return;
    const RestorePoint before = *before_;
    if (!try_rebuild_runs(before.sets, before.policy)) return;
    clear_restore_point();
    navigator_.simulate_and_go_to(before.position, kWait);
    history_.show_range_around_position();
    state_.say("Returned to the run that was open before.");
}

void LabSession::clear_restore_point() {
    before_.reset();
    lab_settings_.clear();
    state_.model.can_leave_lab_run = false;
}

// The scenario's text, if the scenario is neither the content of a file nor built in; otherwise empty.
sim::ScenarioText LabSession::unsaved_text() const {
    if (!state_.has_no_file() && !state_.is_text_edited()) return {};
    sim::ScenarioText text = state_.text();
    if (text.name.empty()) text.name = state_.model.scenario_name;
    return text;
}

void LabSession::request_sweep() {
    if (state_.is_open() && !state_.view.laboratory.pointer.empty())
        laboratory_.set_request({state_.source(), user_settings(), unsaved_text()}, state_.view.laboratory);
}

void LabSession::copy_command() {
    if (!laboratory_.has_sweep()) return;
    if (state_.is_text_edited())
        return state_.say(
            fmt::format("First save the edited scenario ({}): the copied command requires a "
                        "file.",
                        state_.services.key_of_command("save")));
    if (state_.has_no_file())
        return state_.say(
            fmt::format("{} {}: first save the scenario ({}), because the copied command "
                        "requires a file.",
                        state_.source(), state_.origin_phrase(), state_.services.key_of_command("save")));
    const std::string command = laboratory_.command();
    state_.services.set_clipboard(command + "\n");
    state_.say("Copied: " + command);
}

void LabSession::save_figure() {
    if (!laboratory_.has_sweep() || !laboratory_.is_complete()) return;
    for (int i = 1; i < 1000; ++i) {
        const std::string name = fmt::format("{}-{:03}", laboratory_.spec().scenario, i);
        const std::string results = name + ".jsonl", figure = name + ".svg";
        if (std::filesystem::exists(results) || std::filesystem::exists(figure)) continue;
        try {
            sim::write_atomically(results, laboratory_.results_file_text());
            sim::write_atomically(figure, laboratory_.figure_svg(results));
            state_.say(fmt::format("Saved the figure {} and its results {}", figure, results));
        } catch (const std::exception& problem) {
            state_.say(problem.what());
        }
        return;
    }
    state_.say("There are already 999 figures with this name.");
}

}  // namespace ui
