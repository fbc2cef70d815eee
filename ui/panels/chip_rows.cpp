#include "ui/panels/chip_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ui/panels/drawing.h"

namespace ui {
namespace {

using sim::TaskId;

constexpr std::size_t kMeasuredNames = 64;
constexpr std::size_t kMostChips = 600;

}  // namespace

std::string task_count_text(std::size_t n) {
    return n == 0 ? "no task" : n == 1 ? "1 task" : fmt::format("{} tasks", n);
}

ChipRows::ChipRows(const QueueDrawingContext& drawing, ChipContents contents, const char* row_word)
    : d_(drawing),
      f_(drawing.frame),
      t_(drawing.frame.theme),
      list_(*ImGui::GetWindowDrawList()),
      sans_(drawing.frame.fonts.sans),
      contents_(std::move(contents)),
      row_word_(row_word),
      line_(std::round(pixel_size(*drawing.frame.fonts.sans) * 1.35f)),
      border_(std::max(1.0f, std::round(drawing.frame.scale() * drawing.frame.theme.line_width))) {}

void ChipRows::choose_chip_size(const AvailableSpace& room) {
    float name = f_.px(40), second = 0;
    std::vector<TaskId> tasks = d_.queue.tasks;
    if (tasks.size() > kMeasuredNames) tasks.resize(kMeasuredNames);
    for (const TaskId p : tasks) {
        name = std::max(name, text_width(sans_, queue_task(d_.run, f_.view, d_.queue, p).name));
        second = std::max(second, text_width(sans_, contents_.second_line(p)));
    }
    tall_ = room.height > 2.3f * line_ * static_cast<float>(room.rows) &&
            (std::max(name, second) + f_.px(30)) * static_cast<float>(room.longest_row) < room.width;
    chip_height_ = std::round(tall_ ? 2.2f * line_ : room.tight ? line_ : 1.15f * line_);
    chip_width_ = std::round(std::min(std::max(name, tall_ ? second : 0) + f_.px(24), f_.px(260)));
}

float ChipRows::row_height() const { return chip_height_ + std::round(f_.px(3)); }

float ChipRows::chip_width_with_gap() const { return chip_width_ + std::round(f_.px(6)); }

float ChipRows::text_top(float row_top) const { return row_top + (chip_height_ - pixel_size(*sans_)) / 2; }

void ChipRows::place_rows(const Box& box, std::span<const ChipRow> rows, float label_width) {
    if (rows.empty()) return;
    const float between = std::round(f_.px(3)), gap = std::round(f_.px(8)), row = row_height();
    const auto fitting = static_cast<std::size_t>(std::max(0.0f, (box.height() + between) / row));
    std::size_t shown = std::min(rows.size(), fitting);
    // Leaves room for a line that summarizes the rows that do not fit.
    if (shown < rows.size() && shown > 1) --shown;
    std::size_t tasks = 0;
    for (const ChipRow& other : rows.subspan(shown)) tasks += other.tasks.size();
    const std::string rest = tasks == 0
                                 ? ""
                                 : fmt::format("… {} more {}{}: {}", rows.size() - shown, row_word_,
                                               rows.size() - shown == 1 ? "" : "s", task_count_text(tasks));
    const bool has_line = box.min.y + row * static_cast<float>(shown) + pixel_size(*sans_) <= box.max.y;
    float y = box.min.y;
    for (std::size_t i = 0; i < shown; ++i, y += row) {
        draw_text(sans_, ImVec2(box.min.x, text_top(y)), rows[i].lit ? t_.accent : t_.text_dim,
                  ellipsized_text(sans_, rows[i].label, label_width));
        // If there is no room for a separate line with the summary of the remaining rows, the summary is at
        // the end of the last row.
        const bool last = i + 1 == shown && !rest.empty() && !has_line;
        const float room = last ? std::min(text_width(sans_, rest) + gap, box.width() * 0.4f) : 0;
        const float right = box.max.x - room;
        place_tasks(box.min.x + label_width, right, y, rows[i]);
        if (last)
            draw_text(sans_, ImVec2(right, text_top(y)), t_.text_dim, ellipsized_text(sans_, rest, room));
    }
    if (!rest.empty() && has_line)
        draw_text(sans_, ImVec2(box.min.x, y), t_.text_dim, ellipsized_text(sans_, rest, box.width()));
}

void ChipRows::place_tasks(float left, float right, float y, const ChipRow& row) {
    if (row.tasks.empty()) draw_text(sans_, ImVec2(left, text_top(y)), t_.text_dim, row.if_empty);
    const std::span<const TaskId> tasks = row.tasks;
    const float step = chip_width_with_gap(), between = step - chip_width_;
    const std::size_t all = tasks.size();
    const auto fitting = [&](float width) {
        return static_cast<std::size_t>(std::max(0.0f, (right - left - width + between) / step));
    };
    std::size_t shown = fitting(0);
    // Narrow rows show "+2" instead of "… 2 more".
    const auto words_for = [](bool brief, std::size_t n) {
        return brief ? fmt::format("+{}", n) : fmt::format("… {} more", n);
    };
    bool brief = false;
    if (shown < all) {
        brief = fitting(text_width(sans_, words_for(false, all)) + between) == 0;
        shown = fitting(text_width(sans_, words_for(brief, all)) + between);
    }
    shown = std::min({shown, all, kMostChips - std::min(kMostChips, goals_.size())});
    float x = left;
    for (std::size_t n = 0; n < shown; ++n, x += step)
        goals_.push_back({tasks[n], {x - d_.origin.x, y - d_.origin.y}});
    if (shown == all) return;
    draw_text(sans_, ImVec2(x, text_top(y)), t_.text_dim,
              ellipsized_text(sans_, words_for(brief, all - shown), std::max(right - x, 1.0f)));
}

void ChipRows::draw() {
    const CardMotion& motion = animate_task_cards(d_, goals_, std::uint64_t{tall_ ? 2u : 1u});
    for (const CardMotion::Card& card : motion.cards())
        if (!card.leaving) draw_chip(card);
}

void ChipRows::draw_chip(const CardMotion::Card& card) {
    const TaskId p = card.task;
    const ImVec2 min(d_.origin.x + std::round(card.at.x), d_.origin.y + std::round(card.at.y)),
        max(min.x + chip_width_, min.y + chip_height_);
    const bool running = d_.queue.cpu_of(p).has_value(), looked_at = d_.queue.current == p,
               best = d_.queue.best == p, selected = f_.view.task == p;
    const QueueTask task = queue_task(d_.run, f_.view, d_.queue, p);
    const ImU32 tint = looked_at ? with_alpha(t_.accent, 0.28f)
                       : best    ? with_alpha(t_.ok, 0.2f)
                                 : with_alpha(t_.text, running ? 0.16f : 0.07f);
    fill_rect(list_, min, max, blend(tint, t_.panel));
    fill_rect(list_, min, ImVec2(min.x + std::round(f_.px(6)), max.y), colour_of(f_, p));
    draw_frame(list_, min, max,
               selected    ? t_.cursor
               : looked_at ? t_.accent
               : best      ? t_.ok
               : running   ? t_.text
                           : t_.panel_border,
               selected || looked_at || best || running ? 2 * border_ : border_);
    const float left = min.x + std::round(f_.px(12)), right = max.x - std::round(f_.px(6));
    const float top = min.y + std::round((std::min(chip_height_, line_) - pixel_size(*sans_)) / 2 +
                                         (tall_ ? f_.px(1) : f_.px(0)));
    std::string name = looked_at ? "▶ " + task.name : best ? "◆ " + task.name : task.name;
    if (running) name += fmt::format("  cpu{}", *d_.queue.cpu_of(p));
    if (text_width(sans_, name) > right - left) name = task.name;
    draw_text(sans_, ImVec2(left, top), t_.text, short_name(sans_, name, right - left));
    if (tall_)
        draw_text(sans_, ImVec2(left, top + std::round(line_ * 0.95f)), t_.text_dim,
                  ellipsized_text(sans_, contents_.second_line(p), right - left));
    if (contents_.bar) {
        const float height = std::max(2.0f, std::round(f_.px(2))), y = max.y - height - border_ * 2;
        const float share = std::clamp(contents_.bar(p), 0.0f, 1.0f) * (right - left);
        if (share >= 1)
            fill_rect(list_, ImVec2(left, y), ImVec2(left + std::round(share), y + height), t_.text_dim);
    }
    handle_task_mouse(d_, p, min, ImVec2(chip_width_, chip_height_), [&] { return contents_.details(p); });
}

}  // namespace ui
