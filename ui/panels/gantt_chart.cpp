#include "ui/panels/gantt_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/control/control.h"
#include "ui/panels/drawing.h"
#include "ui/panels/panel_helpers.h"
#include "ui/platform/shapes.h"

namespace ui {

using sim::Nanos;

namespace {

constexpr std::size_t kMostLanes = 4;  // CPUs per run in the chart

}  // namespace

Chart chart_of(const Run& run, const ViewState& view) {
    if (!view.gantt_of_range) {
        const sim::RangeSegments* const all = run.segments_in_run();
        if (all == nullptr || !all->is_cut_off())
            return {all, {Nanos{}, std::max(run.end(), Nanos{1})}, true};
    }
    return {run.segments_in(view.shown), view.shown, false};
}

// The range of the axis: it contains the ranges of both runs.
TimeRange combined_range(const Chart& a, const Chart& b) {
    return {std::min(a.range.begin, b.range.begin), std::max(a.range.end, b.range.end)};
}

float Axis::x(Nanos t) const {
    const double share = static_cast<double>((t - range.begin).count()) /
                         static_cast<double>(std::max(Nanos{1}, range.length()).count());
    return left + width * static_cast<float>(std::clamp(share, 0.0, 1.0));
}

Nanos Axis::time(float pixel_x) const {
    const double share = std::clamp(static_cast<double>((pixel_x - left) / width), 0.0, 1.0);
    return range.begin +
           Nanos{static_cast<std::int64_t>(share * static_cast<double>(range.length().count()))};
}

namespace {

// The theme's text or background colour, whichever has more contrast with `fill`.
ImU32 text_colour_on(const Frame& frame, ImU32 fill) {
    const bool light = contrast(frame.theme.text, fill) < contrast(frame.theme.background, fill);
    return light ? frame.theme.background : frame.theme.text;
}

}  // namespace

void draw_run_segment(Frame& frame, const sim::Scenario& scenario, const Axis& axis,
                      const sim::RunSegment& piece, const ChartLane& lane) {
    const auto [top, height, named] = lane;
    if (piece.task == sim::kNoTask || piece.end <= axis.range.begin || piece.begin >= axis.range.end) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float begin = std::floor(axis.x(piece.begin)),
                end = std::max(begin + 1, std::floor(axis.x(piece.end)));
    const bool selected = frame.view.task == piece.task;
    const ImU32 colour = colour_of(frame, piece.task);
    fill_rect(list, {begin, top}, {end, top + height}, colour);
    if (end - begin > 3) fill_rect(list, {end - 1, top}, {end, top + height}, frame.theme.panel);
    if (selected) fill_rect(list, {begin, top + height - frame.px(3)}, {end, top + height}, frame.theme.text);
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({begin, top}, {end, top + height}))
        frame.report_hovered_task(piece.task, axis.time(ImGui::GetIO().MousePos.x));
    if (!named) return;
    const std::string name = ellipsized_text(piece.name(scenario), end - begin - frame.px(6));
    if (name.size() < 4 && name.ends_with("…")) return;
    const float x = begin + std::floor((end - begin - ImGui::CalcTextSize(name.c_str()).x) / 2);
    list.AddText({x, top + std::floor((height - ImGui::GetFontSize()) / 2)}, text_colour_on(frame, colour),
                 name.c_str());
}

namespace {

// Draws the times at which segments start and end, as many as fit.
void draw_segment_times(Frame& frame, const std::vector<Chart>& charts, const Axis& axis, float y,
                        const JobTimeUnit& unit) {
    std::vector<Nanos> borders{axis.range.begin};
    for (const Chart& chart : charts) {
        borders.push_back(std::min(chart.range.end, axis.range.end));
        if (chart.pieces == nullptr) continue;
        for (const std::vector<sim::RunSegment>& cpu : chart.pieces->segments().by_cpu())
            for (const sim::RunSegment& piece : cpu)
                for (const Nanos t : {piece.begin, piece.end})
                    if (axis.range.begin < t && t < axis.range.end) borders.push_back(t);
    }
    std::sort(borders.begin(), borders.end());
    ImDrawList& list = *ImGui::GetWindowDrawList();
    float free = axis.left - frame.px(100);
    bool is_first = true;
    for (const Nanos t : borders) {
        const std::string text =
            unit.text(t) + (std::exchange(is_first, false) ? fmt::format(" {}", unit.name) : "");
        const float width = ImGui::CalcTextSize(text.c_str()).x;
        const float x = std::clamp(axis.x(t) - width / 2, axis.left, axis.left + axis.width - width);
        if (x < free) continue;
        list.AddText({std::floor(x), y}, frame.theme.text_dim, text.c_str());
        free = x + width + frame.px(8);
    }
}

}  // namespace

namespace {

// Handles the mouse on the chart: a tooltip shows the time under the mouse, a click moves the position to it.
void handle_chart_mouse(Frame& frame, const char* id, const Axis& axis, ImVec2 at, ImVec2 size) {
    set_cursor_screen_pos(at);
    ImGui::InvisibleButton(id, size);
    if (!ImGui::IsItemHovered()) return;
    const Nanos t = axis.time(ImGui::GetIO().MousePos.x);
    ImGui::SetTooltip("%s", instant_text(t).c_str());
    if (ImGui::IsItemClicked()) frame.ask([t](Control& control) { control.navigator().seek(t); });
}

}  // namespace

void draw_position_line(Frame& frame, const Axis& axis, float top, float bottom) {
    const Nanos now = frame.model.a->now();
    if (now < axis.range.begin || now > axis.range.end) return;
    const float x = std::floor(axis.x(now)), width = std::max(1.0f, frame.px(1.5f * frame.theme.line_width));
    fill_rect(*ImGui::GetWindowDrawList(), {x, top}, {x + width, bottom}, frame.theme.cursor);
}

namespace {

std::string omission_note(const Chart& chart, const ViewState& view) {
    if (chart.pieces == nullptr) return {};
    if (chart.pieces->is_cut_off())
        return fmt::format("The range has more than {} segments: only the first are drawn. Zoom in.",
                           group_digits(Run::kMostPieces));
    if (!chart.is_all && !view.gantt_of_range)
        return fmt::format("The run has more than {} segments: only the range of the timeline is drawn.",
                           group_digits(Run::kMostPieces));
    return {};
}

}  // namespace

DrawnChart draw_chart(Frame& frame, const std::vector<Chart>& charts, const ChartOptions& options) {
    const bool two = charts.size() > 1;
    const std::size_t cpus = frame.model.a->scenario().cpus, lanes = std::min(cpus, kMostLanes);
    const float height = options.lane_height, gap = frame.px(2);
    const float label = two || cpus > 1 ? ImGui::CalcTextSize("A cpu00").x + frame.px(4) : 0.0f;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const TimeRange range =
        options.range.value_or(two ? combined_range(charts[0], charts[1]) : charts[0].range);
    const Axis axis{range, at.x + label, std::max(10.0f, ImGui::GetContentRegionAvail().x - label)};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    float y = at.y;
    for (std::size_t r = 0; r < charts.size(); ++r) {
        const Run& run = r == 0 ? *frame.model.a : *frame.model.b;
        for (std::size_t c = 0; c < lanes; ++c) {
            const std::string name = cpus == 1 ? (two ? (r == 0 ? "A" : "B") : "")
                                               : fmt::format("{}cpu{}", two ? (r == 0 ? "A " : "B ") : "", c);
            list.AddText({at.x, y + std::floor((height - ImGui::GetFontSize()) / 2)}, frame.theme.text_dim,
                         name.c_str());
            fill_rect(list, {axis.left, y}, {axis.left + axis.width, y + height},
                      with_alpha(frame.theme.text, 0.06f));
            if (charts[r].pieces != nullptr)
                for (const sim::RunSegment& piece : charts[r].pieces->segments().by_cpu()[c])
                    draw_run_segment(frame, run.scenario(), axis, piece, {y, height, true});
            y += height + gap;
        }
    }
    draw_position_line(frame, axis, at.y, y - gap);
    const JobTimeUnit unit(charts[0].range.end);
    draw_segment_times(frame, charts, axis, y, unit);
    if (options.seeks_by_click)
        handle_chart_mouse(frame, "##chart", axis, {axis.left, at.y}, {axis.width, y - at.y});
    set_cursor_screen_pos({at.x, y + ImGui::GetTextLineHeightWithSpacing()});
    ImGui::Dummy({0, 0});
    if (lanes < cpus) dim_text(frame, fmt::format("{} of {} CPUs are shown", lanes, cpus));
    for (const Chart& chart : charts)
        if (const std::string why = omission_note(chart, frame.view); !why.empty()) {
            ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
            ImGui::TextWrapped("%s", why.c_str());
            ImGui::PopStyleColor();
            break;
        }
    return {axis, at.y, height, y - gap};
}

}  // namespace ui
