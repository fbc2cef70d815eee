// The axis of virtual times: its scale, a line at min_vruntime, and, for linux-6.6, a line at V, the weighted
// average of the vruntimes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ui/panels/drawing.h"
#include "ui/panels/fair_queue_painter.h"

namespace ui {
namespace {

constexpr const char* kAboutMin =
    "min_vruntime: a virtual time near the least vruntime; it never decreases. All times here are relative "
    "to it.";
constexpr const char* kAboutV =
    "V: the weighted average of the vruntimes. A task on this line or left of it is eligible: the task has "
    "received no more than its share. The eligible task with the earliest deadline runs.";
constexpr const char* kAboutAxis =
    "vruntime: the run time of a task, counted faster for tasks with less weight. The running task is "
    "charged at ticks, at wake-ups and in schedule(); in between, its marker does not move.";

}  // namespace

// Draws the axis, the lines of min_vruntime and (linux-6.6) V, and the texts above and below the axis.
void FairQueuePainter::draw_axis(const QueueBlock& block, bool has_cpu_name) {
    const FairQueue& queue = *block.queue;
    const float left = axis_left_, right = left + columns_.axis;
    const float text_y = block.top + (line_ - pixel_size(*sans_)) / 2;
    if (has_cpu_name)
        draw_text(sans_, ImVec2(d_.origin.x, text_y), t_.text_dim, fmt::format("cpu{}", queue.cpu));
    float x = right + gap_;
    const auto heading = [&](float width, const char* text) {
        if (width == 0) return;
        draw_text(sans_, ImVec2(x + width - gap_ - text_width(sans_, text), text_y), t_.text_dim, text);
        x += width;
    };
    if (block.titled) {
        heading(columns_.vruntime, "vruntime");
        heading(columns_.lag, "lag");
    }
    if (queue.rows.empty()) {
        const float lowest = d_.origin.y + d_.room.y - line_;
        draw_text(sans_, ImVec2(left, std::min(block.rows_top, lowest)), t_.text_dim,
                  "no fair task is runnable");
        return;
    }
    const float zero = x_of(block, 0), v = x_of(block, queue.average);
    if (has_deadlines())
        fill_rect(list_, ImVec2(left, block.rows_top), ImVec2(v, block.rows_bottom),
                  blend(with_alpha(t_.ok, 0.12f), t_.panel));
    draw_scale(block);
    fill_rect(list_, ImVec2(zero - stroke_ / 2, block.rows_top - (block.titled ? line_ / 4 : 0)),
              ImVec2(zero + std::max(1.0f, stroke_), block.rows_bottom), t_.text);
    if (has_deadlines())
        fill_rect(list_, ImVec2(v - stroke_, block.rows_top - (block.titled ? line_ / 4 : 0)),
                  ImVec2(v + 2 * stroke_, block.rows_bottom), t_.ok);
    if (block.titled) draw_min_and_average_labels(zero, v, left, right, text_y);
    const float below = block.rows_bottom;
    if (columns_.name + columns_.marks > text_width(sans_, "minus min_vruntime") + gap_)
        draw_text(sans_, ImVec2(d_.origin.x, below + (line_ - pixel_size(*sans_)) / 2), t_.text_dim,
                  "minus min_vruntime");
    explain_area(ImVec2(left, below), ImVec2(right, below + line_), kAboutAxis);
    explain_area(ImVec2(zero - f_.px(4), block.top), ImVec2(zero + f_.px(4), block.rows_bottom), kAboutMin);
    if (has_deadlines())
        explain_area(ImVec2(v - f_.px(4), block.top), ImVec2(v + f_.px(4), block.rows_bottom), kAboutV);
}

// Draws a grid line at each step of the scale, and below them as many numbers as fit.
void FairQueuePainter::draw_scale(const QueueBlock& block) {
    const VirtualTimeRange& range = block.range;
    const float left = axis_left_, right = left + columns_.axis;
    const auto steps = static_cast<float>((range.end - range.begin) / range.step);
    const float widest = std::max(text_width(sans_, scale_label(range.begin, range.step)),
                                  text_width(sans_, scale_label(range.end, range.step)));
    const auto every = static_cast<std::int64_t>(std::ceil((widest + gap_) * steps / columns_.axis));
    float last = left - gap_;
    for (std::int64_t t = range.begin; t <= range.end; t += range.step) {
        const float at = x_of(block, t);
        fill_rect(list_, ImVec2(at, block.rows_top), ImVec2(at + 1, block.rows_bottom), t_.grid);
        if (t / range.step % std::max<std::int64_t>(every, 1) != 0) continue;
        const std::string text = scale_label(t, range.step);
        const float width = text_width(sans_, text);
        const float x = std::clamp(at - std::round(width / 2), left, std::max(left, right - width));
        if (x < last + gap_) continue;
        draw_text(sans_, ImVec2(x, block.rows_bottom + (line_ - pixel_size(*sans_)) / 2), t_.text_dim, text);
        last = x + width;
    }
}

// Draws the labels of the two lines (min_vruntime and V) without overlap.
void FairQueuePainter::draw_min_and_average_labels(float zero, float v, float left, float right, float y) {
    const float beside = std::round(f_.px(5));
    const auto fits = [&](float x, float width) { return x >= left && x + width <= right; };
    // If there is room, the label of min_vruntime is on the side of its line that is away from V.
    const bool to_left = has_deadlines() && v >= zero;
    float x = 0, width = 0;
    for (const bool left_of : {to_left, !to_left}) {
        for (const char* const text : {"min_vruntime", "min"}) {
            width = text_width(sans_, text);
            x = left_of ? zero - beside - width : zero + beside;
            if (!fits(x, width)) continue;
            draw_text(sans_, ImVec2(x, y), t_.text, text);
            return draw_average_vruntime_label(v, left, right, y, x, width);
        }
    }
    draw_average_vruntime_label(v, left, right, y, left, 0);
}

// Draws the label of V. It does not overlap the label of min_vruntime, which starts at `x` and is `width`
// wide.
void FairQueuePainter::draw_average_vruntime_label(float v, float left, float right, float y, float x,
                                                   float width) {
    const float beside = std::round(f_.px(5));
    const auto fits = [&](float at, float size) { return at >= left && at + size <= right; };
    if (!has_deadlines()) return;
    for (const char* const text : {"V: limit of eligibility", "V"}) {
        const float size = text_width(sans_, text);
        for (const float at : {v + beside, v - beside - size, x + width + 2 * beside}) {
            if (!fits(at, size) || (at < x + width + beside && at + size + beside > x)) continue;
            draw_text(sans_, ImVec2(at, y), t_.ok, text);
            return;
        }
    }
}

// The number below a grid line, with as many decimals as the distance of the grid lines requires.
std::string FairQueuePainter::scale_label(std::int64_t t, std::int64_t step) {
    if (t == 0) return "0";
    int digits = 0;
    for (std::int64_t unit = 1'000'000; unit > 1 && step % unit != 0; unit /= 10) ++digits;
    return fmt::format("{:+.{}f} ms", static_cast<double>(t) / 1e6, digits);
}

}  // namespace ui
