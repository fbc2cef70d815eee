// The pane WORKLOAD: the jobs as a table whose cells can be edited, next to their results.
//
// Tab and Enter go to the next cell. The empty row below the jobs becomes a job as soon as it has a burst. A
// typed value takes effect when the cell is left. An invalid value stays in its cell, which is coloured and
// has the reason as its tooltip; the run does not change.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "ui/control/control.h"
#include "ui/panels/drawing.h"
#include "ui/panels/panel_helpers.h"
#include "ui/panels/scenario_state.h"
#include "ui/panels/workload_state.h"
#include "ui/platform/imgui_versions.h"
#include "ui/platform/shapes.h"
#include "ui/view/workload.h"

namespace ui {
namespace {

using sim::JobField;
using Cell = WorkloadPaneState::Cell;

constexpr std::size_t kFields = sim::kJobFieldNames.size();
constexpr const char* kFieldMeanings[] = {
    "the name of the job, or of a group of equal tasks",
    "when the job becomes ready for the first time: 8 or 8ms, 1.5, 20us, 2s",
    "the CPU time that the job needs: 8 or 8ms, 1.5, 20us, 2s",
    "the priority, 1 to 40 (empty: 20): Linux prefers high numbers, the policy `priority` low ones"};

const std::string& field_text(const WorkloadRow& row, std::size_t field) {
    return field == 0 ? row.name : field == 1 ? row.arrival : field == 2 ? row.burst : row.priority;
}

// Data for the callback of a text box that has the keyboard focus, on_cell_typing().
struct CellTyping {
    bool selects = false;            // input: nothing has been typed yet, so a click selects the whole text
    bool tab = false, back = false;  // output: Tab or Shift+Tab has been pressed
    int rows = 0;                    // output: number of rows to move down; negative: up
};

int on_cell_typing(ImGuiInputTextCallbackData* data) {
    CellTyping& typing = *static_cast<CellTyping*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackAlways) {
        if (typing.selects && ImGui::IsMouseReleased(ImGuiMouseButton_Left)) data->SelectAll();
        return 0;
    }
    if (data->EventFlag == ImGuiInputTextFlags_CallbackHistory) {
        typing.rows += data->EventKey == ImGuiKey_UpArrow ? -1 : 1;
        return 0;
    }
    // The event of the Tab key.
    (ImGui::GetIO().KeyShift ? typing.back : typing.tab) = true;
    return 0;
}

// Shows the steps of a task group in the pane SCENARIO.
void show_program(Frame& frame, std::size_t group) {
    ScenarioFormState& form = frame.memory.of<ScenarioFormState>();
    frame.ask([group, &form](Control& control) {
        control.replace_burst_by_program(group);
        select_form_row(form, fmt::format("/tasks/{}/program", group));
        if (control.view().start)
            control.view().editing = true;
        else
            control.view().alone = "scenario";
    });
}

// Draws the cells of the table, and moves the keyboard focus between them.
class WorkloadGrid {
  public:
    WorkloadGrid(Frame& frame, const WorkloadTable& table)
        : frame_(frame), state_(frame.memory.of<WorkloadPaneState>()), table_(table) {}

    void draw_cell(std::size_t row, std::size_t field) {
        if (!is_editable({row, field})) return draw_program_button(row);
        const Cell here{row, field};
        const auto bad = state_.refused.find(here);
        const bool is_bad = bad != state_.refused.end();
        const std::string shown = is_bad ? bad->second.typed : text_in({row, field});
        std::array<char, kLongest> buffer{};
        shown.copy(buffer.data(), buffer.size() - 1);

        ImGui::PushID(static_cast<int>(row * kFields + field));
        if (is_bad) ImGui::PushStyleColor(ImGuiCol_FrameBg, with_alpha(frame_.theme.error, 0.35F));
        ImGui::SetNextItemWidth(-1);
        const bool enters = state_.next == here;
        if (enters) {
            focus_next_item();
            state_.next.reset();
        }
        CellTyping typing{.selects = state_.typed_in == here && state_.typed == state_.before};
        // Tab leads to the next cell. In the last cell, or if keyboard navigation is on (Tab visits all
        // controls), Tab leads to the next control of the window.
        const ImGuiInputTextFlags tab = editable_cell_beside(here, 1) && !is_keyboard_navigation_on()
                                            ? ImGuiInputTextFlags_CallbackCompletion
                                            : 0;
        ImGui::InputTextWithHint("##cell", is_in_new_row(here) && field == 0 ? "new job" : "", buffer.data(),
                                 buffer.size(),
                                 ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_CallbackHistory |
                                     ImGuiInputTextFlags_CallbackAlways | tab,
                                 on_cell_typing, &typing);
        if (is_bad) ImGui::PopStyleColor();
        if (is_bad)
            explain_item(bad->second.why);
        else if (!ImGui::IsAnyItemActive())
            explain_item(kFieldMeanings[field]);
        store_typed_text(here, shown, buffer.data(), typing);
        ImGui::PopID();
    }

  private:
    static constexpr std::size_t kLongest = 80;  // maximum length of a typed value, in bytes

    // Draws a button instead of the burst of a job whose program has several steps. A click shows the steps.
    void draw_program_button(std::size_t row) {
        ImGui::PushID(static_cast<int>(row));
        if (ImGui::Button((table_.rows[row].burst + "...").c_str(), {-1, 0})) show_program(frame_, row);
        ImGui::PopID();
        explain_item("This job has a program of several steps. Click to show and change them");
    }

    // Stores the text that is being typed in a cell, and applies it when the cell is left.
    void store_typed_text(Cell here, const std::string& shown, const char* text, const CellTyping& typing) {
        const bool enter = is_key_pressed(ImGuiKey_Enter) || is_key_pressed(kKeypadEnter);
        if (ImGui::IsItemActive()) {
            if (state_.typed_in != here) state_.before = shown;
            state_.typed_in = here;
            state_.typed = text;
            state_.is_typed_into = true;
            if (typing.tab || typing.back) move_focus(editable_cell_beside(here, typing.tab ? 1 : -1));
            if (typing.rows != 0) move_focus(editable_cell_below(here, typing.rows));
            return;
        }
        if (state_.typed_in != here) return;
        // The cell has just been left. The text may have changed in the same frame.
        const std::string typed = text != shown ? std::string(text) : state_.typed;
        state_.typed_in.reset();
        if (is_key_pressed(ImGuiKey_Escape)) {
            state_.refused.erase(here);
            frame_.ask([](Control& control) { control.say({}); });
            return;
        }
        if (typed != state_.before || state_.refused.count(here) > 0) request_edit(here, typed);
        if (enter) move_focus_after_enter(here);
    }

    // Requests the edit of a cell, or a new job.
    void request_edit(Cell here, const std::string& typed) {
        frame_.ask(
            [&state = state_, here, typed](Control& control) { commit_cell(control, state, here, typed); });
        if (is_in_new_row(here)) state_.new_job[here.field] = typed;
    }

    // Moves the focus after Enter in the cell `here`. In the row of a job: to the cell below. In the row for
    // a new job, until a burst is typed: from a cell with text to the next cell, at most to the burst. Once a
    // burst is typed, the row is a job: to the first cell of the row below.
    void move_focus_after_enter(Cell here) {
        if (!is_in_new_row(here))
            state_.next = here.row + 1 < table_.rows.size() ? editable_cell_below(here, 1)
                                                            : Cell{table_.rows.size(), 0};
        else if (!state_.new_job[2].empty())
            state_.next = Cell{here.row + 1, 0};
        else if (!state_.new_job[here.field].empty())
            state_.next = Cell{here.row, std::min<std::size_t>(here.field + 1, 2)};
    }

    // Moves the focus to the cell `next`. The cell that has the focus loses it in the next frame.
    void move_focus(std::optional<Cell> next) {
        if (next) state_.next = *next;
    }

    // True if the cell is in the row below the jobs.
    bool is_in_new_row(Cell cell) const { return cell.row >= table_.rows.size(); }
    bool is_editable(Cell cell) const {
        return is_in_new_row(cell) || cell.field != 2 || table_.rows[cell.row].has_single_burst;
    }
    const std::string& text_in(Cell cell) const {
        return is_in_new_row(cell) ? state_.new_job[cell.field]
                                   : field_text(table_.rows[cell.row], cell.field);
    }

    std::optional<Cell> editable_cell_beside(Cell here, int direction) const {
        std::ptrdiff_t at = static_cast<std::ptrdiff_t>(here.row * kFields + here.field);
        const auto all = static_cast<std::ptrdiff_t>((table_.rows.size() + 1) * kFields);
        for (at += direction; at >= 0 && at < all; at += direction) {
            const Cell cell{static_cast<std::size_t>(at) / kFields, static_cast<std::size_t>(at) % kFields};
            if (is_editable(cell)) return cell;
        }
        return std::nullopt;
    }

    std::optional<Cell> editable_cell_below(Cell here, int direction) const {
        std::ptrdiff_t row = static_cast<std::ptrdiff_t>(here.row);
        for (row += direction; row >= 0 && row <= static_cast<std::ptrdiff_t>(table_.rows.size());
             row += direction) {
            const Cell cell{static_cast<std::size_t>(row), here.field};
            if (is_editable(cell)) return cell;
        }
        return std::nullopt;
    }

    Frame& frame_;
    WorkloadPaneState& state_;
    const WorkloadTable& table_;
};

// The table, cached while the run stays the same, because there may be thousands of groups.
struct KeptWorkload {
    std::uint64_t run = 0, events = 0;
    WorkloadTable table;
};

const WorkloadTable& table_of(Frame& frame) {
    KeptWorkload& kept = frame.memory.of<KeptWorkload>();
    const Run& run = *frame.model.a;
    const std::uint64_t events = run.history().simulated_end().machine.globals().events;
    if (kept.run != run.id() || kept.events != events) kept = {run.id(), events, workload_table(frame.model)};
    return kept.table;
}

void draw_result_time(Frame& frame, const std::optional<sim::Nanos>& time) {
    const bool is_shown = time && !frame.view.fill_in;  // results would reveal the solution of the exercise
    draw_right_aligned_text(is_shown ? rounded_ms_text(static_cast<double>(time->count())) : "-",
                            is_shown ? frame.theme.text : frame.theme.text_dim);
}

void draw_mean(Frame& frame, const std::optional<double>& time) {
    draw_right_aligned_text(time && !frame.view.fill_in ? rounded_ms_text(*time) : "-", frame.theme.text);
}

void draw_row(Frame& frame, WorkloadGrid& grid, const WorkloadTable& table, std::size_t i,
              sim::TaskId first) {
    const WorkloadRow& row = table.rows[i];
    ImGui::TableNextRow();
    ImGui::TableSetColumnIndex(0);
    const float side = std::floor(ImGui::GetFrameHeight() * 0.55F);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float above = std::floor((ImGui::GetFrameHeight() - side) / 2);
    if (ImGui::IsWindowHovered() && ImGui::GetIO().MousePos.y >= at.y &&
        ImGui::GetIO().MousePos.y < at.y + ImGui::GetFrameHeight())
        frame.report_hovered_task(first);
    fill_rect(*ImGui::GetWindowDrawList(), {at.x, at.y + above}, {at.x + side, at.y + above + side},
              colour_of(frame, first));
    set_cursor_pos_x(ImGui::GetCursorPosX() + side + frame.px(6));
    grid.draw_cell(i, 0);
    for (std::size_t field = 1; field < kFields; ++field) {
        ImGui::TableSetColumnIndex(static_cast<int>(field));
        grid.draw_cell(i, field);
    }
    ImGui::TableSetColumnIndex(4);
    draw_result_time(frame, row.finish);
    ImGui::TableSetColumnIndex(5);
    draw_result_time(frame, row.turnaround);
    ImGui::TableSetColumnIndex(6);
    draw_result_time(frame, row.waiting);
    ImGui::TableSetColumnIndex(7);
    ImGui::PushID(static_cast<int>(i));
    const bool is_wide = ImGui::GetContentRegionAvail().x > ImGui::CalcTextSize("Program...  x ").x;
    if (ImGui::SmallButton(is_wide ? "Program..." : "...")) show_program(frame, i);
    explain_item("Program...: the steps of this job, such as run, sleep, lock");
    ImGui::SameLine(0, frame.px(2));
    if (ImGui::SmallButton("×")) {
        WorkloadPaneState& state = frame.memory.of<WorkloadPaneState>();
        frame.ask([i, &state](Control& control) {
            state.refused.clear();
            control.remove_job(i);
        });
    }
    explain_item("Remove this job. Ctrl+Z restores the job");
    ImGui::PopID();
}

// Draws the empty row below the jobs.
void draw_new_row(Frame& frame, WorkloadGrid& grid, std::size_t row) {
    ImGui::TableNextRow();
    ImGui::TableSetColumnIndex(0);
    set_cursor_pos_x(ImGui::GetCursorPosX() + std::floor(ImGui::GetFrameHeight() * 0.55F) + frame.px(6));
    for (std::size_t field = 0; field < kFields; ++field) {
        if (field > 0) ImGui::TableSetColumnIndex(static_cast<int>(field));
        grid.draw_cell(row, field);
    }
}

void draw_column_titles(Frame& frame) {
    ImGui::TableSetupScrollFreeze(0, 1);
    constexpr float kWidths[] = {1.4F, 0.85F, 0.95F, 0.85F, 0.8F, 1.2F, 0.85F, 1.3F};
    for (const float width : kWidths) ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, width);
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    ImGui::TableSetColumnIndex(0);
    const bool is_wide = ImGui::GetContentRegionAvail().x >= ImGui::CalcTextSize("job (times in ms)").x;
    const char* const first = is_wide ? "job (times in ms)" : "job (ms)";
    for (std::size_t i = 0; i < kFields; ++i) {
        ImGui::TableSetColumnIndex(static_cast<int>(i));
        dim_text(frame, i == 0 ? first : sim::kJobFieldNames[i]);
        explain_item(kFieldMeanings[i]);
    }
    constexpr std::pair<const char*, const char*> kResults[] = {
        {"finish", "when the job exited"},
        {"turnaround", "from arrival to finish"},
        {"waiting", "how long the job was ready and had no CPU"}};
    for (std::size_t i = 0; i < std::size(kResults); ++i) {
        ImGui::TableSetColumnIndex(static_cast<int>(kFields + i));
        draw_right_aligned_text(kResults[i].first, frame.theme.text_dim);
        explain_item(kResults[i].second);
    }
}

void draw_means(Frame& frame, const WorkloadTable& table) {
    ImGui::TableNextRow();
    ImGui::TableSetColumnIndex(0);
    dim_text(frame, table.is_complete ? "mean" : "mean so far");
    ImGui::TableSetColumnIndex(5);
    draw_mean(frame, table.mean_turnaround);
    ImGui::TableSetColumnIndex(6);
    draw_mean(frame, table.mean_waiting);
}

// Discards the state that belongs to another scenario, and text that was typed before the pane was hidden.
void discard_old_state(const Frame& frame, WorkloadPaneState& state) {
    if (state.opened != frame.model.opened) {
        state = {};
        state.opened = frame.model.opened;
        state.must_lose_focus = true;
    }
    if (std::exchange(state.frame, ImGui::GetFrameCount()) + 1 != ImGui::GetFrameCount())
        state.typed_in.reset();
    if (std::exchange(state.must_lose_focus, false)) {
        leave_text_box();
        state.typed_in.reset();
        state.next.reset();
    }
    const std::size_t rows = frame.model.a->scenario().groups.size();
    if (std::exchange(state.rows, rows) != rows) state.refused.clear();
}

}  // namespace

void commit_cell(Control& control, WorkloadPaneState& state, WorkloadPaneState::Cell here,
                 const std::string& typed) {
    const bool adds = here.row >= control.model().a->scenario().groups.size();
    state.refused.erase(here);
    if (adds) state.new_job[here.field] = typed;
    if (adds && state.new_job[2].empty()) return;
    try {
        if (adds) {
            control.add_entered_job(state.new_job);
            state.new_job = {};
        } else {
            control.edit_field(here.row, static_cast<JobField>(here.field), typed);
        }
    } catch (const sim::ScenarioError& error) {
        const sim::Problem& problem = error.problems().front();
        WorkloadPaneState::Cell at = here;
        for (std::size_t i = 0; adds && i < kFields; ++i)
            if (problem.pointer == sim::kJobFieldNames[i]) at.field = i;
        state.refused[at] = {adds ? state.new_job[at.field] : typed, problem.message};
        if (adds) state.next = at;
        control.say(fmt::format("{}: {}", sim::kJobFieldNames[at.field], problem.message));
    }
}

void commit_typing(Control& control, WorkloadPaneState& state) {
    if (!state.typed_in && !state.is_typed_into) return;
    state.is_typed_into = false;
    state.must_lose_focus = true;
    const std::optional<WorkloadPaneState::Cell> cell = std::exchange(state.typed_in, std::nullopt);
    if (cell && state.opened == control.model().opened && state.typed != state.before)
        commit_cell(control, state, *cell, state.typed);
}

void draw_workload(Frame& frame) {
    if (draw_message_if_no_scenario(frame)) return;
    discard_old_state(frame, frame.memory.of<WorkloadPaneState>());
    const WorkloadTable& table = table_of(frame);
    constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingStretchProp |
                                       ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoSavedSettings;
    const float footer = ImGui::GetFrameHeightWithSpacing();
    const float row_height = ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().CellPadding.y + 1;
    const float whole = row_height * static_cast<float>(table.rows.size() + 3),
                available = ImGui::GetContentRegionAvail().y - footer;
    const ImVec2 room(0, std::max(frame.px(60), std::min(available, whole)));
    if (begin_table("workload", 8, kFlags, room)) {
        draw_column_titles(frame);
        WorkloadGrid grid(frame, table);
        sim::TaskId first = frame.model.a->history().simulated_end().machine.first_task();
        for (std::size_t i = 0; i < table.rows.size(); ++i) {
            draw_row(frame, grid, table, i, first);
            first += table.rows[i].tasks;
        }
        draw_new_row(frame, grid, table.rows.size());
        draw_means(frame, table);
        ImGui::EndTable();
    }
    if (frame.view.start) {
        if (ImGui::SmallButton("More settings...")) frame.view.editing = true;
        explain_item("CPUs, machine, devices, programs: the whole scenario as a form and as JSON (F10)");
        ImGui::SameLine();
    }
    // If the table must be scrolled, the means of its last row are repeated below the table.
    if (whole > available && table.mean_waiting && table.mean_turnaround && !frame.view.fill_in)
        ImGui::TextUnformatted(fmt::format("mean turnaround {}, mean waiting {}",
                                           rounded_ms_text(*table.mean_turnaround),
                                           rounded_ms_text(*table.mean_waiting))
                                   .c_str());
    else
        dim_text(frame, "Ctrl+V pastes a whole table, such as A 0 8, B 1 4");
}

std::string workload_text(const Model& model, const ViewState& view) {
    if (model.a == nullptr) return "No scenario is open.\n";
    WorkloadTable table = workload_table(model);
    if (view.fill_in) {
        for (WorkloadRow& row : table.rows) row.finish = row.turnaround = row.waiting = std::nullopt;
        table.mean_turnaround = table.mean_waiting = std::nullopt;
    }
    return text_of(table);
}

}  // namespace ui
