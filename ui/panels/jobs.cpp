// The pane JOBS: a Gantt chart of the CPUs, and below it a table of the tasks as jobs in the sense of
// textbooks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "ui/control/control.h"
#include "ui/panels/drawing.h"
#include "ui/panels/gantt_chart.h"
#include "ui/panels/panel_helpers.h"
#include "ui/platform/imgui_versions.h"
#include "ui/platform/shapes.h"
#include "ui/view/job_table.h"
#include "ui/view/text_table.h"
#include "ui/view/two_runs.h"

namespace ui {
namespace {

using sim::Nanos;
using sim::TaskId;

// The tables of both runs, cached until the position moves, because there may be 65,000 tasks.
struct CachedJobTables {
    JobTable a, b;
};

const JobTable& table_of(Frame& frame, const Run& run, bool whole) {
    CachedJobTables& kept = frame.memory.of<CachedJobTables>();
    JobTable& table = &run == frame.model.a ? kept.a : kept.b;
    if (!table.is_up_to_date(run, whole)) table = JobTable(run, whole);
    return table;
}

// Draws the last cell of a row of the table: the times at which the task ran.
void draw_row_chart(Frame& frame, const Run& run, const Chart& chart, TimeRange range, TaskId p,
                    bool whole_run) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Axis axis{range, at.x, std::max(10.0f, ImGui::GetContentRegionAvail().x)};
    const float height = ImGui::GetTextLineHeight();
    const sim::Machine& m = whole_run ? run.history().simulated_end().machine : run.session().machine();
    if (chart.pieces == nullptr) return;
    for (const std::vector<sim::RunSegment>& cpu : chart.pieces->segments().by_cpu())
        for (const sim::RunSegment& piece : cpu)
            if (piece.task == p && piece.group == m.task[p].group && piece.ordinal == m.task[p].ordinal)
                draw_run_segment(frame, run.scenario(), axis, piece,
                                 {at.y + frame.px(2), height - frame.px(4), false});
    draw_position_line(frame, axis, at.y, at.y + height);
}

void draw_range_choices(Frame& frame) {
    ViewState& view = frame.view;
    dim_text(frame, "values");
    ImGui::SameLine();
    if (choice_button(frame, "so far", !view.jobs_whole)) view.jobs_whole = false;
    explain_item("The values of the jobs up to the position.");
    ImGui::SameLine(0, frame.px(2));
    if (choice_button(frame, "whole run", view.jobs_whole)) view.jobs_whole = true;
    explain_item("The values of the jobs in the whole run, or in its simulated part.");
    if (!same_line_if_fits(frame.px(230))) ImGui::Spacing();
    dim_text(frame, "chart");
    ImGui::SameLine();
    if (choice_button(frame, "whole##chart", !view.gantt_of_range)) view.gantt_of_range = false;
    explain_item("The chart shows the whole run.");
    ImGui::SameLine(0, frame.px(2));
    if (choice_button(frame, "timeline range", view.gantt_of_range)) view.gantt_of_range = true;
    explain_item("The chart shows the time range of the timeline.");
}

void draw_row(Frame& frame, const std::vector<std::string>& cells, std::size_t columns, bool is_task,
              TaskId p, const char* which) {
    ImGui::TableNextRow();
    const float height = ImGui::GetTextLineHeight(), mark = std::floor(height * 0.62f);
    for (std::size_t c = 0; c < std::min(cells.size(), columns); ++c) {
        if (!ImGui::TableSetColumnIndex(static_cast<int>(c)) && c > 0) continue;
        if (c > 0) {
            draw_right_aligned_text(cells[c],
                                    cells[c] == "-" || !is_task ? frame.theme.text_dim : frame.theme.text);
            continue;
        }
        const float x = ImGui::GetCursorPosX();
        if (is_task) {
            ImGui::PushID(static_cast<int>(p));
            ImGui::PushID(which);
            if (ImGui::Selectable("##job", frame.view.task == p, ImGuiSelectableFlags_SpanAllColumns))
                frame.ask([p](Control& control) { control.selection().toggle_task(p); });
            if (ImGui::IsItemHovered()) frame.report_hovered_task(p);
            ImGui::PopID();
            ImGui::PopID();
            ImGui::SameLine();
            set_cursor_pos_x(x);
            const ImVec2 at = ImGui::GetCursorScreenPos();
            const float above = std::floor((height - mark) / 2);
            fill_rect(*ImGui::GetWindowDrawList(), {at.x, at.y + above}, {at.x + mark, at.y + above + mark},
                      colour_of(frame, p));
        }
        set_cursor_pos_x(x + mark + frame.px(6));
        const std::string label = *which != 0 ? fmt::format("{}  {}", which, cells[c]) : cells[c];
        coloured_text(is_task ? frame.theme.text : frame.theme.text_dim, label);
    }
}

struct ShownJobs {
    const Run* run;
    const JobTable* table;
    Chart chart;
    const char* which;  // "A" or "B"; empty for a single run
};

// The width of the column of names; only the first rows are measured.
float name_column_width(const Frame& frame, const std::vector<ShownJobs>& runs) {
    float width = frame.px(60);
    for (const ShownJobs& shown : runs)
        for (std::size_t row = 0; row < std::min<std::size_t>(40, shown.table->row_count()); ++row)
            width = std::max(width, ImGui::CalcTextSize(shown.run->name(shown.table->task(row)).c_str()).x);
    const float which = *runs[0].which == 0 ? 0 : ImGui::CalcTextSize("A  ").x;
    return std::min(width, frame.px(170)) + which + ImGui::GetTextLineHeight();
}

void draw_table(Frame& frame, const std::vector<ShownJobs>& runs, const JobTimeUnit& unit, TimeRange range) {
    const std::size_t columns = kJobColumnCount - (runs[0].table->has_deadlines() ? 0 : 1);
    float needed = 0;
    std::vector<float> widths;
    for (std::size_t c = 0; c < columns; ++c) {
        float width = std::max(ImGui::CalcTextSize(kJobColumns[c].title).x, ImGui::CalcTextSize("99999.9").x);
        if (c == 0) width = name_column_width(frame, runs);
        widths.push_back(width);
        needed += width + 2 * ImGui::GetStyle().CellPadding.x;
    }
    const bool charted = ImGui::GetContentRegionAvail().x > needed + frame.px(220);
    const ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_ScrollX |
                                  ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_BordersInnerH |
                                  ImGuiTableFlags_NoSavedSettings;
    ImGui::PushID(static_cast<int>(ImGui::GetFontSize()));
    if (begin_table(charted ? "jobs and chart" : "jobs", static_cast<int>(columns + (charted ? 1 : 0)), flags,
                    ImVec2(0, std::max(frame.px(60), ImGui::GetContentRegionAvail().y)))) {
        ImGui::TableSetupScrollFreeze(1, 1);
        for (const float width : widths) ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, width);
        if (charted) ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
        ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
        for (std::size_t c = 0; c < columns; ++c) {
            if (!ImGui::TableSetColumnIndex(static_cast<int>(c))) continue;
            if (c == 0)
                dim_text(frame, fmt::format("times in {}", unit.name));
            else
                draw_right_aligned_text(kJobColumns[c].title, frame.theme.text_dim);
            explain_item(kJobColumns[c].meaning);
        }
        for (const ShownJobs& shown : runs) {
            draw_row(frame, shown.table->means(unit), columns, false, 0, shown.which);
            draw_row(frame, shown.table->maxima(unit), columns, false, 0, shown.which);
        }
        std::size_t rows = 0;
        for (const ShownJobs& shown : runs) rows = std::max(rows, shown.table->row_count());
        ImGuiListClipper clipper;
        clipper.Begin(static_cast<int>(rows * runs.size()));
        while (clipper.Step()) {
            for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
                const ShownJobs& shown = runs[static_cast<std::size_t>(i) % runs.size()];
                const std::size_t row = static_cast<std::size_t>(i) / runs.size();
                if (row >= shown.table->row_count()) {
                    ImGui::TableNextRow();
                    continue;
                }
                const TaskId p = shown.table->task(row);
                draw_row(frame, shown.table->cells(row, unit), columns, true, p, shown.which);
                if (charted && ImGui::TableSetColumnIndex(static_cast<int>(columns)))
                    draw_row_chart(frame, *shown.run, shown.chart, range, p, frame.view.jobs_whole);
            }
        }
        ImGui::EndTable();
    }
    ImGui::PopID();
}

std::vector<const Run*> runs_of(const Model& model) {
    std::vector<const Run*> runs{model.a};
    if (model.b != nullptr) runs.push_back(model.b);
    return runs;
}

Nanos latest_time(const std::vector<const Run*>& runs, bool whole_run) {
    Nanos longest{};
    for (const Run* run : runs) longest = std::max(longest, whole_run ? run->end() : run->now());
    return longest;
}

const char* const kHiddenJobs =
    "This table is hidden until you have answered, because it would reveal the "
    "answer.";

}  // namespace

void draw_jobs(Frame& frame) {
    if (draw_message_if_no_scenario(frame)) return;
    if (is_outcome_hidden(frame.view)) {
        ImGui::TextDisabled("%s", kHiddenJobs);
        return;
    }
    const std::vector<const Run*> runs = runs_of(frame.model);
    const JobTimeUnit unit(latest_time(runs, frame.view.jobs_whole));
    std::vector<ShownJobs> shown;
    std::vector<Chart> charts;
    for (const Run* run : runs) {
        charts.push_back(chart_of(*run, frame.view));
        shown.push_back({run, &table_of(frame, *run, frame.view.jobs_whole), charts.back(),
                         runs.size() == 1 ? ""
                         : shown.empty()  ? "A"
                                          : "B"});
    }
    draw_range_choices(frame);
    draw_chart(frame, charts, {.lane_height = std::floor(ImGui::GetFontSize() * 1.5f)});
    for (const ShownJobs& one : shown) {
        ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text);
        draw_paragraph((*one.which == 0 ? "" : std::string(one.which) + ": ") + one.table->summary());
        ImGui::PopStyleColor();
    }
    draw_table(frame, shown, unit,
               charts.size() > 1 ? combined_range(charts[0], charts[1]) : charts[0].range);
}

std::string jobs_text(const Model& model, const ViewState& view) {
    if (model.a == nullptr) return "No scenario is open.\n";
    if (is_outcome_hidden(view)) return std::string(kHiddenJobs) + "\n";
    constexpr std::size_t kMostRows = 200;
    const std::vector<const Run*> runs = runs_of(model);
    const JobTimeUnit unit(latest_time(runs, view.jobs_whole));
    std::string text;
    for (const Run* run : runs) {
        const JobTable jobs(*run, view.jobs_whole);
        if (runs.size() > 1) text += fmt::format("{}: ", run_label(run == model.a));
        text += fmt::format("{}, times in {}\n",
                            view.jobs_whole ? "whole run" : "until " + instant_text(jobs.interval_end()),
                            unit.name);
        TextTable table("lrrrrrrrrr");
        std::vector<std::string> titles;
        for (std::size_t c = 0; c < kJobColumnCount - (jobs.has_deadlines() ? 0 : 1); ++c)
            titles.emplace_back(kJobColumns[c].title);
        table.add(titles);
        for (std::size_t row = 0; row < std::min(kMostRows, jobs.row_count()); ++row)
            table.add(jobs.cells(row, unit));
        table.add(jobs.means(unit));
        table.add(jobs.maxima(unit));
        text += table.text();
        if (jobs.row_count() > kMostRows)
            text += fmt::format("... and {} more\n", group_digits(jobs.row_count() - kMostRows));
        text += jobs.summary() + "\n";
    }
    return text;
}

}  // namespace ui
