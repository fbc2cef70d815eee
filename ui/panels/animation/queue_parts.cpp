// The two priority arrays of linux-2.6.20 with their lists, or the queues of a policy script. Each list is
// one row, and tasks move from position to position, in a row or between rows. When the arrays are exchanged,
// only the frame around the active array moves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/panels/animation/painters.h"
#include "ui/panels/drawing.h"
#include "ui/platform/shapes.h"

namespace ui {
namespace {

class QueuePartsPainter {
  public:
    QueuePartsPainter(Frame& frame, const Cursor& c, const DecisionScene& scene, const SceneArea& area)
        : f_(frame),
          c_(c),
          scene_(scene),
          parts_(*scene.parts),
          area_(area),
          list_(*ImGui::GetWindowDrawList()),
          sans_(frame.fonts.sans),
          text_(pixel_size(*sans_)),
          gap_(frame.px(4)) {
        place_rows(area);
    }

    void draw() {
        if (parts_.has_arrays) draw_arrays();
        draw_text(sans_, {area_.min.x + gap_, area_.max().y - text_ - gap_}, f_.theme.text_dim,
                  parts_.has_arrays ? "▸: the running task, still in its list; a lower prio is preferred"
                                    : "each row is a queue of the script, with its head on the left");
        for (std::size_t i = 0; i < parts_.rows.size(); ++i)
            if (rows_[i].shown)
                draw_text(sans_, {rows_[i].min.x, rows_[i].min.y + (height_ - text_) / 2}, f_.theme.text_dim,
                          ellipsized_text(sans_, parts_.rows[i].name, label_ - gap_));
        for (const QueuePartsScene::TaskChip& chip : parts_.chips)
            if (chip.task != c_.decision().record.task) draw_chip(chip);
        for (const QueuePartsScene::TaskChip& chip : parts_.chips)
            if (chip.task == c_.decision().record.task) draw_chip(chip);
    }

  private:
    struct RowBox {
        ImVec2 min;       // top left corner of the label
        float right = 0;  // right edge of the row
        bool shown = false;
    };

    // The two priority arrays are drawn side by side; the queues of a script are drawn one below the other.
    void place_rows(const SceneArea& area) {
        const std::size_t count = parts_.rows.size();
        const std::size_t columns = parts_.has_arrays ? 2 : 1;
        std::vector<std::size_t> lines(columns, 0);
        rows_.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            label_ = std::max(label_, text_width(sans_, parts_.rows[i].name));
            ++lines[column_of(i)];
        }
        label_ = std::min(label_ + 3 * gap_, area.size.x / static_cast<float>(3 * columns));
        const float title = parts_.has_arrays ? text_ + 2 * gap_ : 0;
        const auto most =
            static_cast<float>(std::max<std::size_t>(1, *std::max_element(lines.begin(), lines.end())));
        // Height for the rows, without the title and the legend.
        const float room = area.size.y - title - 2 * gap_ - text_;
        step_ = std::clamp(std::floor(room / most), text_ + f_.px(3), 2 * text_);
        height_ = step_ - f_.px(2);
        const float width = area.size.x / static_cast<float>(columns);
        for (std::size_t column = 0; column < columns; ++column) {
            const float x = area.min.x + width * static_cast<float>(column);
            boxes_.push_back({{x, area.min.y}, {width - 2 * gap_, area.size.y - 3 * gap_ - text_}});
            std::size_t line = 0;
            for (std::size_t i = 0; i < count; ++i) {
                if (column_of(i) != column) continue;
                const ImVec2 min{x + gap_, area.min.y + title + step_ * static_cast<float>(line++)};
                rows_[i] = {min, x + width - 3 * gap_, min.y + height_ <= area.max().y - text_ - gap_};
            }
        }
        chip_ = std::min(f_.px(96), (width - label_ - 6 * gap_) / 3);
    }

    std::size_t column_of(std::size_t row) const { return parts_.has_arrays ? parts_.rows[row].array : 0; }

    // When the arrays are exchanged, the frame and the word "active" move to the other array.
    void draw_arrays() {
        const auto from = parts_.active_before, to = parts_.active_after;
        for (std::size_t i = 0; i < 2; ++i) {
            draw_frame(list_, boxes_[i].min, boxes_[i].max(), f_.theme.panel_border, 1);
            const bool is_active = (scene_.exchanged < 0.5 ? from : to) == i;
            draw_text(sans_, {boxes_[i].min.x + gap_, boxes_[i].min.y + gap_},
                      is_active ? f_.theme.text : f_.theme.text_dim,
                      fmt::format("arrays[{}]: {}", i, is_active ? "active" : "expired"));
        }
        const ImVec2 min{std::floor(interpolate(boxes_[from].min.x, boxes_[to].min.x, scene_.exchanged)),
                         boxes_[from].min.y};
        draw_frame(list_, min, {min.x + boxes_[from].size.x, boxes_[from].max().y}, f_.theme.accent,
                   std::max(2.0F, f_.px(2)));
    }

    ImVec2 point_of(const QueuePartsScene::Place& place) const {
        const RowBox& row = rows_[place.row];
        return {row.min.x + label_ + static_cast<float>(place.index) * (chip_ + gap_), row.min.y};
    }

    // Draws a task. A task that enters the queue fades in at its position, and a task that leaves the queue
    // fades out.
    void draw_chip(const QueuePartsScene::TaskChip& chip) {
        const std::optional<QueuePartsScene::Place>& first = chip.before   ? chip.before
                                                             : chip.search ? chip.search
                                                                           : chip.after;
        const auto& second = chip.search ? chip.search : first;
        const auto& third = chip.after ? chip.after : second;
        const bool shown = rows_[first->row].shown && rows_[third->row].shown;
        double opacity = 1;
        if (!chip.before) opacity = chip.search ? scene_.put_back : scene_.switched;
        if (chip.before && !chip.search) opacity = 1 - scene_.put_back;
        if (chip.search && !chip.after) opacity = 1 - scene_.switched;
        if (!shown || opacity <= 0) return;
        const ImVec2 a = point_of(*first), b = point_of(*second), c = point_of(*third);
        const ImVec2 min{
            std::floor(interpolate(interpolate(a.x, b.x, scene_.put_back), c.x, scene_.switched)),
            std::floor(interpolate(interpolate(a.y, b.y, scene_.put_back), c.y, scene_.switched))};
        draw_chip_at(chip.task, min, static_cast<float>(opacity), rows_[third->row].right);
    }

    // True if this task is the best candidate that the search has found so far.
    bool is_best(sim::TaskId task) const {
        return std::any_of(scene_.cards.begin(), scene_.cards.end(),
                           [task](const SceneCard& card) { return card.task == task && card.best; });
    }

    void draw_chip_at(sim::TaskId task, ImVec2 min, float opacity, float row_right) {
        const ImVec2 max{min.x + chip_, min.y + height_};
        if (max.x > row_right) return;
        const bool runs = (scene_.put_back < 0.5 && task == c_.decision().record.other) ||
                          (scene_.switched > 0.5 && task == c_.decision().record.task);
        const bool chosen = is_best(task) || (task == c_.decision().record.task && scene_.switched > 0);
        fill_rect(list_, min, max,
                  with_alpha(blend(with_alpha(f_.theme.text, 0.1F), f_.theme.panel), opacity));
        fill_rect(list_, min, {min.x + f_.px(4), max.y}, with_alpha(colour_of(f_, task), opacity));
        draw_frame(list_, min, max, with_alpha(chosen ? f_.theme.ok : f_.theme.panel_border, opacity),
                   chosen ? std::max(2.0F, f_.px(2)) : 1);
        const std::string name = (runs ? "▸ " : "") + c_.name(task);
        draw_text(sans_, {min.x + f_.px(8), std::floor(min.y + (height_ - text_) / 2)},
                  with_alpha(f_.theme.text, opacity), short_name(sans_, name, chip_ - f_.px(12)));
        if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max)) f_.report_hovered_task(task);
    }

    Frame& f_;
    const Cursor& c_;
    const DecisionScene& scene_;
    const QueuePartsScene& parts_;
    SceneArea area_;
    ImDrawList& list_;
    ImFont* const sans_;
    const float text_, gap_;
    float label_ = 0, step_ = 0, height_ = 0, chip_ = 0;
    std::vector<RowBox> rows_;
    std::vector<SceneArea> boxes_;  // boxes of the two priority arrays
};

}  // namespace

void draw_queue_parts(Frame& frame, const Cursor& c, const DecisionScene& scene, const SceneArea& area) {
    if (scene.parts->rows.empty()) return;
    QueuePartsPainter(frame, c, scene, area).draw();
}

}  // namespace ui
