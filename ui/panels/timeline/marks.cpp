// The lanes of markers (one lane for each kind of event), and the arrows of wake-ups. Overlapping markers are
// drawn as one bar, whose height represents their number. If the visible range has too many events for single
// markers, the bars represent the number of markers per second.
#include <fmt/format.h>

#include "ui/panels/timeline/pane.h"
#include "ui/platform/shapes.h"

namespace ui {
namespace {

// If the visible range has more wake-ups, only those of the selected task are drawn as arrows.
constexpr std::size_t kMostArrows = 40;

ImU32 lane_colour(const Theme& theme, Lane lane) {
    switch (lane) {
        case Lane::recalculation:
            return theme.mark_recalculation;
        case Lane::yield:
            return theme.mark_yield;
        case Lane::wake_up:
            return theme.mark_wake;
        case Lane::tick:
            return theme.mark_tick;
        case Lane::fork:
            return theme.mark_fork;
        case Lane::exec:
            return theme.mark_fork;
        case Lane::exit:
            return theme.mark_exit;
        case Lane::ipi:
            return theme.mark_yield;
    }
    return theme.text;
}

}  // namespace

void TimelinePane::draw_mark(Lane lane, float x, float y, float size) {
    const float h = std::floor(size / 2);
    switch (lane) {
        case Lane::recalculation:
            polygon(list_, {ImVec2(x, y - h), ImVec2(x + h, y), ImVec2(x, y + h), ImVec2(x - h, y)},
                    theme_.mark_recalculation);
            break;
        case Lane::yield:
            polygon(list_, {ImVec2(x - h, y - h + 1), ImVec2(x + h, y - h + 1), ImVec2(x, y + h)},
                    theme_.mark_yield);
            break;
        case Lane::wake_up:
            disc(list_, ImVec2(x, y), h, theme_.mark_wake, 10);
            break;
        case Lane::tick:
            rect(x - px(1), y - h, x + px(1), y + h, theme_.mark_tick);
            break;
        case Lane::fork:
            rect(x - px(1), y - h, x + px(1), y + h, theme_.mark_fork);
            rect(x - h, y - px(1), x + h, y + px(1), theme_.mark_fork);
            break;
        case Lane::exec:
            rect(x - h, y - h, x + h, y - h + px(2), theme_.mark_fork);
            rect(x - px(1), y - h, x + px(1), y + h, theme_.mark_fork);
            break;
        case Lane::ipi:
            polygon(list_, {ImVec2(x - h, y - h), ImVec2(x + h, y), ImVec2(x - h, y + h)}, theme_.mark_yield);
            break;
        case Lane::exit:
            stroke(list_, ImVec2(x - h, y - h), ImVec2(x + h, y + h), theme_.mark_exit, px(2));
            stroke(list_, ImVec2(x - h, y + h), ImVec2(x + h, y - h), theme_.mark_exit, px(2));
            break;
    }
}

void TimelinePane::draw_lane(const Track& t) {
    const auto lane = static_cast<Lane>(t.which);
    const float size = px(9);
    const float middle = std::floor(t.y + t.height / 2);
    draw_mark(lane, at_.x + px(6) + std::floor(size / 2), middle, size);
    if (!has_slices(t.run)) {
        draw_lane_columns(t);
        return;
    }
    draw_label(t, to_string(lane), theme_.text_dim, {}, {}, px(6) + size);
    const sim::Timeline& timeline = *detail_[t.run].timeline;
    const MarkerTimes& marks = index_[t.run]->marks();
    const auto all = marks.marks(t.which);
    const Nanos cell = scale_.duration_of(size);
    const bool under_mouse = is_mouse_in(t);
    // Overlapping markers, drawn as one bar. The more markers, the higher the bar.
    struct Bar {
        std::size_t count;
        TimeRange range;
    };
    std::vector<Bar> bars;
    std::size_t most = 1;
    for (std::size_t i = marks.first_mark_from(t.which, scale_.range.begin);
         i < all.size() && all[i].time < scale_.range.end;) {
        const Nanos cell_begin = all[i].time / cell * cell;
        const std::size_t next = marks.first_mark_from(t.which, cell_begin + cell);
        if (next - i == 1) {
            const float x = scale_.rounded_x(all[i].time);
            draw_mark(lane, x, middle, size);
            if (under_mouse && std::abs(mouse_.x - x) <= size) {
                hover_.lines = mark_tooltip(run(t.run), timeline, all[i].record);
                const sim::TraceRecord& record = timeline.trace.records[all[i].record];
                if (lane == Lane::recalculation && t.run == 0)
                    hover_.decision = timeline.decision_numbers[all[i].record];
                else
                    hover_.snap = record.time + Nanos{1};
                if (record.task >= timeline.cpus.size()) hover_.task = record.task;
            }
        } else {
            most = std::max(most, next - i);
            bars.push_back({next - i, {cell_begin, cell_begin + cell}});
        }
        i = next;
    }
    const float bottom = t.y + t.height - px(2);
    RectangleLayers layers(list_, f_.fonts, theme_);
    for (const Bar& bar : bars) {
        const float x0 = clamp_x(scale_.rounded_x(bar.range.begin));
        const float x1 = clamp_x(scale_.rounded_x(bar.range.end));
        const float share = static_cast<float>(bar.count) / static_cast<float>(most);
        const float top = std::floor(bottom - std::max(px(2), share * (t.height - px(4))));
        layers.add(0, x0, x1, top, bottom, lane_colour(theme_, lane));
        if (!under_mouse || mouse_.x < x0 || mouse_.x >= x1) continue;
        hover_.lines = {
            group_digits(bar.count) + " " + to_string(lane),
            time_text(bar.range.begin) + " to " + time_text(bar.range.end) + ", " + span(bar.range.length())};
        hover_.slice = bar.range;
    }
}

// Draws the rates of markers as columns, relative to the highest visible rate of all runs. The label shows
// the highest rate. If no column has many markers, the label shows the average rate instead, because the rate
// of a column then depends mainly on its width.
void TimelinePane::draw_lane_columns(const Track& t) {
    constexpr double kMany = 8;
    const auto lane = static_cast<Lane>(t.which);
    double most = 0;
    double most_marks = 0;
    double all = 0;
    Nanos known{};
    for (const auto& columns : columns_)
        for (const TimelineColumn& c : columns) {
            most = std::max(most, c.per_second(lane));
            most_marks = std::max(most_marks, c.marks[t.which]);
        }
    for (const TimelineColumn& c : columns_[t.run]) {
        all += c.marks[t.which];
        if (c.begin < run(t.run).end()) known += c.end - c.begin;
    }
    const double number =
        most_marks >= kMany ? most : 1e9 * all / static_cast<double>(std::max(Nanos{1}, known).count());
    draw_label(t, to_string(lane), theme_.text_dim, {}, most_marks > 1e-9 ? rate_text(number) : std::string{},
               px(6) + px(9));
    const float bottom = t.y + t.height - px(2);
    RectangleLayers layers(list_, f_.fonts, theme_);
    for_each_cell(edges_, is_mouse_in(t), [&](std::size_t i, float x0, float x1, bool here) {
        const TimelineColumn& c = columns_[t.run][i];
        const double count = c.marks[t.which];
        if (count <= 1e-9) return;
        const auto share = static_cast<float>(c.per_second(lane) / most);
        const float top = std::floor(bottom - std::max(px(2), share * (t.height - px(4))));
        layers.add(0, x0, x1, top, bottom, lane_colour(theme_, lane));
        if (!here) return;
        hover_.lines = marks_tooltip(c, lane);
        hover_.slice = TimeRange{c.begin, c.end};
    });
}

const Track* TimelinePane::track_of_task(std::size_t r, TaskId p) const {
    for (const Track& t : tracks_) {
        if (t.kind != Track::Kind::task || t.run != r) continue;
        const TimelineRow& row = rows_[t.which];
        if (row.task == p && !row.is_group() && t.y + t.height > clip_top_ && t.y < clip_bottom_) return &t;
    }
    return nullptr;
}

// Draws an arrow for each wake-up, from the waking task to the woken task. If a timer has woken the task,
// the arrow starts at the lane of wake-ups.
void TimelinePane::draw_wake_up_arrows() {
    if (!f_.view.show_marks) return;
    for (std::size_t r = 0; r < run_count(); ++r) {
        if (!has_slices(r)) continue;
        const auto lane = static_cast<std::size_t>(Lane::wake_up);
        const MarkerTimes& marks = index_[r]->marks();
        const std::size_t first = marks.first_mark_from(lane, scale_.range.begin);
        const std::size_t last = marks.first_mark_from(lane, scale_.range.end);
        const bool few = last - first <= kMostArrows;
        if (!few && !f_.view.task) continue;
        float top = pinned_bottom_;
        for (const Track& t : tracks_)
            if (t.kind == Track::Kind::lane && t.run == r && t.which == lane) top = t.y + t.height / 2;
        std::size_t drawn = 0;
        for (std::size_t i = first; i < last && drawn < 4 * kMostArrows; ++i) {
            const sim::TraceRecord& record = detail_[r].timeline->trace.records[marks.marks(lane)[i].record];
            const bool selected =
                f_.view.task && (record.task == *f_.view.task || record.other == *f_.view.task);
            if (!few && !selected) continue;
            const Track* to = track_of_task(r, record.task);
            if (to == nullptr) continue;
            const Track* from = record.other == sim::kNoTask ? nullptr : track_of_task(r, record.other);
            const float x = scale_.rounded_x(record.time);
            const float from_y = from != nullptr ? from->y + from->height / 2 : top;
            const float to_y = std::floor(to->y + to->height / 2);
            const bool down = to_y > from_y;
            const ImU32 colour = selected || !f_.view.task ? with_alpha(theme_.mark_wake, 0.8f)
                                                           : with_alpha(theme_.mark_wake, 0.35f);
            const float edge = down ? to->y + px(1) : to->y + to->height - px(1);
            rect(x, std::max(clip_top_ - (from == nullptr ? 1e6f : 0.0f), std::min(from_y, edge)), x + px(1),
                 std::max(from_y, edge), colour);
            const float h = px(4);
            polygon(list_,
                    {ImVec2(x - h, down ? edge - h : edge + h),
                     ImVec2(x + h + px(1), down ? edge - h : edge + h), ImVec2(x + 0.5f, edge)},
                    colour);
            if (from != nullptr) disc(list_, ImVec2(x, from_y), px(2.5f), colour, 8);
            ++drawn;
        }
    }
}

}  // namespace ui
