// The queue of a fair scheduler: a row per task in tree order, with its vruntime on an axis whose zero is
// min_vruntime. linux-6.6 adds deadlines and V, which separates the eligible tasks from those that have
// received more than their share.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ui/panels/drawing.h"
#include "ui/panels/fair_queue_painter.h"
#include "ui/view/text_table.h"

namespace ui {

using sim::TaskId;
using sim::fair::FairKernel;

FairQueuePainter::FairQueuePainter(const QueueDrawingContext& d, FairKernel kernel)
    : d_(d),
      kernel_(kernel),
      f_(d.frame),
      t_(d.frame.theme),
      list_(*ImGui::GetWindowDrawList()),
      sans_(d.frame.fonts.sans),
      line_(std::round(pixel_size(*d.frame.fonts.sans) * 1.35f)),
      gap_(std::round(d.frame.px(10))),
      stroke_(std::max(1.0f, std::round(d.frame.scale() * d.frame.theme.line_width))) {}

void FairQueuePainter::draw() {
    const auto [cpus, top, height] = cpu_rows(d_, 4 * line_, line_);
    for (const sim::CpuId cpu : cpus) queues_.push_back(fair_queue(d_.moment, cpu, kernel_));
    measure_columns();
    float y = top;
    for (const FairQueue& queue : queues_) {
        lay_out_queue(queue, y, height, cpus.size() > 1);
        y += height;
    }
    draw_rows();
}

void FairQueuePainter::measure_columns() {
    const float whole = d_.room.x;
    float name = f_.px(40), vruntime = text_width(sans_, "vruntime"), lag = text_width(sans_, "lag");
    for (const FairQueue& queue : queues_) {
        for (std::size_t i = 0; i < std::min<std::size_t>(queue.rows.size(), 64); ++i) {
            const FairRow& row = queue.rows[i];
            name = std::max(name, text_width(sans_, name_of(row.task)));
            vruntime = std::max(vruntime, text_width(sans_, signed_ms_text(row.vruntime)));
            lag = std::max(lag, text_width(sans_, signed_ms_text(row.lag)));
        }
    }
    ColumnWidths& c = columns_;
    c.name = std::round(std::min(name + f_.px(20) + 1.5f * gap_, whole * 0.24f));
    c.marks = text_width(sans_, "leftmost") + gap_;
    c.vruntime = vruntime + gap_;
    c.lag = has_deadlines() ? lag + gap_ : 0;
    c.word = has_deadlines() && !d_.moment.hidden ? text_width(sans_, "not eligible") + gap_ : 0;
    const auto axis = [&] { return whole - c.name - c.marks - c.vruntime - c.lag - c.word; };
    const float least = std::min(f_.px(260), whole * 0.5f);
    for (float* column : {&c.word, &c.vruntime, &c.marks, &c.lag})
        if (axis() < least) *column = 0;
    c.axis = std::max(axis() - gap_, 1.0f);
    axis_left_ = d_.origin.x + c.name + c.marks;
}

std::string FairQueuePainter::name_of(TaskId p) const {
    return queue_task(d_.run, f_.view, d_.queue, p).name;
}

float FairQueuePainter::x_of(const QueueBlock& block, std::int64_t t) const {
    const auto length = static_cast<double>(block.range.end - block.range.begin);
    const double share =
        std::clamp((static_cast<double>(t) - static_cast<double>(block.range.begin)) / length, 0.0, 1.0);
    const float inset = std::min(std::round(f_.px(12)), columns_.axis / 4);  // half the width of a marker
    return axis_left_ + inset + std::round(static_cast<float>(share) * (columns_.axis - 2 * inset));
}

FairQueuePainter::ShownRows FairQueuePainter::shown_rows(const FairQueue& queue, std::size_t line_count,
                                                         const QueueView& view) {
    const std::size_t all = queue.rows.size(),
                      most = all <= line_count ? all : std::max<std::size_t>(line_count, 2) - 1;
    std::vector<bool> shown(all);
    std::size_t left = most;
    const auto show = [&](std::size_t i) {
        if (left == 0 || shown[i]) return;
        shown[i] = true;
        --left;
    };
    for (std::size_t i = 0; i < all; ++i)
        if (queue.rows[i].running) show(i);
    for (std::size_t i = 0; i < all; ++i)
        if (queue.rows[i].task == view.current || queue.rows[i].task == view.best) show(i);
    if (all > 0) show(0);
    if (most > 3) show(all - 1);
    for (std::size_t i = 0; i < all && left > 0; ++i) show(i);
    ShownRows rows;
    for (std::size_t i = 0; i < all; ++i) {
        if (!shown[i] && rows.folded.empty()) rows.fold_at = rows.rows.size();
        (shown[i] ? rows.rows : rows.folded).push_back(i);
    }
    return rows;
}

void FairQueuePainter::lay_out_queue(const FairQueue& queue, float top, float height, bool has_cpu_name) {
    if (!queue.real_time.empty()) {
        draw_real_time_tasks(queue, top);
        top += line_;
        height -= line_;
    }
    const int steps = std::clamp(static_cast<int>(columns_.axis / text_width(sans_, "+000.00 ms  ")), 1, 12);
    QueueBlock block{.queue = &queue,
                     .range = virtual_time_range(queue, steps),
                     .rows = {},
                     .top = top,
                     .row_height = 0,
                     .rows_top = top + line_,
                     .rows_bottom = 0};
    // If there is little room, the rows are closer together, and the line of labels above the rows is
    // omitted.
    const float least = std::round(pixel_size(*sans_) * 1.1f), spare = has_cpu_name ? gap_ / 2 : 0;
    const auto rows = static_cast<float>(queue.rows.size());
    block.titled = has_cpu_name || height - 2 * line_ >= std::min(rows, 4.0f) * least;
    if (!block.titled) block.rows_top = top + std::round(f_.px(3));
    const float for_rows = top + height - spare - line_ - block.rows_top;
    const auto room = static_cast<std::size_t>(std::max(1.0f, for_rows / least));
    block.rows = shown_rows(queue, room, d_.queue);
    const std::size_t lines = block.rows.rows.size() + (block.rows.folded.empty() ? 0 : 1);
    block.row_height = std::round(
        std::clamp(for_rows / static_cast<float>(std::max<std::size_t>(lines, 1)), least, 2.2f * line_));
    block.rows_bottom = block.rows_top + block.row_height * static_cast<float>(lines);
    draw_axis(block, has_cpu_name);
    float y = block.rows_top;
    const auto place = [&](std::size_t i) {
        const FairRow& row = queue.rows[i];
        goals_.push_back({row.task, {x_of(block, row.vruntime) - d_.origin.x, y - d_.origin.y}});
        goal_rows_.push_back({blocks_.size(), i});
        y += block.row_height;
    };
    for (std::size_t n = 0; n <= block.rows.rows.size(); ++n) {
        if (!block.rows.folded.empty() && n == block.rows.fold_at) {
            draw_omitted_tasks(block, y);
            y += block.row_height;
        }
        if (n < block.rows.rows.size()) place(block.rows.rows[n]);
    }
    blocks_.push_back(std::move(block));
}

// Draws a line with the real-time tasks, which the scheduler prefers to all others.
void FairQueuePainter::draw_real_time_tasks(const FairQueue& queue, float y) {
    std::string text = "real-time tasks, run before all others:";
    for (std::size_t i = 0; i < std::min<std::size_t>(queue.real_time.size(), 20); ++i)
        text += (i == 0 ? " " : ", ") + name_of(queue.real_time[i]);
    if (queue.real_time.size() > 20) text += fmt::format(", {} more", queue.real_time.size() - 20);
    draw_text(sans_, ImVec2(d_.origin.x, y + (line_ - pixel_size(*sans_)) / 2), t_.text,
              ellipsized_text(sans_, text, d_.room.x));
}

// Draws one line for the omitted tasks: their number, and a small marker at the vruntime of each.
void FairQueuePainter::draw_omitted_tasks(const QueueBlock& block, float y) {
    const std::string words = fmt::format("… {} more", group_digits(block.rows.folded.size()));
    draw_text(sans_, ImVec2(d_.origin.x, y + (block.row_height - pixel_size(*sans_)) / 2), t_.text_dim,
              ellipsized_text(sans_, words, columns_.name + columns_.marks));
    float last = -1;
    for (const std::size_t i : block.rows.folded) {
        const FairRow& row = block.queue->rows[i];
        const float x = x_of(block, row.vruntime), half = std::max(1.0f, std::round(f_.px(2)));
        if (x == last) continue;
        last = x;
        fill_rect(list_, ImVec2(x - half, y + std::round(block.row_height * 0.2f)),
                  ImVec2(x + half, y + std::round(block.row_height * 0.8f)), colour_of(f_, row.task));
    }
}

void draw_fair_queues(const QueueDrawingContext& drawing) {
    FairQueuePainter(drawing, fair_kernel(drawing.run, drawing.moment)).draw();
}

std::string fair_queues_text(const Run& run, const ViewState& view, const QueueView& shown,
                             const QueueMoment& moment) {
    constexpr std::size_t kMost = 1000;
    std::string text;
    std::size_t rows = 0;
    const std::uint32_t cpus = shown.machine->shape().cpus;
    for (sim::CpuId cpu = 0; cpu < cpus; ++cpu) {
        const FairQueue queue = fair_queue(moment, cpu, fair_kernel(run, moment));
        const std::string whose = cpus == 1 ? "" : fmt::format("cpu{}: ", cpu);
        for (const TaskId p : queue.real_time)
            text += fmt::format("{}real-time task, runs before all others: {}\n", whose,
                                queue_task(run, view, shown, p).name);
        if (queue.rows.empty()) {
            text += whose + "no fair task is runnable\n";
            continue;
        }
        text += fmt::format("{}min_vruntime {} ns", whose, queue.min_vruntime);
        if (queue.has_deadlines)
            text += fmt::format("; V, the limit of eligibility, is {}", signed_ms_text(queue.average));
        text += "; vruntimes relative to min_vruntime:\n";
        TextTable table(queue.has_deadlines ? "lrrrll" : "lrl");
        for (const FairRow& row : queue.rows) {
            if (++rows > kMost) continue;
            std::string marks;
            if (row.running) marks += fmt::format("cpu{} ", cpu);
            if (row.leftmost && !moment.hidden) marks += "leftmost ";
            if (row.buddy) marks += "buddy ";
            if (shown.current == row.task) marks += "looked at ";
            if (shown.best == row.task) marks += "best so far";
            const std::string name = queue_task(run, view, shown, row.task).name;
            if (!queue.has_deadlines)
                table.add({name, signed_ms_text(row.vruntime), marks});
            else
                table.add({name, signed_ms_text(row.vruntime), "deadline " + signed_ms_text(row.deadline),
                           "lag " + signed_ms_text(row.lag),
                           moment.hidden ? lag_text(row.lag)
                                         : fmt::format("{}, {}", lag_text(row.lag), eligible_word(row)),
                           marks});
        }
        text += table.text();
    }
    if (rows > kMost) text += fmt::format("... {} more\n", rows - kMost);
    return text;
}

}  // namespace ui
