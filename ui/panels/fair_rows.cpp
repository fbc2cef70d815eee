// The rows of a fair scheduler's tasks: name, marker, position on the axis, and numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ui/panels/drawing.h"
#include "ui/panels/fair_queue_painter.h"
#include "ui/platform/shapes.h"

namespace ui {
namespace {

std::string details_of(const QueueDrawingContext& d, const FairQueue& queue, const FairRow& row) {
    std::string text =
        queue_task_details(d.run, queue_task(d.run, d.frame.view, d.queue, row.task), d.queue, row.task);
    text += fmt::format("\nvruntime {} relative to min_vruntime, weight {}", signed_ms_text(row.vruntime),
                        group_digits(row.weight));
    if (row.running)
        text +=
            "\nThe task runs, so it is not in the tree; its run time is charged at ticks, at "
            "wake-ups and in schedule()";
    if (row.leftmost && !d.moment.hidden) text += "\nthe leftmost task of the tree";
    if (row.buddy) text += "\nthe `last` buddy: a woken task preempted this task";
    if (!queue.has_deadlines) return text;
    text += fmt::format(
        "\ndeadline {}: the vruntime of the task at the end of its "
        "slice",
        signed_ms_text(row.deadline));
    text += fmt::format("\nlag {}: the task {}", signed_ms_text(row.lag), lag_text(row.lag));
    if (!d.moment.hidden) text += fmt::format(", so the task is {}", eligible_word(row));
    return text;
}

}  // namespace

void FairQueuePainter::draw_rows() {
    std::uint64_t layout = 3;
    for (const QueueBlock& block : blocks_)
        layout = layout * 31 + static_cast<std::uint64_t>(block.range.end - block.range.begin) +
                 static_cast<std::uint64_t>(block.range.step) * 7 +
                 static_cast<std::uint64_t>(block.row_height);
    const CardMotion& motion = animate_task_cards(d_, goals_, layout);
    std::size_t n = 0;
    for (const CardMotion::Card& card : motion.cards()) {
        if (card.leaving || n == goal_rows_.size()) break;
        const QueueBlock& block = blocks_[goal_rows_[n].first];
        draw_row(block, block.queue->rows[goal_rows_[n].second], card.at);
        ++n;
    }
}

void FairQueuePainter::draw_row(const QueueBlock& block, const FairRow& row, const CardPlace& at) {
    const FairQueue& queue = *block.queue;
    const float top = d_.origin.y + std::round(at.y), height = block.row_height,
                middle = top + std::round(height / 2),
                text_y = top + std::round((height - pixel_size(*sans_)) / 2);
    const bool looked_at = d_.queue.current == row.task, best = d_.queue.best == row.task,
               selected = f_.view.task == row.task;
    const ImVec2 min(d_.origin.x, top), max(d_.origin.x + d_.room.x, top + height - 1);
    const ImVec2 end_of_names(axis_left_ - gap_ / 2, max.y);
    if (looked_at || best || row.running)
        fill_rect(list_, min, end_of_names,
                  blend(with_alpha(looked_at ? t_.accent
                                   : best    ? t_.ok
                                             : t_.text,
                                   best ? 0.2f : 0.16f),
                        t_.panel));
    if (selected) draw_frame(list_, min, max, t_.cursor, stroke_);

    const float side = std::round(pixel_size(*sans_) * 0.7f);
    fill_rect(list_, ImVec2(min.x + f_.px(2), middle - std::round(side / 2)),
              ImVec2(min.x + f_.px(2) + side, middle - std::round(side / 2) + side), colour_of(f_, row.task));
    const float name_left = min.x + side + f_.px(8);
    std::string name = name_of(row.task);
    if (looked_at)
        name = "▶ " + name;
    else if (best)
        name = "◆ " + name;
    draw_text(sans_, ImVec2(name_left, text_y), t_.text,
              short_name(sans_, name, std::max(1.0f, min.x + columns_.name - gap_ / 2 - name_left)));
    draw_row_marker(row, queue.cpu, min.x + columns_.name, text_y);
    draw_vruntime_on_axis(row, d_.origin.x + std::round(at.x), x_of(block, row.vruntime), block, middle,
                          height);

    float x = axis_left_ + columns_.axis + gap_;
    const auto number = [&](float width, const std::string& text, ImU32 colour) {
        if (width == 0) return;
        draw_text(sans_, ImVec2(x + width - gap_ - text_width(sans_, text), text_y), colour, text);
        x += width;
    };
    number(columns_.vruntime, signed_ms_text(row.vruntime), t_.text);
    if (queue.has_deadlines) {
        number(columns_.lag, signed_ms_text(row.lag), t_.text);
        if (columns_.word > 0)
            draw_text(sans_, ImVec2(x, text_y), row.eligible() ? t_.ok : t_.text_dim, eligible_word(row));
    }
    handle_task_mouse(d_, row.task, min, ImVec2(max.x - min.x, height - 1),
                      [&] { return details_of(d_, queue, row); });
}

// Draws the marker of the row: the CPU of a running task, or the word "leftmost" or "buddy".
void FairQueuePainter::draw_row_marker(const FairRow& row, sim::CpuId cpu, float x, float y) {
    if (columns_.marks == 0) return;
    if (row.running) {
        const std::string tag = fmt::format("cpu{}", cpu);
        fill_rect(list_, ImVec2(x, y - f_.px(1)),
                  ImVec2(x + text_width(sans_, tag) + f_.px(8), y + pixel_size(*sans_) + f_.px(2)), t_.text);
        draw_text(sans_, ImVec2(x + f_.px(4), y), t_.panel, tag);
    } else if (row.leftmost && !d_.moment.hidden) {
        draw_text(sans_, ImVec2(x, y), t_.accent, "leftmost");
    } else if (row.buddy) {
        draw_text(sans_, ImVec2(x, y), t_.accent, "buddy");
    }
}

// Draws a disc at the vruntime, with a ring if the task is running or leftmost. For linux-6.6, also draws a
// bar from the disc to the deadline; the bar is hatched if the task is not eligible.
void FairQueuePainter::draw_vruntime_on_axis(const FairRow& row, float x, float goal, const QueueBlock& block,
                                             float middle, float height) {
    const ImU32 colour = colour_of(f_, row.task);
    const float radius = std::round(std::min(height * 0.3f, f_.px(9)));
    const bool is_far = row.vruntime > block.range.end || row.vruntime < block.range.begin;
    if (is_far) return draw_off_axis_arrow(row.vruntime > block.range.end, middle, radius, colour);
    if (block.queue->has_deadlines) {
        const float half = std::max(2.0f, std::round(height * 0.16f));
        const float end = x + x_of(block, row.deadline) - goal;
        const ImVec2 from(std::min(x, end), middle - half), to(std::max(x, end), middle + half);
        if (row.eligible() || d_.moment.hidden) {
            fill_rect(list_, from, to, blend(with_alpha(colour, 0.55f), t_.panel));
        } else {
            fill_rect(list_, from, to, blend(with_alpha(colour, 0.15f), t_.panel));
            fill_pattern(list_, f_.fonts, Pattern::hatch, from, to, colour);
        }
        const float tick = std::max(2.0f, std::round(f_.px(3)));
        fill_rect(list_, ImVec2(end - tick, middle - 2 * half), ImVec2(end, middle + 2 * half), colour);
    }
    disc(list_, ImVec2(x, middle), radius, colour);
    if (row.running)
        ring(list_, ImVec2(x, middle), radius + f_.px(3), t_.text, 0, std::max(2.0f, 2 * stroke_));
    else if (row.leftmost && !d_.moment.hidden)
        ring(list_, ImVec2(x, middle), radius + f_.px(2), t_.accent, 0, std::max(1.0f, stroke_));
}

// Draws an arrow at one end of the axis, for a task far beyond that end.
void FairQueuePainter::draw_off_axis_arrow(bool to_right, float middle, float size, ImU32 colour) {
    const float tip = to_right ? axis_left_ + columns_.axis : axis_left_, by = to_right ? -size : size;
    for (const float from : {tip, tip + 1.5f * by}) {
        if (to_right)
            polygon(
                list_,
                {ImVec2(from + by, middle - size), ImVec2(from, middle), ImVec2(from + by, middle + size)},
                colour);
        else
            polygon(
                list_,
                {ImVec2(from + by, middle + size), ImVec2(from, middle), ImVec2(from + by, middle - size)},
                colour);
    }
}

}  // namespace ui
