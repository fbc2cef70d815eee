// What the line of a script that is next sees: a strip below the code, each variable with its value, and
// those that are not what they were underlined.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "ui/panels/decision_pane.h"
#include "ui/panels/drawing.h"

namespace ui {
namespace {

constexpr float kBesideVariable = 16, kAboveVariables = 4, kUnderline = 2;

float variable_line(Frame& frame) { return std::round(pixel_size(*frame.fonts.mono) * 1.35f); }

// Where it is narrow there are more lines.
int lines_of_variables(Frame& frame, float width) { return width < frame.px(620) ? 3 : 2; }

struct Item {
    const sim::ScriptLine::Variable* variable;
    std::string name, value;
    float width;
};

Item item_of(Frame& frame, const DecisionPage& page, const sim::ScriptLine::Variable& variable, float most) {
    ImFont* const mono = frame.fonts.mono;
    Item item{.variable = &variable,
              .name = variable.name + " = ",
              .value = value_text(page.cursor, variable),
              .width = 0};
    const float square = variable.task != sim::kNoTask ? std::round(pixel_size(*mono)) : 0;
    const float name = text_width(mono, item.name);
    if (name + square + text_width(mono, item.value) > most)
        item.value = variable.task != sim::kNoTask
                         ? short_name(mono, item.value, std::max(most - name - square, frame.px(30)))
                         : cut_to(mono, item.value, std::max(most - name - square, frame.px(30)));
    item.width = name + square + text_width(mono, item.value);
    return item;
}

void draw_item(Frame& frame, const Item& item, ImVec2 at) {
    const Theme& theme = frame.theme;
    ImFont* const mono = frame.fonts.mono;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float size = pixel_size(*mono);
    const ImVec2 begin = at;
    draw_text(mono, at, theme.text_dim, item.name);
    at.x += text_width(mono, item.name);
    if (item.variable->task != sim::kNoTask) {
        const float side = std::round(size * 0.7f), top = at.y + std::round((size - side) / 2);
        fill_rect(list, ImVec2(at.x, top), ImVec2(at.x + side, top + side),
                  colour_of(frame, item.variable->task));
        at.x += std::round(size);
    }
    draw_text(mono, at, theme.text, item.value);
    if (!item.variable->is_new) return;
    const float y = at.y + size + frame.px(1);
    fill_rect(list, ImVec2(begin.x, y), ImVec2(begin.x + item.width, y + frame.px(kUnderline)), theme.accent);
}

}  // namespace

float variables_height(Frame& frame, const DecisionPage& page, float width) {
    if (!page.has_variables) return 0;
    return frame.px(2 * kAboveVariables) + ImGui::GetTextLineHeight() + frame.px(2) +
           static_cast<float>(lines_of_variables(frame, width)) * variable_line(frame);
}

void draw_variables(Frame& frame, const DecisionPage& page, float width) {
    const Theme& theme = frame.theme;
    const float height = variables_height(frame, page, width), line = variable_line(frame);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImGui::Dummy(ImVec2(width, height));
    const bool hovered = ImGui::IsItemHovered();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    fill_rect(list, corner, ImVec2(corner.x + width, corner.y + height - frame.px(kAboveVariables)),
              with_alpha(theme.text, 0.05f));
    const float left = corner.x + frame.px(8), room = width - frame.px(16);
    float y = corner.y + frame.px(kAboveVariables);
    const Variables& variables = page.variables;
    if (variables.where.empty()) {
        draw_text(
            frame.fonts.sans, ImVec2(left, y), theme.text_dim,
            cut_to(frame.fonts.sans,
                   page.cursor.stepping ? "outside the script" : "I looks inside: its lines, one by one",
                   room));
        return;
    }
    draw_text(frame.fonts.sans, ImVec2(left, y), theme.text_dim,
              cut_to(frame.fonts.sans, variables.where, room));
    y += ImGui::GetTextLineHeight() + frame.px(2);

    // In the order in which they are declared while there is room for all; otherwise the new ones first.
    std::vector<Item> items;
    for (const sim::ScriptLine::Variable& variable : variables.rows)
        items.push_back(item_of(frame, page, variable, room));
    const auto fit = [&] {  // how many there is room for
        const float gap = frame.px(kBesideVariable);
        float x = 0;
        int lines = 1;
        std::size_t n = 0;
        for (; n < items.size(); ++n) {
            if (x > 0 && x + items[n].width > room) {
                if (++lines > lines_of_variables(frame, width)) break;
                x = 0;
            }
            x += items[n].width + gap;
        }
        return n;
    };
    std::size_t shown = fit();
    if (shown < items.size()) {
        std::stable_partition(items.begin(), items.end(), [](const Item& i) { return i.variable->is_new; });
        shown = fit();
    }
    float x = 0;
    for (std::size_t i = 0; i < shown; ++i) {
        if (x > 0 && x + items[i].width > room) {
            x = 0;
            y += line;
        }
        draw_item(frame, items[i], ImVec2(left + x, y));
        x += items[i].width + frame.px(kBesideVariable);
    }
    const std::size_t more = items.size() - shown + variables.more;
    if (more > 0) {
        const std::string text = fmt::format("+{} more", more);
        draw_text(frame.fonts.sans,
                  ImVec2(corner.x + width - frame.px(8) - text_width(frame.fonts.sans, text),
                         corner.y + frame.px(kAboveVariables)),
                  theme.text_dim, text);
    }
    if (!hovered || items.empty()) return;
    std::string all;
    for (const sim::ScriptLine::Variable& variable : variables.rows)
        all += fmt::format("{}{} = {}", all.empty() ? "" : "\n", variable.name,
                           value_text(page.cursor, variable));
    ImGui::SetTooltip("%s", all.c_str());
}

}  // namespace ui
