// User actions on the whole scenario's text, as a form or as JSON.
#include <fmt/format.h>

#include <utility>

#include "sim/scenario/value_edit.h"
#include "ui/control/control.h"

namespace ui {

// Updates the editor's text after changes that were made outside the editor: in the table, in the what-if
// strip, by undo.
void Control::update_editor() {
    if (!state_.is_open()) return;
    const std::uint64_t run = state_.a().id();
    if (std::exchange(edited_run_, run) == run) return;
    if (!edited_.is_valid()) return;  // an invalid text stays until the user corrects it
    std::string text = text_with_changes().text;
    if (text == text_of_runs_) return;
    text_of_runs_ = text;
    edited_policy_ = state_.a().history().policy().spec();
    edited_.text = std::move(text);
    edited_.problems.clear();
    ++edited_.revision;
    ++edited_.version;
}

void Control::set_scenario_text(const std::string& text) {
    apply_editor_text(text, "scenario", "the edit of the scenario's text");
}

void Control::edit_scenario(const std::function<std::string(const sim::JsonTree&)>& change,
                            const std::string& undo_key, const std::string& change_name) {
    if (!state_.is_open()) return;
    try {
        const sim::JsonTree tree(state_.text().file, edited_.text, nullptr, sim::kMaxScenarioBytes);
        apply_editor_text(change(tree), undo_key, change_name);
        ++edited_.revision;
    } catch (const sim::ScenarioError& problem) {
        state_.say(problem.problems().front().message);
    }
}

// Rebuilds the runs with the text if it is a valid scenario; otherwise stores its problems and keeps the
// runs.
void Control::apply_editor_text(const std::string& text, const std::string& undo_key,
                                const std::string& change_name) {
    if (!state_.is_open() || text == edited_.text) return;
    std::string before = std::exchange(edited_.text, text);
    edited_.problems.clear();
    ++edited_.version;
    try {
        sim::ScenarioText whole = state_.text();
        whole.text = text;
        const sim::Scenario scenario = sim::parse_scenario(whole);
        const std::string policy = sim::make_policy(scenario.policy, scenario.cpus).spec();
        const bool keeps_policy = policy == edited_policy_;
        rebuild_with_text(text, undo_key, change_name,
                          keeps_policy ? state_.a().history().policy().spec() : scenario.policy);
        text_of_runs_ = text;
        edited_policy_ = policy;
        edited_run_ = state_.a().id();
        edited_.before.clear();
        if (std::optional<std::size_t>& stop = state_.view.stop;
            stop && *stop >= state_.scenario().tour.size())
            stop.reset();
        return;
    } catch (const sim::ScenarioError& error) {
        edited_.problems = error.problems();
    } catch (const std::exception& error) {  // for example, an option of the policy is invalid
        edited_.problems = {sim::Problem{state_.text().file, 0, 0, "/policy", error.what()}};
    }
    constexpr std::size_t kMostSteps = 500;
    if (edited_.before.size() < kMostSteps) edited_.before.push_back(std::move(before));
}

void Control::undo_invalid_edit() {
    if (edited_.is_valid() || edited_.before.empty()) return;
    const std::string text = std::move(edited_.before.back());
    edited_.before.pop_back();
    std::vector<std::string> earlier = std::exchange(edited_.before, {});
    if (earlier.empty()) {  // no older invalid text, so this restores the text that the runs use
        edited_.text = text_of_runs_;
        edited_.problems.clear();
        ++edited_.version;
    } else {
        apply_editor_text(text, {}, {});
        edited_.before = std::move(earlier);
    }
    ++edited_.revision;
}

void Control::replace_burst_by_program(std::size_t group) {
    edit_scenario(
        [group](const sim::JsonTree& tree) {
            const std::string task = fmt::format("/tasks/{}", group);
            const sim::JsonValue* const burst = sim::value_at(tree, task + "/burst");
            if (burst == nullptr) return tree.text();
            return sim::with_replaced_key_and_value(
                tree, task + "/burst", "program",
                fmt::format(R"([{{"run": {}}}])", sim::json_text_of(tree, *burst)));
        },
        {}, "the conversion of the burst to a program");
}

}  // namespace ui
