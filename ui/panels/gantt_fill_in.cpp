#include "ui/panels/gantt_fill_in.h"

#include <fmt/format.h>

#include <algorithm>

#include "ui/control/control.h"
#include "ui/panels/drawing.h"
#include "ui/panels/panel_helpers.h"
#include "ui/platform/shapes.h"
#include "ui/view/fill_in.h"
#include "ui/view/format.h"

namespace ui {
namespace {

constexpr std::size_t kMostFilledTasks = 12;  // largest number of tasks that have a button

std::string cell_task_name(const Model& model, std::optional<sim::TaskId> task) {
    if (!task) return "";
    return *task == sim::kNoTask
               ? "idle"
               : model.a->scenario().task_name(model.a->history().simulated_end().machine, *task);
}

// Draws the buttons that select what the mouse draws (a task, an idle CPU or the eraser), and the buttons of
// the exercise.
void draw_task_choices(Frame& frame, FillInExercise& exercise) {
    const sim::Machine& m = frame.model.a->history().simulated_end().machine;
    const auto chip = [&](std::optional<sim::TaskId> task, const std::string& label) {
        const bool is_chosen = exercise.brush == task;
        if (is_chosen) ImGui::PushStyleColor(ImGuiCol_Button, frame.theme.selection);
        if (task && *task != sim::kNoTask) {
            const ImVec2 at = ImGui::GetCursorScreenPos();
            const float side = ImGui::GetFrameHeight();
            fill_rect(*ImGui::GetWindowDrawList(), at, {at.x + frame.px(8), at.y + side},
                      colour_of(frame, *task));
            set_cursor_pos_x(ImGui::GetCursorPosX() + frame.px(9));
        }
        if (ImGui::Button(label.c_str())) exercise.brush = task;
        if (is_chosen) ImGui::PopStyleColor();
        ImGui::SameLine(0, frame.px(6));
    };
    std::size_t number = 0;
    for (sim::TaskId p = m.first_task(); p < m.globals().high_row && number < kMostFilledTasks; ++p) {
        ++number;
        chip(p, fmt::format("{}##{}", cell_task_name(frame.model, p), p));
    }
    chip(sim::kNoTask, "idle");
    chip(std::nullopt, "erase");
    ImGui::SameLine(0, frame.px(18));
    if (ImGui::Button("Check"))
        frame.ask([](Control& control) { control.prediction_quiz().check_fill_in_exercise(); });
    ImGui::SameLine(0, frame.px(6));
    if (ImGui::Button("Solution"))
        frame.ask([](Control& control) { control.prediction_quiz().show_solution(); });
    ImGui::SameLine(0, frame.px(6));
    if (ImGui::Button("End"))
        frame.ask([](Control& control) { control.prediction_quiz().toggle_fill_in_exercise(); });
}

struct FilledRow {
    float left, top, cell, height;

    float x(std::size_t i) const { return std::floor(left + cell * static_cast<float>(i)); }
};

void draw_cell(Frame& frame, const FilledRow& row, std::size_t i, std::optional<sim::TaskId> task) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 min{row.x(i), row.top}, max{row.x(i + 1), row.top + row.height};
    const ImU32 ground = !task                   ? with_alpha(frame.theme.text, 0.05F)
                         : *task == sim::kNoTask ? frame.theme.grid
                                                 : colour_of(frame, *task);
    fill_rect(list, min, {max.x - 1, max.y}, ground);
    if (!task) return;
    const std::string name = ellipsized_text(cell_task_name(frame.model, task), max.x - min.x - frame.px(2));
    const float width = ImGui::CalcTextSize(name.c_str()).x;
    const bool is_light = contrast(frame.theme.text, ground) < contrast(frame.theme.background, ground);
    list.AddText({std::floor((min.x + max.x - width) / 2),
                  std::floor(row.top + (row.height - ImGui::GetFontSize()) / 2)},
                 is_light ? frame.theme.background : frame.theme.text, name.c_str());
}

// While the mouse button is pressed, sets the cell under the mouse to the selected task.
void paint_cells(FillInExercise& exercise, const FilledRow& row) {
    set_cursor_screen_pos({row.left, row.top});
    ImGui::InvisibleButton("##cells", {row.cell * static_cast<float>(exercise.cells.size()), row.height});
    if (!ImGui::IsItemActive()) return;
    const float at = (ImGui::GetIO().MousePos.x - row.left) / row.cell;
    if (at < 0 || at >= static_cast<float>(exercise.cells.size())) return;
    exercise.cells[static_cast<std::size_t>(at)] = exercise.brush;
    exercise.wrong.reset();
    exercise.feedback.clear();
}

}  // namespace

void draw_fill_in_exercise(Frame& frame) {
    FillInExercise& exercise = *frame.view.fill_in;
    const ImVec2 room = ImGui::GetContentRegionAvail(), origin = ImGui::GetCursorScreenPos();
    draw_task_choices(frame, exercise);
    ImGui::NewLine();
    const float text = ImGui::GetTextLineHeightWithSpacing();
    const float top = origin.y + ImGui::GetFrameHeightWithSpacing() + frame.px(2);
    const auto count = static_cast<float>(exercise.cells.size());
    const float height =
        std::clamp(room.y - ImGui::GetFrameHeightWithSpacing() - 3 * text, frame.px(18), frame.px(54));
    const bool solved = exercise.shows_solution;
    FilledRow row{origin.x, top, room.x / count, solved ? std::floor(height / 2) - 1 : height};
    for (std::size_t i = 0; i < exercise.cells.size(); ++i) draw_cell(frame, row, i, exercise.cells[i]);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (exercise.wrong)
        draw_frame(list, {row.x(*exercise.wrong), row.top},
                   {row.x(*exercise.wrong + 1) - 1, row.top + row.height}, frame.theme.error,
                   std::max(2.0F, frame.px(3)));
    paint_cells(exercise, row);
    if (solved) {
        row.top += row.height + 2;
        const std::vector<sim::TaskId> solution = solution_of(*frame.model.a, exercise);
        for (std::size_t i = 0; i < solution.size(); ++i) {
            draw_cell(frame, row, i, solution[i]);
            if (exercise.cells[i] && *exercise.cells[i] != solution[i])
                draw_frame(list, {row.x(i), top}, {row.x(i + 1) - 1, row.top - 2}, frame.theme.error,
                           std::max(1.0F, frame.px(1.5F)));
        }
    }
    // Draws the start times of the cells, as many as fit.
    float free = origin.x - 1;
    for (std::size_t i = 0; i <= exercise.cells.size(); ++i) {
        const std::string label = instant_text(cell_begin(exercise, i));
        const float x = row.x(i), width = ImGui::CalcTextSize(label.c_str()).x;
        if (x < free || x + width > origin.x + room.x) continue;
        list.AddText({x, top + height + frame.px(2)}, frame.theme.text_dim, label.c_str());
        free = x + width + frame.px(16);
    }
    set_cursor_screen_pos({origin.x, top + height + text});
    if (!exercise.feedback.empty())
        coloured_text(exercise.wrong ? frame.theme.error : frame.theme.ok,
                      wrapped_text(frame.fonts.sans, exercise.feedback, room.x));
    ImGui::Dummy({0, 0});
}

std::string fill_in_exercise_text(const Model& model, const FillInExercise& exercise) {
    std::string text = "Your chart:";
    for (std::size_t i = 0; i < exercise.cells.size(); ++i)
        text += fmt::format(" {}", exercise.cells[i] ? cell_task_name(model, exercise.cells[i]) : "_");
    text += fmt::format(
        "\nThe first cell starts at {}; each cell lasts "
        "{}.\n",
        instant_text(exercise.begin), instant_text(exercise.cell));
    if (exercise.shows_solution) {
        text += "Solution:";
        for (const sim::TaskId p : solution_of(*model.a, exercise)) text += " " + cell_task_name(model, p);
        text += "\n";
    }
    return exercise.feedback.empty() ? text : text + exercise.feedback + "\n";
}

}  // namespace ui
