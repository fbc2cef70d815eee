// The pane GANTT: a large chart of the whole run. The user can drag the handle at the position, the marker of
// each job's arrival, the right edge of a job's last box (the end of its burst), and the left edge of its
// first box if the job runs as soon as it arrives.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/scenario/workload_edit.h"
#include "ui/control/control.h"
#include "ui/panels/drawing.h"
#include "ui/panels/gantt_chart.h"
#include "ui/panels/gantt_fill_in.h"
#include "ui/panels/panel_helpers.h"
#include "ui/platform/shapes.h"
#include "ui/view/workload.h"

namespace ui {
namespace {

using sim::JobField;
using sim::Nanos;

// The current drag of an edge of a box, or of the handle at the position.
struct GanttDrag {
    enum class Target : std::uint8_t { nothing, position, arrival, burst };
    Target what = Target::nothing;
    std::size_t group = 0;
    Nanos before{};   // arrival or burst when the mouse button was pressed
    Nanos pressed{};  // time under the mouse when the mouse button was pressed
    TimeRange range;  // range of the axis, constant during a drag of an edge
};

// An edge of a box, or the marker of an arrival, that can be dragged.
struct JobEdge {
    float x;
    std::size_t group;
    JobField field;
    bool is_mark;
};

constexpr float kMark = 7;  // height of the marker of an arrival, in pixels at scale 1

// The edges of the jobs on one CPU's row.
std::vector<JobEdge> edges_of(const sim::Scenario& scenario, const std::vector<sim::RunSegment>& pieces,
                              const Axis& axis) {
    std::map<std::uint32_t, TimeRange> jobs;  // for each group: the time from its first box to its last
    for (const sim::RunSegment& piece : pieces)
        if (piece.task != sim::kNoTask)
            jobs.try_emplace(piece.group, TimeRange{piece.begin, piece.end}).first->second.end = piece.end;
    std::vector<JobEdge> edges;
    for (const auto& [group, range] : jobs) {
        if (scenario.groups[group].count != 1 || !sim::has_single_burst(scenario, group)) continue;
        const Nanos arrival = scenario.groups[group].start;
        if (range.begin == arrival) edges.push_back({axis.x(range.begin), group, JobField::arrival, false});
        edges.push_back({axis.x(arrival), group, JobField::arrival, true});
        edges.push_back({axis.x(range.end), group, JobField::burst, false});
    }
    return edges;
}

const JobEdge* nearest(const std::vector<JobEdge>& edges, float x, float reach, bool is_mark) {
    const JobEdge* best = nullptr;
    // At a common border of two boxes, selects the burst of the left box, because users drag it more often
    // than the arrival of the right box.
    for (const JobEdge& edge : edges) {
        const float distance = std::abs(edge.x - x);
        if (distance > reach || edge.is_mark != is_mark) continue;
        const float before = best == nullptr ? reach + 1 : std::abs(best->x - x);
        if (distance < before || (distance == before && edge.field == JobField::burst)) best = &edge;
    }
    return best;
}

// Dragged times are multiples of this step. The step is usually 1 ms. It is smaller on a short axis, so that
// the axis has at least 8 multiples, and larger on a long axis, so that the axis has at most about 2,000.
Nanos grid_step(const TimeRange& range) {
    Nanos grid{1'000'000};
    while (grid > Nanos{1} && range.length() / 8 < grid) grid /= 10;
    while (range.length() / 2'000 > grid) grid *= 10;
    return grid;
}

Nanos rounded_to_grid(Nanos t, Nanos grid) {
    grid = std::max(grid, Nanos{1});
    const Nanos half = grid / 2;
    return Nanos{(t + half).count() / grid.count() * grid.count()};
}

void draw_position_handle(Frame& frame, const DrawnChart& chart) {
    const Nanos now = frame.model.a->now();
    const float x = std::floor(chart.axis.x(now)), half = frame.px(7);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float width = std::max(2.0F, frame.px(2.5F));
    fill_rect(list, {x - width / 2, chart.top - half}, {x + width / 2, chart.bottom + half},
              frame.theme.cursor);
    polygon(list, {{x - half, chart.top - 2 * half}, {x + half, chart.top - 2 * half}, {x, chart.top}},
            frame.theme.cursor);
}

// The first of the tasks that the group has at the start of the run.
sim::TaskId first_task_of(const Run& run, std::size_t group) {
    sim::TaskId task = run.history().simulated_end().machine.first_task();
    for (std::size_t i = 0; i < group; ++i) task += run.scenario().groups[i].count;
    return task;
}

// Draws a marker at the arrival of each job, at the lower edge of the row.
void draw_arrivals(Frame& frame, const DrawnChart& chart, const std::vector<JobEdge>& edges) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float side = frame.px(kMark);
    for (const JobEdge& edge : edges) {
        if (!edge.is_mark) continue;
        const float x = std::floor(edge.x);
        const ImVec2 top(x, chart.bottom - side), left(x - side * 0.7F, chart.bottom),
            right(x + side * 0.7F, chart.bottom);
        polygon(list, {{x, top.y - 2}, {left.x - 2, left.y + 1}, {right.x + 2, right.y + 1}},
                frame.theme.text);
        polygon(list, {top, left, right}, colour_of(frame, first_task_of(*frame.model.a, edge.group)));
    }
}

std::string dragged_text(const sim::Scenario& scenario, const GanttDrag& drag) {
    const sim::TaskGroup& group = scenario.groups[drag.group];
    return drag.what == GanttDrag::Target::arrival
               ? fmt::format("arrival of {}: {} ms", group.name, exact_ms_text(group.start))
               : fmt::format("burst of {}: {} ms", group.name,
                             exact_ms_text(sim::burst_of(scenario, drag.group)));
}

// Changes the dragged arrival or burst by the time that the mouse has moved since the press.
void drag_edge(Frame& frame, const GanttDrag& drag, const Axis& axis) {
    const sim::Scenario& scenario = frame.model.a->scenario();
    const Nanos grid = grid_step(drag.range);
    const Nanos moved = axis.time(ImGui::GetIO().MousePos.x) - drag.pressed;
    const bool is_arrival = drag.what == GanttDrag::Target::arrival;
    const Nanos wanted = std::max(rounded_to_grid(drag.before + moved, grid), is_arrival ? Nanos{} : grid);
    const Nanos now = is_arrival ? scenario.groups[drag.group].start : sim::burst_of(scenario, drag.group);
    if (wanted == now) return;
    frame.ask([group = drag.group, is_arrival, typed = sim::format_time(wanted)](Control& control) {
        control.edit_field(group, is_arrival ? JobField::arrival : JobField::burst, typed);
    });
}

// Handles the mouse on the chart: clicks, and drags of the handle and of edges.
void handle_mouse(Frame& frame, GanttDrag& drag, const DrawnChart& chart, const std::vector<JobEdge>& edges) {
    const float above = frame.px(16), reach = frame.px(5);
    set_cursor_screen_pos({chart.axis.left - reach, chart.top - above});
    ImGui::InvisibleButton("##gantt", {chart.axis.width + 2 * reach, chart.bottom - chart.top + above});
    const float mouse = ImGui::GetIO().MousePos.x;
    const bool on_boxes = ImGui::GetIO().MousePos.y >= chart.top;
    const bool on_marks = ImGui::GetIO().MousePos.y >= chart.bottom - frame.px(kMark);
    const JobEdge* edge = on_marks ? nearest(edges, mouse, reach, true) : nullptr;
    if (edge == nullptr && on_boxes) edge = nearest(edges, mouse, reach, false);
    using Target = GanttDrag::Target;
    if (ImGui::IsItemActivated()) {
        drag = {.what = Target::position, .pressed = chart.axis.time(mouse), .range = chart.axis.range};
        if (edge != nullptr) {
            const sim::Scenario& scenario = frame.model.a->scenario();
            drag.what = edge->field == JobField::arrival ? Target::arrival : Target::burst;
            drag.group = edge->group;
            drag.before = edge->field == JobField::arrival ? scenario.groups[edge->group].start
                                                           : sim::burst_of(scenario, edge->group);
        }
    }
    // A click on an edge without a drag moves the position to the time under the mouse, as on the rest of the
    // chart.
    if (ImGui::IsItemDeactivated() && drag.what != Target::nothing && drag.what != Target::position &&
        std::abs(ImGui::GetIO().MouseClickedPos[0].x - mouse) < frame.px(2))
        frame.ask([t = rounded_to_grid(drag.pressed, grid_step(chart.axis.range) / 10)](Control& control) {
            control.navigator().seek_after_events_at(t);
        });
    if (!ImGui::IsItemActive()) drag.what = Target::nothing;
    if (drag.what == Target::arrival || drag.what == Target::burst) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
        if (drag.group < frame.model.a->scenario().groups.size() &&
            sim::has_single_burst(frame.model.a->scenario(), drag.group)) {
            drag_edge(frame, drag, chart.axis);
            ImGui::SetTooltip("%s", dragged_text(frame.model.a->scenario(), drag).c_str());
        }
        return;
    }
    const Nanos t = rounded_to_grid(chart.axis.time(mouse), grid_step(chart.axis.range) / 10);
    if (drag.what == Target::position)
        frame.ask([t](Control& control) { control.navigator().seek_after_events_at(t); });
    if (!ImGui::IsItemHovered() && !ImGui::IsItemActive()) return;
    if (edge != nullptr && drag.what == Target::nothing) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
        ImGui::SetTooltip("Drag to change the %s of %s",
                          edge->field == JobField::arrival ? "arrival" : "end of the burst",
                          frame.model.a->scenario().groups[edge->group].name.c_str());
    } else {
        ImGui::SetTooltip("%s", instant_text(t).c_str());
    }
}

}  // namespace

void draw_gantt(Frame& frame) {
    if (draw_message_if_no_scenario(frame)) return;
    if (is_outcome_hidden(frame.view)) {
        ImGui::TextDisabled("%s", kHiddenUntilChosen);
        return;
    }
    if (std::optional<FillInExercise>& exercise = frame.view.fill_in; exercise) {
        if (exercise->run == frame.model.a->id()) return draw_fill_in_exercise(frame);
        exercise.reset();  // the exercise belongs to a run that is no longer run A
    }
    GanttDrag& drag = frame.memory.of<GanttDrag>();
    std::vector<Chart> charts{chart_of(*frame.model.a, frame.view)};
    if (frame.model.b != nullptr) charts.push_back(chart_of(*frame.model.b, frame.view));
    const std::size_t lanes = charts.size() * std::min<std::size_t>(frame.model.a->scenario().cpus, 4);
    const float above = frame.px(16);
    set_cursor_pos_y(ImGui::GetCursorPosY() + above);
    const float free = ImGui::GetContentRegionAvail().y - 2 * ImGui::GetTextLineHeightWithSpacing();
    const float height = std::clamp(std::floor(free / static_cast<float>(lanes)), frame.px(18), frame.px(60));
    const bool fixed = drag.what == GanttDrag::Target::arrival || drag.what == GanttDrag::Target::burst;
    // Leaves space at the right end, so that the user can drag the end of the last box to the right.
    TimeRange axis = charts.size() > 1 ? combined_range(charts[0], charts[1]) : charts[0].range;
    if (charts[0].is_all) axis.end += axis.length() / 12;
    if (fixed) axis = drag.range;
    const ImVec2 end = ImGui::GetCursorScreenPos();
    const DrawnChart chart =
        draw_chart(frame, charts, {.lane_height = height, .range = axis, .seeks_by_click = false});
    const ImVec2 after = ImGui::GetCursorScreenPos();
    std::vector<JobEdge> edges;
    if (frame.model.a->scenario().cpus == 1 && charts[0].is_all && charts[0].pieces != nullptr)
        edges = edges_of(frame.model.a->scenario(), charts[0].pieces->segments().by_cpu()[0], chart.axis);
    draw_arrivals(frame, chart, edges);
    draw_position_handle(frame, chart);
    handle_mouse(frame, drag, chart, edges);
    set_cursor_screen_pos({end.x, after.y});
    ImGui::Dummy({0, 0});
}

// The chart as text: for each CPU, the times at which each task ran.
std::string gantt_text(const Model& model, const ViewState& view) {
    if (model.a == nullptr) return "No scenario is open.\n";
    if (is_outcome_hidden(view)) return std::string(kHiddenUntilChosen) + "\n";
    if (view.fill_in && view.fill_in->run == model.a->id())
        return fill_in_exercise_text(model, *view.fill_in);
    constexpr std::size_t kMost = 200;
    std::string text;
    for (const Run* const run : {model.a, model.b}) {
        if (run == nullptr) continue;
        const Chart chart = chart_of(*run, view);
        if (chart.pieces == nullptr) continue;
        for (std::size_t cpu = 0; cpu < chart.pieces->segments().by_cpu().size(); ++cpu) {
            std::string line;
            std::size_t count = 0;
            for (const sim::RunSegment& piece : chart.pieces->segments().by_cpu()[cpu]) {
                if (piece.task == sim::kNoTask) continue;
                if (++count > kMost) {
                    line += " ...";
                    break;
                }
                line += fmt::format("{}{} {} to {}", line.empty() ? "" : ", ", piece.name(run->scenario()),
                                    instant_text(piece.begin), instant_text(piece.end));
            }
            const std::string label = model.b == nullptr ? "" : (run == model.a ? "A " : "B ");
            text += fmt::format("{}cpu{}: {}\n", label, cpu, line.empty() ? "idle" : line);
        }
    }
    return text + "position: " + instant_text(model.a->now()) + "\n";
}

}  // namespace ui
