// Draws the variables visible at the next script line, in a strip below the code. Changed variables are
// underlined.
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

float variable_line_height(Frame& frame) { return std::round(pixel_size(*frame.fonts.mono) * 1.35f); }

constexpr int kVariableLines = 2;

struct VariableText {
    const sim::ScriptLine::Variable* variable;
    std::string name, value;
    float width;
};

VariableText variable_text(Frame& frame, const DecisionPage& page, const sim::ScriptLine::Variable& variable,
                           float max_width) {
    ImFont* const mono = frame.fonts.mono;
    VariableText item{.variable = &variable,
                      .name = variable.name + " = ",
                      .value = value_text(page.cursor, variable),
                      .width = 0};
    const float square = variable.task != sim::kNoTask ? std::round(pixel_size(*mono)) : 0;
    const float name = text_width(mono, item.name);
    if (name + square + text_width(mono, item.value) > max_width)
        item.value =
            variable.task != sim::kNoTask
                ? short_name(mono, item.value, std::max(max_width - name - square, frame.px(30)))
                : ellipsized_text(mono, item.value, std::max(max_width - name - square, frame.px(30)));
    item.width = name + square + text_width(mono, item.value);
    return item;
}

void draw_variable(Frame& frame, const VariableText& item, ImVec2 at) {
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

void draw_omitted_count(Frame& frame, std::size_t more, float right, float y) {
    const std::string text = fmt::format("+{} more", more);
    draw_text(frame.fonts.sans, ImVec2(right - text_width(frame.fonts.sans, text), y), frame.theme.text_dim,
              text);
}

// Shows a tooltip with all variables.
void explain_variables(const DecisionPage& page) {
    std::string all;
    for (const sim::ScriptLine::Variable& variable : page.variables.rows)
        all += fmt::format("{}{} = {}", all.empty() ? "" : "\n", variable.name,
                           value_text(page.cursor, variable));
    ImGui::SetTooltip("%s", all.c_str());
}

}  // namespace

float variables_height(Frame& frame, const DecisionPage& page) {
    if (!page.has_variables) return 0;
    return frame.px(3 * kAboveVariables) + kVariableLines * variable_line_height(frame);
}

void draw_variables(Frame& frame, const DecisionPage& page, float width) {
    const Theme& theme = frame.theme;
    const float height = variables_height(frame, page), line = variable_line_height(frame);
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
        draw_text(frame.fonts.sans, ImVec2(left, y), theme.text_dim,
                  ellipsized_text(frame.fonts.sans, "This step is outside the policy script.", room));
        return;
    }
    // The first line starts with variables.where, such as "goodness(), called by pick_next()". The variables
    // follow in the same line.
    const std::string where =
        ellipsized_text(frame.fonts.sans, variables.where, std::max(room * 0.6f, room - frame.px(300)));
    draw_text(frame.fonts.sans, ImVec2(left, y - frame.px(1)), theme.text_dim, where);
    const float first = text_width(frame.fonts.sans, where) + frame.px(kBesideVariable);

    // The variables are in order of declaration if all fit; otherwise changed ones come first.
    std::vector<VariableText> items;
    for (const sim::ScriptLine::Variable& variable : variables.rows)
        items.push_back(variable_text(frame, page, variable, room));
    const float for_more = text_width(frame.fonts.sans, "+88 more") + frame.px(8);
    const auto places = [&](float last_room) {
        std::vector<ImVec2> at;
        float x = first;
        int lines = 1;
        for (const VariableText& item : items) {
            if (x + item.width > (lines == kVariableLines ? last_room : room) && x > 0) {
                if (++lines > kVariableLines) break;
                x = 0;
                if (item.width > last_room) break;
            }
            at.emplace_back(left + x, y + static_cast<float>(lines - 1) * line);
            x += item.width + frame.px(kBesideVariable);
        }
        return at;
    };
    std::vector<ImVec2> at = places(room);
    if (at.size() < items.size() || variables.more > 0) {
        std::stable_partition(items.begin(), items.end(),
                              [](const VariableText& i) { return i.variable->is_new; });
        at = places(room - for_more);
    }
    for (std::size_t i = 0; i < at.size(); ++i) draw_variable(frame, items[i], at[i]);
    if (const std::size_t more = items.size() - at.size() + variables.more; more > 0)
        draw_omitted_count(frame, more, left + room, y + line);
    if (hovered && !items.empty()) explain_variables(page);
}

}  // namespace ui
