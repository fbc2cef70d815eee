// The pane SCENARIO: the whole scenario as a form, next to its JSON text. The user can edit both; a change of
// either one changes the other. While the text has an error, the run does not change.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ui/control/control.h"
#include "ui/panels/drawing.h"
#include "ui/panels/panel_helpers.h"
#include "ui/panels/scenario_form.h"
#include "ui/platform/imgui_versions.h"
#include "ui/view/edited_scenario.h"

namespace ui {
namespace {

// Maximum length of the displayed text in bytes. A longer text is not shown, because ImGui measures the whole
// text in each frame.
constexpr std::size_t kLongestInBox = std::size_t{256} << 10;

// If a folded row contains the row to which the cursor must move, unfolds the folded row and returns true.
bool unfold_to_wanted_row(ScenarioFormState& state) {
    for (const FormRow& row : state.rows)
        if (row.is_folded && state.wanted.starts_with(row.pointer + "/")) {
            if (state.toggled.erase(row.pointer) == 0) state.toggled.insert(row.pointer);
            return true;
        }
    return false;
}

// Folds all task groups except the one that contains the row to which the cursor must move.
void fold_other_tasks(const EditedScenario& edited, ScenarioFormState& state) {
    state.toggled.clear();
    for (const FormRow& row : scenario_rows(*state.tree, edited.problems, {})) {
        const bool is_task =
            row.pointer.starts_with("/tasks/") && row.pointer.find('/', 7) == std::string::npos;
        if (is_task && row.can_fold && !row.is_folded && !state.wanted.starts_with(row.pointer + "/"))
            state.toggled.insert(row.pointer);
    }
}

// Moves the cursor to the row `wanted`. If there is no such row, the cursor keeps its row number, or moves to
// the last row if there are now fewer rows.
void move_cursor_to_wanted_row(ScenarioFormState& state) {
    if (!state.wanted.empty()) {
        for (std::size_t i = 0; i < state.rows.size(); ++i)
            if (state.rows[i].pointer == state.wanted) {
                state.at = i;
                state.scrolls = true;
                const FormRow& row = state.rows[i];
                if (std::exchange(state.opens_wanted, false) && (row.cell || row.has_own_key))
                    state.typing =
                        ScenarioFormState::Typing{.pointer = row.pointer,
                                                  .is_key = row.has_own_key,
                                                  .text = row.has_own_key ? row.label : row.cell->shown};
            }
        state.wanted.clear();
    }
    state.at = std::min(state.at, state.rows.empty() ? 0 : state.rows.size() - 1);
}

// Computes the rows of the form from the edited text, unless they are up to date.
void update_rows(const EditedScenario& edited, ScenarioFormState& state) {
    if (state.version == edited.version + 1) return;
    state.version = edited.version + 1;
    state.menu.reset();  // the entries of the menu belong to the old rows
    try {
        state.tree = std::make_unique<sim::JsonTree>("", edited.text, nullptr, sim::kMaxScenarioBytes);
        if (!state.tree->root().is_object()) throw sim::ScenarioError(sim::Problem{});
        if (std::exchange(state.folds_other_tasks, false)) fold_other_tasks(edited, state);
        do state.rows = scenario_rows(*state.tree, edited.problems, state.toggled);
        while (unfold_to_wanted_row(state));
    } catch (const sim::ScenarioError&) {  // the text is not a JSON object; draw_problems() shows the error
        state.tree.reset();
        state.rows.clear();
        state.typing.reset();
        state.menu.reset();
    }
    move_cursor_to_wanted_row(state);
}

void prepare_form(const Frame& frame, ScenarioFormState& state) {
    if (state.opened != frame.model.opened) {
        const std::string wanted = state.wanted;
        const bool has_keys = state.has_keys, folds = state.folds_other_tasks;
        state = {};
        state.opened = frame.model.opened;
        state.wanted = wanted;
        state.has_keys = has_keys;
        state.folds_other_tasks = folds;
    }
    update_rows(*frame.model.edited, state);
}

// The position of a problem as text: the row of the form that shows it, or its line in the JSON text.
std::string problem_position_text(const sim::Problem& problem, const ScenarioFormState& state) {
    const auto row = std::find_if(state.rows.begin(), state.rows.end(),
                                  [](const FormRow& r) { return !r.problem.empty(); });
    if (row != state.rows.end() && !row->pointer.empty())
        return (row->is_step ? "step " : "") + row->label + ": ";
    return problem.line > 1 ? fmt::format("line {}, column {}: ", problem.line, problem.column) : "";
}

void draw_problems(Frame& frame, const EditedScenario& edited, const ScenarioFormState& state) {
    if (edited.is_valid()) return;
    const std::size_t more = edited.problems.size() - 1;
    const sim::Problem& first = edited.problems.front();
    const std::string words = problem_position_text(first, state) + first.message +
                              (more == 0 ? "" : fmt::format(" ({} more)", more));
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.error);
    std::string lines = wrapped_text(frame.fonts.sans, words, width);
    if (std::size_t second = lines.find('\n'); second != std::string::npos)
        if (const std::size_t third = lines.find('\n', second + 1); third != std::string::npos)
            lines = lines.substr(0, third) + " …";
    ImGui::TextUnformatted(lines.c_str());
    ImGui::PopStyleColor();
    explain_item(words);
    dim_text(frame, "The run does not change until this error is corrected or undone.");
}

void draw_json(Frame& frame, ScenarioFormState& state) {
    const EditedScenario& edited = *frame.model.edited;
    if (edited.text.size() > kLongestInBox) {
        ImGui::TextWrapped(
            "This scenario (%zu KB) is too large for this pane: edit the file in a text "
            "editor, then reload the file.",
            edited.text.size() / 1000);
        return;
    }
    const int wrong = edited.is_valid() ? 0 : edited.problems.front().line;
    const std::optional<std::string> typed = draw_code_box(frame, state.code,
                                                           {.name = fmt::format("{}", frame.model.opened),
                                                            .text = edited.text,
                                                            .revision = edited.revision,
                                                            .wrong = wrong});
    if (state.code.is_typed_into) state.has_keys = false;
    if (typed) frame.ask([typed](Control& control) { control.set_scenario_text(*typed); });
}

}  // namespace

void draw_scenario(Frame& frame) {
    if (draw_message_if_no_scenario(frame)) return;
    ScenarioFormState& state = frame.memory.of<ScenarioFormState>();
    prepare_form(frame, state);
    if (frame.view.editing) {
        if (ImGui::Button("◀ Table")) frame.view.editing = false;
        explain_item("Go back to the table of jobs");
        ImGui::SameLine();
    }
    dim_text(frame, state.has_keys
                        ? "Arrows move, Enter edits, Insert or + adds, Delete removes, Space chooses, "
                          "Alt+arrows reorder, Esc leaves the form."
                        : "Click a value to change it.");
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const bool side_by_side = room.x > frame.px(560);
    const float form = side_by_side ? std::floor(room.x * 0.55F) : room.x;
    const float height = side_by_side ? room.y : std::floor(room.y * 0.6F);
    begin_child("left", {form, height});
    // The space for problems is always reserved, so that the rows do not move when a problem appears.
    const float problems = 3 * ImGui::GetTextLineHeightWithSpacing();
    begin_child("rows", {0, std::max(1.0F, ImGui::GetContentRegionAvail().y - problems)});
    if (state.tree != nullptr)
        draw_form(frame, state);
    else
        dim_text(frame, "The text is not a JSON object: see the marked line.");
    ImGui::EndChild();
    draw_problems(frame, *frame.model.edited, state);
    ImGui::EndChild();
    if (side_by_side) ImGui::SameLine();
    begin_child("right", {0, 0});
    draw_json(frame, state);
    ImGui::EndChild();
}

std::string scenario_text(const Model& model, const ViewState&) {
    if (model.a == nullptr) return "No scenario is open.\n";
    std::string text;
    for (const sim::Problem& problem : model.edited->problems) text += problem.text() + "\n";
    try {
        const sim::JsonTree tree("", model.edited->text, nullptr, sim::kMaxScenarioBytes);
        for (const FormRow& row : scenario_rows(tree, model.edited->problems, {})) {
            text += std::string(2 * static_cast<std::size_t>(row.depth), ' ') + row.label;
            for (const FormChoice& choice : row.choices) text += fmt::format(" [{}]", choice.label);
            if (row.cell) text += " " + row.cell->shown;
            if (!row.preview.empty()) text += " " + row.preview;
            text += row.problem.empty() ? "\n" : "   <- " + row.problem + "\n";
        }
    } catch (const sim::ScenarioError&) {  // the error is already at the beginning of `text`
    }
    return text;
}

}  // namespace ui
