// The virtual times of a fair policy on an axis. The marker of prev is hollow until prev is charged.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "ui/panels/animation/painters.h"
#include "ui/panels/drawing.h"
#include "ui/platform/shapes.h"

namespace ui {
namespace {

// Converts a time relative to min_vruntime to an absolute virtual time in ns.
double absolute_virtual_time(const FairQueue& queue, std::int64_t relative_time) {
    return static_cast<double>(queue.min_vruntime + relative_time);
}

class VirtualTimeAxisPainter {
  public:
    VirtualTimeAxisPainter(Frame& frame, const Cursor& c, const DecisionScene& scene, const SceneArea& area)
        : f_(frame),
          c_(c),
          scene_(scene),
          before_(*scene.fair_before),
          after_(*scene.fair_after),
          area_(area),
          list_(*ImGui::GetWindowDrawList()),
          text_(pixel_size(*frame.fonts.sans)),
          left_(area.min.x + frame.px(120)),
          right_(area.max().x - frame.px(12)) {
        collect_task_tracks();
        find_virtual_time_range();
        average_ = absolute_virtual_time(before_, before_.average) +
                   scene_.charged * (absolute_virtual_time(after_, after_.average) -
                                     absolute_virtual_time(before_, before_.average));
    }

    void draw() {
        const float wanted =
            (area_.size.y - text_ - f_.px(8)) / static_cast<float>(std::max<std::size_t>(1, tracks_.size()));
        const float row = std::clamp(wanted, text_ + f_.px(5), 2.5F * text_);
        const auto fitting = static_cast<std::size_t>(std::max(0.0F, (area_.size.y - text_) / row));
        if (fitting == 0) return;
        const std::size_t lines = std::min(fitting, tracks_.size());
        for (std::size_t line = 0; line < lines; ++line)
            draw_track(*tracks_[line].first, *tracks_[line].second,
                       area_.min.y + row * static_cast<float>(line), row);
        draw_legend(area_.min.y + row * static_cast<float>(lines));
    }

  private:
    // A task that the event of this decision has woken is in after_, but not in before_. The marker of such a
    // task does not move.
    void collect_task_tracks() {
        for (const FairRow& r : before_.rows) tracks_.emplace_back(&before_, &r);
        for (const FairRow& r : after_.rows)
            if (std::none_of(before_.rows.begin(), before_.rows.end(),
                             [&](const FairRow& b) { return b.task == r.task; }))
                tracks_.emplace_back(&after_, &r);
    }

    // All frames of the animation have the same scale, from the least to the greatest absolute virtual time
    // in the states before and after the decision.
    void find_virtual_time_range() {
        least_ = most_ = before_.min_vruntime + before_.average;
        const auto widen = [&](std::int64_t t) { least_ = std::min(least_, t), most_ = std::max(most_, t); };
        for (const FairQueue* queue : {&before_, &after_})
            for (const FairRow& r : queue->rows) {
                widen(queue->min_vruntime + r.vruntime);
                if (queue->has_deadlines) widen(queue->min_vruntime + r.deadline);
            }
        if (before_.has_deadlines) widen(after_.min_vruntime + after_.average);
    }

    float x_of(double t) const {
        const double share =
            (t - static_cast<double>(least_)) / std::max(1.0, static_cast<double>(most_ - least_));
        return left_ + (right_ - left_) * static_cast<float>(share);
    }

    void draw_track(const FairQueue& queue, const FairRow& r, float y, float row) {
        const auto same = std::find_if(after_.rows.begin(), after_.rows.end(),
                                       [&](const FairRow& a) { return a.task == r.task; });
        const bool stays = same != after_.rows.end();
        const auto moved = [&](std::int64_t from, std::int64_t FairRow::*field) {
            const double start = absolute_virtual_time(queue, from);
            return stays ? start + (absolute_virtual_time(after_, (*same).*field) - start) * scene_.charged
                         : start;
        };
        const double at = moved(r.vruntime, &FairRow::vruntime);
        const float middle = y + row / 2, x = x_of(at), radius = f_.px(5);
        // A task that leaves the queue fades out.
        const auto faded = [&](ImU32 colour) {
            return stays ? colour : with_alpha(colour, 1 - static_cast<float>(scene_.put_back));
        };
        const ImU32 colour = faded(colour_of(f_, r.task));
        draw_text(f_.fonts.sans, {area_.min.x, std::floor(middle - text_ / 2)}, faded(f_.theme.text),
                  short_name(f_.fonts.sans, c_.name(r.task), f_.px(110)));
        fill_rect(list_, {left_, middle}, {right_, middle + 1}, f_.theme.grid);
        const bool seen = std::find(scene_.seen.begin(), scene_.seen.end(), r.task) != scene_.seen.end();
        // Before prev is charged, eligibility is unknown; each task is then drawn as eligible.
        const bool eligible = !before_.has_deadlines || scene_.charged < 1 || at <= average_;
        const bool has_left = !stays && scene_.put_back > 0.5;
        if ((has_left || !eligible) && row >= 2 * text_)
            draw_text(f_.fonts.sans, {area_.min.x, std::floor(middle + (has_left ? -text_ : text_) / 2)},
                      f_.theme.text_dim, has_left ? "not in the queue" : "not eligible");
        if (before_.has_deadlines) {
            const float end = x_of(moved(r.deadline, &FairRow::deadline));
            // The bar from the vruntime to the deadline; it is dim for tasks that are not eligible.
            const ImU32 bar = eligible ? colour : with_alpha(colour, 0.35F);
            fill_rect(list_, {x, middle}, {end, middle + std::max(1.0F, f_.px(2))}, bar);
            fill_rect(list_, {end - f_.px(1), middle - f_.px(5)}, {end + f_.px(1), middle + f_.px(6)}, bar);
        }
        const bool hollow = r.running && scene_.charged < 1;
        if (hollow || (before_.has_deadlines && !(eligible && seen)))
            ring(list_, {x, middle}, radius, colour, 0, std::max(1.5F, f_.px(2)));
        else
            disc(list_, {x, middle}, radius, colour);
    }

    // `bottom`: the lower edge of the last track.
    void draw_legend(float bottom) {
        const float below = bottom + text_ + f_.px(4);
        if (below + text_ < area_.max().y)
            draw_text(f_.fonts.sans, {area_.min.x, below}, f_.theme.text_dim,
                      before_.has_deadlines
                          ? "x axis: virtual time; V: weighted average; circle: vruntime (right of V: not "
                            "eligible; "
                            "filled: examined and eligible); bar: from vruntime to virtual deadline"
                          : "x axis: virtual time; circle: vruntime (filled: run time already charged)");
        if (!before_.has_deadlines) return;
        const float x = x_of(average_);
        fill_rect(list_, {x, area_.min.y}, {x + std::max(1.0F, f_.px(2)), bottom}, f_.theme.accent);
        draw_text(f_.fonts.sans, {x + f_.px(4), bottom}, f_.theme.accent, "V");
    }

    Frame& f_;
    const Cursor& c_;
    const DecisionScene& scene_;
    const FairQueue &before_, &after_;
    SceneArea area_;
    ImDrawList& list_;
    const float text_, left_, right_;
    // Each row, with the queue state that contains it.
    std::vector<std::pair<const FairQueue*, const FairRow*>> tracks_;
    std::int64_t least_ = 0, most_ = 0;
    double average_ = 0;  // the weighted average V at the current progress of the animation
};

}  // namespace

void draw_virtual_times(Frame& frame, const Cursor& c, const DecisionScene& scene, const SceneArea& area) {
    VirtualTimeAxisPainter(frame, c, scene, area).draw();
}

}  // namespace ui
