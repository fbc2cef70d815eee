// The track that shows the length of the run queue.
#include <algorithm>
#include <cmath>

#include "ui/panels/timeline/pane.h"

namespace ui {

// The smallest and largest length of the run queue in each cell of the time axis. A cell is one pixel wide;
// if the range has many changes of the length, cells are wider.
struct TimelinePane::QueueLengthCells {
    struct LengthRange {
        float low = -1, high = -1;  // lengths; below 0: unknown
    };
    float left, width;  // left edge and width of the time axis
    float cell;         // width of a cell
    std::vector<LengthRange> cells = std::vector<LengthRange>(static_cast<std::size_t>(width / cell) + 1);
    std::uint32_t most = 1;
    bool known = false;

    void add_range(float x0, float x1, float low, float high) {
        const auto from = static_cast<std::size_t>(std::clamp(x0 - left, 0.0f, width) / cell);
        const auto to = static_cast<std::size_t>(std::clamp(std::max(x1 - 1, x0) - left, 0.0f, width) / cell);
        known = true;
        for (std::size_t x = from; x <= to; ++x) {
            cells[x].low = cells[x].low < 0 ? low : std::min(cells[x].low, low);
            cells[x].high = std::max(cells[x].high, high);
        }
    }
};

// Computes the cells from all changes of the length in the range.
TimelinePane::QueueLengthCells TimelinePane::exact_queue_lengths(const Track& t) {
    const sim::Timeline* timeline = detail_[t.run].timeline;
    const auto& counts = timeline->runnable_counts;
    const auto behind = [&](Nanos at) {
        return static_cast<std::size_t>(
            std::partition_point(counts.begin(), counts.end(),
                                 [at](const sim::RunnableCount& d) { return d.time <= at; }) -
            counts.begin());
    };
    std::size_t first = behind(scale_.range.begin);
    if (first > 0) --first;
    const std::size_t last = behind(scale_.range.end - Nanos{1});
    float cell = 1;
    const double cpu_cell = static_cast<double>(cpu_narrow_.count()) / scale_.ns_per_pixel();
    const float wide = std::max(min_slice_width(), std::round(static_cast<float>(cpu_cell)));
    if (static_cast<float>(last - first) > scale_.width / wide) cell = wide;
    QueueLengthCells cells{.left = left_, .width = scale_.width, .cell = cell};
    const Nanos end = std::min(timeline->end, run(t.run).end());
    const bool under_mouse = is_mouse_in(t);
    for (std::size_t i = first; i < last; ++i) {
        cells.most = std::max(cells.most, counts[i].runnable);
        const Nanos next = i + 1 < counts.size() ? counts[i + 1].time : end;
        const auto value = static_cast<float>(counts[i].runnable);
        const float x0 = scale_.rounded_x(counts[i].time);
        const float x1 = scale_.rounded_x(next);
        cells.add_range(x0, x1, value, value);
        if (under_mouse && mouse_.x >= x0 && mouse_.x < std::max(x1, x0 + 1))
            hover_.lines = {
                group_digits(counts[i].runnable) + " runnable tasks, including running tasks",
                time_text(counts[i].time) + " to " + time_text(next) + ", " + span(next - counts[i].time)};
    }
    return cells;
}

TimelinePane::QueueLengthCells TimelinePane::sampled_queue_lengths(const Track& t) {
    QueueLengthCells cells{.left = left_, .width = scale_.width, .cell = 1};
    for_each_cell(edges_, is_mouse_in(t), [&](std::size_t i, float x0, float x1, bool here) {
        const TimelineColumn& c = columns_[t.run][i];
        cells.most = std::max(cells.most, c.longest);
        if (c.longest > 0 || c.queue > 0)
            cells.add_range(x0, x1, static_cast<float>(c.queue), static_cast<float>(c.longest));
        if (here) hover_.lines = column_tooltip(c, run(t.run).scenario().cpus);
    });
    return cells;
}

void TimelinePane::draw_queue_length(const Track& t) {
    const QueueLengthCells depth = has_slices(t.run) ? exact_queue_lengths(t) : sampled_queue_lengths(t);
    draw_label(t, "runnable", theme_.text_dim, {}, depth.known ? group_digits(depth.most) : std::string{});
    const float bottom = t.y + t.height - px(2);
    const float height = t.height - px(10);
    const auto y_of = [&](float value) {
        return std::floor(bottom - value / static_cast<float>(depth.most) * height + 0.5f);
    };
    RectangleLayers layers(list_, f_.fonts, theme_);
    for (std::size_t i = 0; i < depth.cells.size(); ++i) {
        if (depth.cells[i].high < 0) continue;
        const float x0 = left_ + static_cast<float>(i) * depth.cell;
        const float x1 = std::min(x0 + depth.cell, right_);
        const float low = y_of(depth.cells[i].low);
        const float high = y_of(depth.cells[i].high);
        layers.add(0, x0, x1, low, bottom, dimmed(theme_.ready, 0.6f));
        layers.add(1, x0, x1, high, low, dimmed(theme_.ready, 0.3f));
        layers.add(2, x0, x1, high, high + line_width(), theme_.ready);
    }
}

}  // namespace ui
