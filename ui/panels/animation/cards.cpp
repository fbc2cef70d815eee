// Draws the CPU with prev on it, and the queue, as moving cards.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ui/panels/animation/painters.h"
#include "ui/panels/drawing.h"
#include "ui/platform/shapes.h"

namespace ui {
namespace {

class SceneCardPainter {
  public:
    SceneCardPainter(Frame& frame, const Cursor& c, const DecisionScene& scene, const SceneArea& area,
                     float height)
        : f_(frame), c_(c), scene_(scene), area_(area), list_(*ImGui::GetWindowDrawList()) {
        card_.y = height;
        gap_ = f_.px(10);
        // All cards have the largest width at which all of them fit, within a lower and an upper bound.
        const auto waiting = static_cast<float>(std::count_if(
            scene_.cards.begin(), scene_.cards.end(), [](const SceneCard& s) { return s.place > -1; }));
        const float head = f_.px(54), fits = (area_.size.x - head) / (waiting + 1) - gap_;
        card_.x = std::floor(std::clamp(fits, f_.px(72), f_.px(150)));
        queue_left_ = area_.min.x + card_.x + head;
        const float room = area_.max().x - queue_left_;
        most_ = std::max<std::size_t>(
            1, static_cast<std::size_t>(std::max(0.0F, room + gap_) / (card_.x + gap_)));
        // Reserves the room of one card for the text "+N", the number of cards that do not fit.
        if (static_cast<float>(most_) < waiting && most_ > 1) --most_;
    }

    void draw() {
        if (scene_.parts) return draw_cpu();
        draw_cpu_and_queue_labels();
        for (const SceneCard& card : scene_.cards)
            if (!card.best) draw_card(card);
        for (const SceneCard& card : scene_.cards)
            if (card.best) draw_card(card);
    }

  private:
    // Draws only the CPU and its task. A queue with several parts is drawn below, by draw_queue_parts().
    void draw_cpu() {
        draw_cpu_frame();
        const sim::TraceRecord& r = c_.decision().record;
        for (SceneCard card : scene_.cards) {
            if (card.task != r.other && card.task != r.task) continue;
            if (r.task != r.other)
                card.opacity = card.task == r.other ? 1 - scene_.put_back : scene_.switched;
            card.place = -1;
            card.best = card.examined = false;
            draw_card(card);
        }
    }

    ImVec2 place_of(const SceneCard& card) const {
        const float shown = static_cast<float>(std::min(card.place, static_cast<double>(most_)));
        const auto at_queue = [&](float place) { return queue_left_ + place * (card_.x + gap_); };
        // The distance between the CPU (place -1) and the head of the queue (place 0) is larger than the
        // distance between two cards.
        const float x = shown < 0
                            ? area_.min.x + f_.px(2) + (shown + 1) * (at_queue(0) - area_.min.x - f_.px(2))
                            : at_queue(shown);
        return {std::floor(x), area_.min.y};
    }

    void draw_cpu_frame() {
        const ImVec2 cpu{std::floor(area_.min.x + f_.px(2)), area_.min.y};
        draw_frame(list_, cpu, {cpu.x + card_.x, cpu.y + card_.y}, f_.theme.text_dim,
                   std::max(1.0F, f_.px(1)));
        const std::string name = fmt::format("cpu{}", c_.decision().record.cpu);
        draw_text(f_.fonts.sans, {cpu.x + f_.px(6), cpu.y + card_.y - pixel_size(*f_.fonts.sans) - f_.px(4)},
                  f_.theme.text_dim, name);
    }

    void draw_cpu_and_queue_labels() {
        draw_cpu_frame();
        const float y = area_.min.y + std::floor((card_.y - pixel_size(*f_.fonts.sans)) / 2);
        draw_text(f_.fonts.sans, {queue_left_ - text_width(f_.fonts.sans, "head") - f_.px(6), y},
                  f_.theme.text_dim, "head");
        const std::size_t waiting = static_cast<std::size_t>(std::count_if(
            scene_.cards.begin(), scene_.cards.end(), [](const SceneCard& s) { return s.place >= 0; }));
        if (waiting <= most_) return;
        draw_text(f_.fonts.sans, {area_.max().x - text_width(f_.fonts.sans, "+99") - f_.px(2), y},
                  f_.theme.text_dim, fmt::format("+{}", waiting - most_));
    }

    void draw_card(const SceneCard& card) {
        if (card.opacity <= 0 || card.place >= static_cast<double>(most_) - 0.01) return;
        const Theme& theme = f_.theme;
        const auto faded = [&](ImU32 colour) { return with_alpha(colour, static_cast<float>(card.opacity)); };
        const ImVec2 min = place_of(card), max{min.x + card_.x, min.y + card_.y};
        const ImU32 ground =
            blend(with_alpha(card.best ? theme.ok : theme.text, card.best ? 0.18F : 0.08F), theme.panel);
        fill_rect(list_, min, max, faded(ground));
        fill_rect(list_, min, {min.x + f_.px(6), max.y}, faded(colour_of(f_, card.task)));
        const float line = std::round(f_.px(card.examined || card.best ? 2.5F : 1));
        draw_frame(list_, min, max,
                   faded(card.best       ? theme.ok
                         : card.examined ? theme.accent
                                         : theme.panel_border),
                   line);
        ImFont* const sans = f_.fonts.sans;
        const float text = pixel_size(*sans), left = min.x + f_.px(12), room = card_.x - f_.px(16);
        float y = min.y + f_.px(4);
        draw_text(sans, {left, y}, faded(theme.text),
                  (card.best ? "◆ " : "") + short_name(sans, c_.name(card.task), room - f_.px(14)));
        y += text + f_.px(5);
        if (!card.value.empty())
            draw_text(sans, {left, y}, faded(theme.text_dim), wrapped_text(sans, card.value, room));
        if (card.slice >= 0) {
            const ImVec2 bar{left, max.y - f_.px(9)}, end{max.x - f_.px(6), max.y - f_.px(4)};
            draw_frame(list_, bar, end, faded(theme.text_dim), 1);
            fill_rect(list_, bar, {bar.x + (end.x - bar.x) * static_cast<float>(card.slice), end.y},
                      faded(colour_of(f_, card.task)));
        }
        if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max))
            f_.report_hovered_task(card.task);
    }

    Frame& f_;
    const Cursor& c_;
    const DecisionScene& scene_;
    SceneArea area_;
    ImDrawList& list_;
    ImVec2 card_{};
    float gap_ = 0, queue_left_ = 0;
    std::size_t most_ = 0;  // number of queue cards that fit
};

}  // namespace

void draw_cards(Frame& frame, const Cursor& c, const DecisionScene& scene, const SceneArea& area,
                float height) {
    SceneCardPainter(frame, c, scene, area, height).draw();
}

}  // namespace ui
