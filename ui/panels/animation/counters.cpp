// The recalculation of counters, with one column per task. A vertical line, the read head, moves from left to
// right and shows which task is being recalculated.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "ui/panels/animation/painters.h"
#include "ui/panels/drawing.h"

namespace ui {
namespace {

std::string counter_formula_text(const Cursor& c, const SceneColumn& column) {
    return fmt::format("{}{}: {} / 2 = {}, + {} = {}", c.name(column.task), column.asleep ? " (asleep)" : "",
                       column.before, column.before / 2, column.priority, column.after);
}

void handle_column_hover(Frame& frame, const Cursor& c, const SceneColumn& column, ImVec2 min, ImVec2 max) {
    if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(min, max)) return;
    frame.report_hovered_task(column.task);
    ImGui::SetTooltip("%s", counter_formula_text(c, column).c_str());
}

}  // namespace

// Draws one column per task, in the order of the task table. A vertical line, the read head, moves from left
// to right and shows which task is being recalculated.
void draw_counters(Frame& frame, const Cursor& c, const DecisionScene& scene, const SceneArea& area) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto count = static_cast<float>(scene.columns.size());
    const float text = pixel_size(*frame.fonts.sans);
    const std::string rule = "line: limit of the counter, twice the priority";
    std::string longest;  // the formula of the longest name, which needs the most space
    for (const SceneColumn& column : scene.columns)
        if (std::string formula = counter_formula_text(c, column); formula.size() > longest.size())
            longest = std::move(formula);
    const float label =
        std::max(text_width(frame.fonts.sans, rule), text_width(frame.fonts.sans, longest)) + frame.px(10);
    const bool has_label = area.size.x > 2 * label;
    const float width = std::min((area.size.x - (has_label ? label : 0)) / count, frame.px(72)),
                bottom = area.max().y - text - frame.px(4);
    const float top = area.min.y + text + frame.px(2);
    const float height = bottom - top;
    if (height < frame.px(12)) return;
    const auto y_of = [&](double counter) {
        return bottom - height * static_cast<float>(std::min(1.0, counter / std::max(1, scene.limit)));
    };
    for (std::size_t i = 0; i < scene.columns.size(); ++i) {
        const SceneColumn& column = scene.columns[i];
        const float x = area.min.x + width * static_cast<float>(i), inner = width > 6 ? frame.px(2) : 0;
        const ImU32 colour = column.asleep ? frame.theme.text_dim : colour_of(frame, column.task);
        fill_rect(list, {x + inner, y_of(column.counter)}, {x + width - inner, bottom},
                  with_alpha(colour, column.asleep ? 0.45F : 1));
        const float limit = y_of(2 * column.priority);
        fill_rect(list, {x, limit}, {x + width, limit + std::max(1.0F, frame.px(1))}, frame.theme.warning);
        handle_column_hover(frame, c, column, {x, area.min.y}, {x + width, area.max().y});
        if (width < frame.px(26)) continue;
        const double passed = scene.read_head - static_cast<double>(i);
        const std::string value = column.done    ? fmt::format("{}", column.after)
                                  : passed > 0.5 ? fmt::format("{} + {}", column.before / 2, column.priority)
                                  : passed > 0   ? fmt::format("{} / 2", column.before)
                                                 : fmt::format("{}", column.before);
        draw_text(frame.fonts.sans,
                  {x + inner + frame.px(2), std::max(area.min.y, y_of(column.counter) - text)},
                  frame.theme.text, value);
        draw_text(frame.fonts.sans, {x + inner, bottom + frame.px(2)}, frame.theme.text_dim,
                  ellipsized_text(frame.fonts.sans, c.name(column.task), width - frame.px(4)));
    }
    if (has_label)
        draw_text(frame.fonts.sans, {area.min.x + width * count + frame.px(8), area.min.y},
                  frame.theme.text_dim, rule + "\ngrey: asleep");
    const float head = area.min.x + width * static_cast<float>(scene.read_head);
    fill_rect(list, {head - frame.px(1), area.min.y}, {head + frame.px(1), bottom}, frame.theme.accent);
    // Shows the calculation for the task at the read head.
    const auto current = static_cast<std::size_t>(scene.read_head);
    if (has_label && current < scene.columns.size())
        draw_text(frame.fonts.sans, {area.min.x + width * count + frame.px(8), top + 3 * text},
                  frame.theme.text, counter_formula_text(c, scene.columns[current]));
    if (width < frame.px(26))
        draw_text(
            frame.fonts.sans, {area.min.x, bottom + frame.px(2)}, frame.theme.text_dim,
            fmt::format("{} tasks in the order of the task table; grey: asleep; line: twice the priority",
                        group_digits(scene.columns.size())));
}

}  // namespace ui
