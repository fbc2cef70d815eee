// The rows of the tasks, as slices or as columns of samples, and the row of differences between two runs.
#include <fmt/format.h>

#include "ui/panels/timeline/pane.h"
#include "ui/platform/shapes.h"
#include "ui/view/two_runs.h"

namespace ui {

// Draws one row for all tasks of a group that did not run in the visible range.
void TimelinePane::draw_task_group(const Track& t, const TimelineRow& row) {
    const std::string state = row.state();
    draw_label(t, row.name, theme_.text_dim);
    draw_hairline(left_, right_, std::floor(t.y + t.height / 2), theme_.sleeping, false);
    const std::string words =
        text_that_fits("all " + group_digits(row.count) + ": " + state, scale_.width - px(20));
    rect(left_ + px(6), t.y, left_ + px(14) + text_width(words), t.y + t.height, theme_.background);
    text(left_ + px(10), t.y + (t.height - line_) / 2, theme_.text_dim, words);
    if (is_mouse_in(t))
        hover_.lines = {row.name + ": " + state,
                        "none of these tasks ran in the visible "
                        "time range"};
}

void TimelinePane::draw_task(const Track& t) {
    TimelineRow& row = rows_[t.which];
    if (row.is_group()) {
        draw_task_group(t, row);
        return;
    }
    if (f_.view.task == row.task) rect(at_.x, t.y, right_, t.y + t.height, dimmed(theme_.accent, 0.13f));
    const std::string name = row_name(t.run, row);
    if (t.shows_name) {
        Track both = t;
        if (run_count() == 2) both.height *= 2;
        draw_label(both, name, theme_.text, row.task);
    }
    if (run_count() == 2 && t.height < line_ - px(3))
        rect(left_ - px(6), t.y + px(1), left_ - px(3), t.y + t.height - px(1),
             t.run == 0 ? theme_.cursor_a : theme_.cursor_b);
    else if (run_count() == 2)
        text(left_ - px(4) - text_width("A"), t.y + (t.height - line_) / 2, theme_.text_dim,
             t.run == 0 ? "A" : "B");
    if (is_mouse_in(at_.x, std::max(t.y, clip_top_), right_, std::min(t.y + t.height, clip_bottom_)))
        hover_.task = row.task;
    if (has_slices(t.run))
        draw_task_slices(t, row);
    else
        draw_task_columns(t, row);
}

void TimelinePane::draw_task_slices(const Track& t, const TimelineRow& row) {
    const sim::Timeline& timeline = *detail_[t.run].timeline;
    if (row.task >= timeline.tasks.size()) return;
    const std::span<const sim::TaskSlice> slices(timeline.tasks[row.task]);
    const float margin = px(t.height > px(14) ? 2 : 1);
    const float y0 = t.y + margin;
    const float y1 = t.y + t.height - margin;
    const ImU32 colour = colour_of(f_, row.task);
    // With several CPUs, slices show the name of the CPU. The names are drawn last, on top of all
    // rectangles.
    struct CpuLabel {
        float x;
        CpuId cpu;
    };
    std::vector<CpuLabel> words;
    const auto draw = [&](RectangleLayers& layers, const SliceGroup& p, float x0, float x1, bool here) {
        const sim::TaskSlice& first = slices[p.first];
        const sim::TaskSlice& last = slices[p.last];
        if (!p.folded) {
            draw_task_slice(t, first, x0, x1, colour, layers);
            if (timeline.cpus.size() > 1 && first.activity == TaskActivity::running && x1 - x0 > px(44))
                words.push_back({std::max(x0, left_) + px(4), first.cpu});
            if (!here) return;
            hover_.lines = task_slice_tooltip(run(t.run), timeline, row.task, p.first);
            hover_.slice = TimeRange{first.begin, first.end};
            return;
        }
        const SliceKindSums shares = index_[t.run]->task_sums(timeline, row.task, p.first, p.last);
        const TimeRange range{first.begin, last.end};
        StackedBar stack(layers, x0, x1, y0, y1, std::max(1.0, static_cast<double>(range.length().count())));
        stack.add(0, shares.time[static_cast<std::size_t>(TaskActivity::running)], colour);
        stack.add(1, shares.time[static_cast<std::size_t>(TaskActivity::kernel)],
                  fill_of(theme_, CpuActivity::system));
        stack.add(2, shares.time[static_cast<std::size_t>(TaskActivity::ready)], ready_fill());
        if (!here) return;
        hover_.lines = task_shares_tooltip(range, row.name, shares);
        hover_.slice = range;
    };
    {
        RectangleLayers layers(list_, f_.fonts, theme_);
        for_each_slice_group(slices, t, row_narrow_, [&](const SliceGroup& p, float x0, float x1, bool here) {
            draw(layers, p, x0, x1, here);
        });
    }
    if (t.height < line_) return;
    for (const CpuLabel& w : words)
        text(w.x, t.y + (t.height - line_) / 2, readable_text_colour(colour), fmt::format("cpu{}", w.cpu));
}

void TimelinePane::draw_task_slice(const Track& t, const sim::TaskSlice& s, float x0, float x1, ImU32 running,
                                   RectangleLayers& layers) {
    const float margin = px(t.height > px(14) ? 2 : 1);
    const float y0 = t.y + margin;
    const float y1 = t.y + t.height - margin;
    const float middle = std::floor(t.y + t.height / 2);
    switch (s.activity) {
        case TaskActivity::running:
            layers.add(0, x0, x1, y0, y1, running);
            break;
        case TaskActivity::kernel:
            // Kernel time is drawn at half the height, to distinguish the kernel's colour from that of a
            // task.
            layers.add(1, x0, x1, middle - std::floor((y1 - y0) / 4), middle + std::floor((y1 - y0) / 4),
                       theme_.system_call);
            break;
        case TaskActivity::ready:
            if (x1 - x0 >= px(12))
                fill_pattern(list_, f_.fonts, Pattern::hatch, ImVec2(x0, y0 + px(2)), ImVec2(x1, y1 - px(2)),
                             theme_.ready);
            else
                layers.add(2, x0, x1, y0 + px(2), y1 - px(2), dimmed(theme_.ready, 0.6f));
            break;
        case TaskActivity::sleeping:
            draw_hairline(x0, x1, middle, theme_.sleeping, false);
            break;
        case TaskActivity::waiting:
            draw_hairline(x0, x1, middle, theme_.sleeping, true);
            break;
    }
}

void TimelinePane::draw_task_columns(const Track& t, const TimelineRow& row) {
    const float y0 = t.y + px(1);
    const float y1 = t.y + t.height - px(1);
    const ImU32 colour = colour_of(f_, row.task);
    const Nanos end = run(t.run).end();
    // Draws the line of a sleeping task first, so that the columns are on top of it.
    const float middle = std::floor((y0 + y1) / 2);
    rect(left_, middle, clamp_x(scale_.rounded_x(end)), middle + 1, theme_.sleeping);
    RectangleLayers layers(list_, f_.fonts, theme_);
    for_each_cell(row_edges_, is_mouse_in(t), [&](std::size_t i, float x0, float x1, bool here) {
        const TimeRange range{row_edges_[i], row_edges_[i + 1]};
        if (range.begin >= end) return;
        const sim::TaskSample s = row_columns_[t.run]->at(row.task, i);
        StackedBar stack(layers, x0, x1, y0, y1, static_cast<double>(range.length().count()));
        stack.add(0, s.user, colour);
        stack.add(1, s.system, fill_of(theme_, CpuActivity::system));
        stack.add(2, s.ready, ready_fill());
        if (!here) return;
        SliceKindSums shares;
        shares.time = {s.user, s.system, s.ready};
        hover_.lines = task_shares_tooltip(range, row.name, shares);
        hover_.slice = range;
    });
}

void TimelinePane::draw_difference(const Track& t) {
    const float y0 = t.y + px(3);
    const float y1 = y0 + px(14);
    Track top = t;
    top.height = px(20);
    draw_label(top, "differ", theme_.warning);
    const bool under_mouse = is_mouse_in(left_, y0, right_, y1);
    const std::uint32_t cpus = run(0).scenario().cpus;
    rect(left_, y0, right_, y1, dimmed(theme_.text, 0.04f));
    {
        RectangleLayers layers(list_, f_.fonts, theme_);
        for_each_cell(edges_, under_mouse, [&](std::size_t i, float x0, float x1, bool here) {
            const TimeRange range{edges_[i], edges_[i + 1]};
            const auto all = static_cast<double>(range.length().count()) * cpus;
            double share = 0;
            if (differences_ != nullptr) {
                share = static_cast<double>(differences_->differing_time(range).count()) / all;
            } else if (i < columns_[0].size() && i < columns_[1].size()) {
                for (std::size_t k = 0; k < kActivities; ++k)
                    share += std::abs(columns_[0][i].time[k] - columns_[1][i].time[k]) / (2 * all);
            }
            share = std::min(1.0, share);
            // Even the smallest difference has a visible height.
            const float height = share <= 0 ? 0 : std::max(px(2), static_cast<float>(share) * (y1 - y0));
            layers.add(0, x0, x1, std::floor(y1 - height), y1, theme_.warning);
            if (here)
                hover_.lines = {differences_ != nullptr
                                    ? percent(share) +
                                          " of the time, the CPU activity differs between the "
                                          "runs"
                                    : "at least " + percent(share) +
                                          " of the time, the activity differs "
                                          "between the runs",
                                time_text(range.begin) + " to " + time_text(range.end)};
        });
    }
    std::string words = (has_runs_at_different_times(f_.model) ? "at each run's position" : "at the cursor") +
                        std::string("  A | B:   ") + compared_totals_text(run(0), run(1));
    if (f_.model.difference)
        words = "different choice: decision " + group_digits(*f_.model.difference) + "   " + words;
    if (const std::optional<Nanos> when = time_of_first_difference(); when && scale_.range.contains(*when)) {
        const float x = scale_.rounded_x(*when);
        rect(x - px(1), t.y, x + px(1), y1, theme_.error);
        polygon(list_, {ImVec2(x - px(5), t.y), ImVec2(x + px(5), t.y), ImVec2(x, t.y + px(7))},
                theme_.error);
    }
    // If the text does not fit, removes its last items one by one, because a truncated number would be wrong.
    while (text_width(words) > scale_.width - px(8) && words.rfind("   ") != std::string::npos)
        words.erase(words.rfind("   "));
    text(left_ + px(4), y1 + px(1), theme_.text, text_that_fits(words, scale_.width - px(8)));
}

}  // namespace ui
