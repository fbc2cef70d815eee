// The pane TASKS: every task of the run at the position, and buttons for interventions on it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "sim/core/summary.h"
#include "ui/control/control.h"
#include "ui/panels/drawing.h"
#include "ui/panels/panel_helpers.h"
#include "ui/platform/imgui_versions.h"
#include "ui/platform/shapes.h"
#include "ui/view/task_rows.h"
#include "ui/view/text_table.h"
#include "ui/view/two_runs.h"
#include "ui/view/wait_words.h"

namespace ui {
namespace {

// Shown instead of states and times that would reveal which task runs.
constexpr const char* kHiddenTasks = "This pane is hidden until you have answered in the decision pane.";

using sim::Intervention;
using sim::TaskId;

// With this many tasks, sorting in every frame of playback takes too long.
constexpr std::size_t kManyTasks = 4'000;

// Converts an intervention to an Intervention, the type that makes a second run. REQUIRES: kind is not
// `block`, which Intervention does not have.
Intervention branch_intervention(sim::ScenarioIntervention::Kind kind, TaskId p, std::int32_t priority) {
    using Stored = sim::ScenarioIntervention::Kind;
    Intervention intervention{};
    intervention.kind = kind == Stored::kill     ? Intervention::Kind::kill
                        : kind == Stored::renice ? Intervention::Kind::renice
                                                 : Intervention::Kind::wake;
    intervention.task = p;
    intervention.priority = priority;
    return intervention;
}

const Run* shown_run(const Model& model, const ViewState& view) {
    return view.tasks_of_b && model.b != nullptr ? model.b : model.a;
}

// The rows of the table, cached until the run, the position or the order changes.
struct CachedRows {
    std::uint64_t run = 0, revision = 0;
    TaskOrder order;
    double made = -1;
    std::vector<TaskId> tasks;
};

// The sort order that the user has selected by a click on a header.
struct ShownOrder {
    TaskOrder order;
};

const std::vector<TaskId>& rows_of(Frame& frame, const Run& run, const TaskOrder& order) {
    CachedRows& rows = frame.memory.of<CachedRows>();
    const bool other = rows.run != run.id() || rows.order != order;
    if (other || rows.revision != run.session().revision()) {
        // In playback, a long table is sorted only a few times per second.
        const double now = ImGui::GetTime();
        if (other || rows.tasks.size() < kManyTasks || !frame.view.playing || now - rows.made > 0.25) {
            rows = {run.id(), run.session().revision(), order, now, ordered_tasks(run, order)};
        } else {
            frame.view.moving = true;
        }
    }
    return rows.tasks;
}

// Draws the sign of a task's state. Running: a right-pointing triangle. Ready: hatched. Sleeping: a line.
// Waiting: a ring. Exited: a cross.
void draw_state_shape(const Frame& frame, const sim::Machine& m, TaskId p, ImVec2 at, float size,
                      ImU32 colour) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 end(at.x + size, at.y + size);
    const float line = std::max(1.0f, frame.theme.line_width * frame.scale());
    const float middle = std::floor(at.y + size / 2);
    switch (m.task[p].state) {
        case sim::TaskState::runnable:
            if (m.task[p].processor != sim::Task::kNoProcessor)
                polygon(list, {at, ImVec2(end.x, at.y + size / 2), ImVec2(at.x, end.y)}, colour);
            else
                fill_pattern(list, frame.fonts, Pattern::hatch, at, end, colour);
            break;
        case sim::TaskState::interruptible:
        case sim::TaskState::on_timer:
            fill_rect(list, ImVec2(at.x, middle), ImVec2(end.x, middle + line), colour);
            break;
        case sim::TaskState::waiting:
        case sim::TaskState::in_service:
            ring(list, ImVec2(at.x + size / 2, at.y + size / 2), size / 2 - line / 2, colour, 0, line);
            break;
        case sim::TaskState::exited:
        case sim::TaskState::unused:
            stroke(list, at, end, colour, line);
            stroke(list, ImVec2(at.x, end.y), ImVec2(end.x, at.y), colour, line);
            break;
    }
}

// The target of interventions: a second run for comparison, or the scenario, which stores them.
struct InterventionTarget {
    bool is_scenario = false;
};

using Kind = sim::ScenarioIntervention::Kind;

// The reason why the intervention is impossible at the position; empty: it is possible.
std::string refusal_reason(Frame& frame, Kind kind, TaskId p, std::int32_t priority) {
    const Run& run = *frame.model.a;
    if (frame.memory.of<InterventionTarget>().is_scenario) return intervention_refusal(run, kind, p);
    if (kind == Kind::block) return "to block a task, first choose \"in the scenario\"";
    return sim::refusal(branch_intervention(kind, p, priority), run.session().machine());
}

void request_intervention(Frame& frame, Kind kind, TaskId p, std::int32_t priority) {
    if (frame.memory.of<InterventionTarget>().is_scenario)
        frame.ask([=](Control& control) { control.store_intervention(kind, p, priority); });
    else
        frame.ask([=](Control& control) {
            control.comparison().compare_with_intervention(branch_intervention(kind, p, priority));
        });
}

// Draws a button for an intervention at the position. If the intervention is impossible, the tooltip states
// the reason.
void intervene_button(Frame& frame, const char* label, const char* meaning, Kind kind, TaskId p,
                      std::int32_t priority = 0) {
    const std::string why = refusal_reason(frame, kind, p, priority);
    ImGui::BeginDisabled(!why.empty());
    if (ImGui::Button(label)) request_intervention(frame, kind, p, priority);
    ImGui::EndDisabled();
    const char* const result = frame.memory.of<InterventionTarget>().is_scenario
                                   ? "the scenario stores this intervention"
                                   : "the resulting run is shown next to this one";
    explain_item(why.empty()
                     ? fmt::format("{} at {}; {}", meaning, instant_text(frame.model.a->now()), result)
                     : "Not possible now: " + why);
}

// Draws the choice whether interventions make a second run or are stored in the scenario, and the button for
// a new task.
void draw_target_choice(Frame& frame) {
    bool& is_scenario = frame.memory.of<InterventionTarget>().is_scenario;
    same_line_if_fits(frame.px(90));
    if (choice_button(frame, "in a second run", !is_scenario)) is_scenario = false;
    explain_item("Interventions create a second run, which is compared with this run and is not saved.");
    same_line_if_fits(frame.px(90));
    if (choice_button(frame, "in the scenario", is_scenario)) is_scenario = true;
    explain_item("The scenario stores interventions, so every run of it repeats them. Undo removes them.");
    same_line_if_fits(frame.px(70));
    if (ImGui::Button("Add task")) frame.ask([](Control& control) { control.add_task_at_position(); });
    explain_item(fmt::format("Adds a task to the scenario that arrives at {} and computes for 10 ms.",
                             instant_text(frame.model.a->now())));
}

// The priority selected by the slider; it takes effect with the button Renice.
struct PrioritySlider {
    std::uint64_t run = 0;
    TaskId task = sim::kNoTask;
    int priority = 20;
};

void draw_intervention_controls(Frame& frame, TaskId p) {
    const Run& run = *frame.model.a;
    PrioritySlider& chosen = frame.memory.of<PrioritySlider>();
    int& priority = chosen.priority;
    const sim::Machine& m = run.session().machine();
    const bool known = p >= m.first_task() && p < m.globals().high_row;
    if (!known) {
        dim_text(frame, "The selected task does not exist at this time.");
        return;
    }
    if (chosen.task != p || chosen.run != run.id()) chosen = {run.id(), p, m.priority[p]};
    ImGui::AlignTextToFramePadding();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float chip = frame.px(10);
    fill_rect(*ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + (ImGui::GetFrameHeight() - chip) / 2),
              ImVec2(at.x + chip, at.y + (ImGui::GetFrameHeight() + chip) / 2), colour_of(frame, p));
    set_cursor_pos_x(ImGui::GetCursorPosX() + chip + frame.px(6));
    const std::string why = wait_reason_text(run, p);
    if (!why.empty()) {
        draw_ellipsized_text(fmt::format("{} waits {}", run.name(p), why), ImGui::GetContentRegionAvail().x);
        ImGui::AlignTextToFramePadding();
    }
    // The priority is drawn as text before the slider. Inside the slider, the handle would cover it.
    draw_ellipsized_text(fmt::format("{}: priority {:>2}", run.name(p), priority),
                         ImGui::GetContentRegionAvail().x);
    const float slider = frame.px(110);
    same_line_if_fits(slider);
    ImGui::SetNextItemWidth(slider);
    ImGui::SliderInt("##priority", &priority, 1, 40, "");
    explain_item("The new priority: the ticks that a recalculation adds. Press Renice to set it.");
    same_line_if_fits(frame.px(60));
    intervene_button(frame, "Renice", "Sets the selected priority", Kind::renice, p, priority);
    same_line_if_fits(frame.px(40));
    intervene_button(frame, "Kill", "Kills the task", Kind::kill, p);
    same_line_if_fits(frame.px(45));
    intervene_button(frame, "Wake", "Wakes the task", Kind::wake, p);
    same_line_if_fits(frame.px(45));
    intervene_button(frame, "Block", "Blocks the task (until a wake-up)", Kind::block, p);
    draw_target_choice(frame);
}

void draw_context_menu(Frame& frame, TaskId p) {
    const auto item = [&](const std::string& label, Kind kind, std::int32_t priority = 0) {
        const std::string why = refusal_reason(frame, kind, p, priority);
        if (ImGui::MenuItem(label.c_str(), nullptr, false, why.empty()))
            request_intervention(frame, kind, p, priority);
        if (!why.empty()) explain_item("Not possible now: " + why);
    };
    const bool is_scenario = frame.memory.of<InterventionTarget>().is_scenario;
    dim_text(frame, fmt::format("{}, at {}:",
                                is_scenario ? "Intervene in the scenario"
                                            : "Intervene in a "
                                              "second run",
                                instant_text(frame.model.a->now())));
    for (const int priority : {1, 10, 20, 30, 40})
        item(fmt::format("Renice to priority {}", priority), Kind::renice, priority);
    item("Kill", Kind::kill);
    item("Wake", Kind::wake);
    item("Block", Kind::block);
}

// The tooltip of a task's state.
std::string state_tooltip(const Run& run, TaskId p) {
    const sim::Machine& m = run.session().machine();
    std::string text = run.name(p) + " is " + sim::state_word(m, p);
    if (!m.is_live(p)) return text;
    if (const std::string why = wait_reason_text(run, p); !why.empty()) text += ", " + why;
    if (m.task[p].mm != sim::kKernelMm || m.task[p].processor == sim::Task::kNoProcessor)
        text += "\nhas " + run.scenario().mm_name(m, m.task[p].mm);
    else
        text += "\n" + loaded_mm_text(run, m.task[p].processor);
    return text;
}

void draw_task_row(Frame& frame, const Run& run, TaskId p) {
    const sim::Machine& m = run.session().machine();
    const bool gone = !m.is_live(p);
    const ImU32 colour = gone ? frame.theme.text_dim : frame.theme.text;
    const float height = ImGui::GetTextLineHeight();
    const float mark = std::floor(height * 0.62f), above = std::floor((height - mark) / 2);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImGui::TableNextRow();
    for (std::size_t c = 0; c < kTaskColumns; ++c) {
        const auto column = static_cast<TaskColumn>(c);
        if (!ImGui::TableSetColumnIndex(static_cast<int>(c))) {
            if (column != TaskColumn::name) continue;
        }
        if (column == TaskColumn::name) {
            ImGui::PushID(static_cast<int>(p));
            const bool selected = frame.view.task == p;
            const float x = ImGui::GetCursorPosX();
            if (ImGui::Selectable("##task", selected, ImGuiSelectableFlags_SpanAllColumns))
                frame.ask([p](Control& control) { control.selection().toggle_task(p); });
            if (ImGui::IsItemHovered()) frame.report_hovered_task(p);
            if (ImGui::BeginPopupContextItem("##menu")) {
                draw_context_menu(frame, p);
                ImGui::EndPopup();
            }
            ImGui::SameLine();
            set_cursor_pos_x(x);
            const ImVec2 at = ImGui::GetCursorScreenPos();
            fill_rect(list, ImVec2(at.x, at.y + above), ImVec2(at.x + mark, at.y + above + mark),
                      gone ? with_alpha(colour_of(frame, p), 0.35f) : colour_of(frame, p));
            if (frame.view.show_mms && !gone)
                draw_mm_mark(frame, m.task[p].mm, false, ImVec2(at.x + mark + 1, at.y + above),
                             ImVec2(at.x + mark + frame.px(4), at.y + above + mark));
            set_cursor_pos_x(x + mark + frame.px(8));
            coloured_text(colour, run.name(p));
            ImGui::PopID();
        } else if (column == TaskColumn::state) {
            const ImVec2 at = ImGui::GetCursorScreenPos();
            draw_state_shape(frame, m, p, ImVec2(at.x, at.y + above), mark, colour);
            set_cursor_pos_x(ImGui::GetCursorPosX() + mark + frame.px(6));
            coloured_text(colour, sim::state_word(m, p));
            explain_item(state_tooltip(run, p));
        } else if (column == TaskColumn::cause) {
            ImGui::PushStyleColor(ImGuiCol_Text, colour);
            draw_ellipsized_text(task_cell(run, p, column), ImGui::GetContentRegionAvail().x);
            ImGui::PopStyleColor();
        } else if (info_of(column).is_number) {
            const std::string cell = task_cell(run, p, column);
            const bool nothing = cell == "0" || cell == "0 ns" || cell == "0 %";
            draw_right_aligned_text(cell, nothing ? frame.theme.text_dim : colour);
        } else {
            coloured_text(colour, task_cell(run, p, column));
        }
    }
}

// Draws the headers; a click on a header sorts by its column.
void draw_headers(const Run& run, bool one_cpu) {
    ImGui::TableSetupScrollFreeze(1, 1);
    const float arrow = ImGui::GetFontSize();
    for (std::size_t c = 0; c < kTaskColumns; ++c) {
        const auto column = static_cast<TaskColumn>(c);
        const TaskColumnInfo& info = info_of(column);
        const std::string title = column_title(run, column);
        const float width =
            std::max(ImGui::CalcTextSize(info.widest).x + (c < 2 ? ImGui::GetTextLineHeight() : 0.0f),
                     ImGui::CalcTextSize(title.c_str()).x + arrow);
        ImGuiTableColumnFlags column_flags = ImGuiTableColumnFlags_WidthFixed;
        if (column == TaskColumn::name) column_flags |= ImGuiTableColumnFlags_NoHide;
        if (column == TaskColumn::cpu && one_cpu) column_flags |= ImGuiTableColumnFlags_DefaultHide;
        if (column == TaskColumn::pid) column_flags |= ImGuiTableColumnFlags_DefaultSort;
        // The first click on the header of a number sorts in descending order, because users usually look for
        // large numbers.
        if (info.is_number && column != TaskColumn::pid)
            column_flags |= ImGuiTableColumnFlags_PreferSortDescending;
        ImGui::TableSetupColumn(title.c_str(), column_flags, width, static_cast<ImGuiID>(c));
    }
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    for (std::size_t c = 0; c < kTaskColumns; ++c) {
        if (!ImGui::TableSetColumnIndex(static_cast<int>(c))) continue;
        const auto column = static_cast<TaskColumn>(c);
        table_header(column_title(run, column).c_str());
        explain_item(info_of(column).meaning);
    }
}

std::string task_summary_text(const Run& run, std::size_t rows) {
    const sim::Machine& m = run.session().machine();
    const std::size_t all = m.globals().high_row - m.first_task();
    std::string text = rows == all ? fmt::format("{} tasks", group_digits(all))
                                   : fmt::format("{} of {} tasks", group_digits(rows), group_digits(all));
    if (all == 1 && rows == 1) text = "1 task";
    const std::size_t alive = m.globals().nr_tasks;
    if (alive < all) text += fmt::format(", {} alive", group_digits(alive));
    return text + fmt::format(", {} ready or running", group_digits(m.globals().nr_running));
}

// Draws the box for the text to search for.
void draw_task_filter_box(Frame& frame) {
    ViewState& view = frame.view;
    char filter[64];
    std::snprintf(filter, sizeof filter, "%s", view.task_filter.c_str());
    ImGui::SetNextItemWidth(frame.px(150));
    if (ImGui::InputTextWithHint("##filter", "name or PID", filter, sizeof filter)) view.task_filter = filter;
    explain_item("Shows only the tasks whose name contains this text or whose PID is this number.");
}

void draw_run_choice(Frame& frame) {
    ViewState& view = frame.view;
    ImGui::SameLine();
    if (choice_button(frame, "A", !view.tasks_of_b)) view.tasks_of_b = false;
    explain_item("the tasks under " + frame.model.a->policy().spec());
    ImGui::SameLine(0, frame.px(2));
    if (choice_button(frame, "B", view.tasks_of_b)) view.tasks_of_b = true;
    explain_item("the tasks under " + frame.model.b->policy().spec());
}

void draw_task_table(Frame& frame, const Run& run, TaskOrder& order) {
    const std::vector<TaskId>* rows = &rows_of(frame, run, order);
    const ImGuiTableFlags flags = ImGuiTableFlags_Sortable | ImGuiTableFlags_ScrollX |
                                  ImGuiTableFlags_ScrollY | ImGuiTableFlags_Resizable |
                                  ImGuiTableFlags_Hideable | ImGuiTableFlags_BordersInnerV |
                                  ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings;
    // Uses another ImGui table for each font size, and for one or several CPUs, because widths and hidden
    // columns differ.
    const bool one_cpu = run.scenario().cpus == 1;
    ImGui::PushID(static_cast<int>(ImGui::GetFontSize()) * 2 + (one_cpu ? 1 : 0));
    if (begin_table("tasks", static_cast<int>(kTaskColumns), flags,
                    ImVec2(0, std::max(frame.px(60), ImGui::GetContentRegionAvail().y)))) {
        draw_headers(run, one_cpu);
        if (ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs();
            specs != nullptr && specs->SpecsCount > 0) {
            order.column = static_cast<TaskColumn>(specs->Specs[0].ColumnUserID);
            order.descending = specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
            specs->SpecsDirty = false;
            rows = &rows_of(frame, run, order);
        }
        ImGuiListClipper clipper;
        clipper.Begin(static_cast<int>(rows->size()));
        while (clipper.Step())
            for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
                draw_task_row(frame, run, (*rows)[static_cast<std::size_t>(i)]);
        ImGui::EndTable();
    }
    ImGui::PopID();
}

}  // namespace

void draw_tasks(Frame& frame) {
    if (draw_message_if_no_scenario(frame)) return;
    ViewState& view = frame.view;
    if (is_outcome_hidden(view)) {
        ImGui::TextDisabled("%s", kHiddenTasks);
        return;
    }
    draw_task_filter_box(frame);
    if (frame.model.b != nullptr) draw_run_choice(frame);
    const Run& run = *shown_run(frame.model, view);

    TaskOrder& order = frame.memory.of<ShownOrder>().order;
    order.filter = view.task_filter;
    const std::size_t rows = rows_of(frame, run, order).size();
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
    draw_ellipsized_text(task_summary_text(run, rows), ImGui::GetContentRegionAvail().x);
    ImGui::PopStyleColor();
    if (view.task) draw_intervention_controls(frame, *view.task);

    if (rows == 0) {
        dim_text(frame, view.task_filter.empty() ? "There are no tasks." : "No task has this name or PID.");
        return;
    }
    draw_task_table(frame, run, order);
}

std::string tasks_text(const Model& model, const ViewState& view) {
    if (model.a == nullptr) return "No scenario is open.\n";
    if (is_outcome_hidden(view)) return std::string(kHiddenTasks) + "\n";
    std::string text;
    for (const Run* run : {static_cast<const Run*>(model.a), static_cast<const Run*>(model.b)}) {
        if (run == nullptr) continue;
        const std::vector<TaskId> rows = ordered_tasks(*run, {.filter = view.task_filter});
        if (!text.empty()) text += "\n";
        if (model.b != nullptr)
            text += fmt::format("{}: {}\n", run_label(run == model.a), run->policy().spec());
        text += fmt::format("{}, at {}\n", task_summary_text(*run, rows.size()), instant_text(run->now()));
        if (rows.empty()) continue;
        const auto is_shown = [&](std::size_t c) {
            return run->scenario().cpus > 1 || static_cast<TaskColumn>(c) != TaskColumn::cpu;
        };
        std::string alignment;
        std::vector<std::string> header;
        for (std::size_t c = 0; c < kTaskColumns; ++c) {
            if (!is_shown(c)) continue;
            const TaskColumnInfo& info = info_of(static_cast<TaskColumn>(c));
            alignment += info.is_number ? 'r' : 'l';
            header.push_back(column_title(*run, static_cast<TaskColumn>(c)));
        }
        TextTable table(alignment);
        table.add(std::move(header));
        for (const TaskId p : rows) {
            std::vector<std::string> cells;
            for (std::size_t c = 0; c < kTaskColumns; ++c)
                if (is_shown(c)) cells.push_back(task_cell(*run, p, static_cast<TaskColumn>(c)));
            if (view.task == p) cells.back() += "  <- selected";
            table.add(std::move(cells));
        }
        text += table.text();
    }
    return text;
}

}  // namespace ui
