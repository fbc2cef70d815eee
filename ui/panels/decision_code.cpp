#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>

#include "ui/panels/decision_pane.h"
#include "ui/panels/drawing.h"
#include "ui/platform/imgui_versions.h"

namespace ui {
namespace {

constexpr float kMarkWidth = 24, kIndent = 15, kLeastTextWidth = 120, kLeastLineWidth = 60;
constexpr float kBeforeCost = 8, kBeforeTimes = 10, kLinePadding = 3, kBehindNumber = 9, kLeastLetters = 48;

std::string execution_count_text(const LineCost& line) {
    return line.times == 0 ? "" : group_digits(line.times) + " ×";
}

float available_text_width(Frame& frame, const CodeLayout& layout, float indent) {
    return std::max(layout.text_right - indent, frame.px(kLeastLineWidth));
}

// The text of a row. The leading spaces of a script line are omitted, because indent_of() replaces them.
const char* code_without_indentation(const CodeLine& line) {
    return line.number > 0 ? line.text + std::strspn(line.text, " ") : line.text;
}

float indent_of(Frame& frame, const CodeLine& line, const CodeLayout& layout, float blank_width) {
    if (line.number == 0) return layout.mark + static_cast<float>(line.indent) * frame.px(kIndent);
    // Limits the indent, so that a deeply indented line has room for its text.
    const float most = std::max(0.0f, (layout.text_right - layout.mark - layout.numbers) * 0.4f);
    const float blanks = static_cast<float>(std::strspn(line.text, " ")) * blank_width;
    return layout.mark + layout.numbers + std::min(blanks, most);
}

void draw_code_line(Frame& frame, const CodeLine& line, const CodeLayout& layout, std::size_t line_index,
                    ImVec2 at, float width) {
    const Theme& theme = frame.theme;
    ImFont* const mono = frame.fonts.mono;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float height = layout.height[line_index], text_y = at.y + layout.padding / 2;
    const ImU32 light = line.failed ? theme.error : theme.accent;
    if (line.lit) {
        fill_rect(list, at, ImVec2(at.x + width, at.y + height), with_alpha(light, 0.22f));
        fill_rect(list, at, ImVec2(at.x + frame.px(4), at.y + height), light);
    }
    if (line.differs && !line.lit)
        fill_rect(list, at, ImVec2(at.x + width, at.y + height), with_alpha(theme.warning, 0.16f));
    if (line.failed)
        draw_text(mono, ImVec2(at.x + frame.px(8), text_y), theme.error, "✗");
    else if (line.current)
        draw_text(mono, ImVec2(at.x + frame.px(8), text_y), theme.accent, "▶");
    else if (line.differs)
        draw_text(mono, ImVec2(at.x + frame.px(8), text_y), theme.warning, "≠");
    if (line.number > 0) {
        const std::string number = std::to_string(line.number);
        const float right = at.x + layout.mark + layout.numbers - frame.px(kBehindNumber);
        draw_text(mono, ImVec2(right - text_width(mono, number), text_y), theme.text_dim, number);
    }
    draw_text(mono, ImVec2(at.x + layout.indent[line_index], text_y),
              line.reached ? theme.text : theme.text_dim, code_without_indentation(line),
              available_text_width(frame, layout, layout.indent[line_index]));
    const std::string cost = cost_text(line.cost), times = execution_count_text(line.cost);
    draw_text(mono, ImVec2(at.x + width - frame.px(2) - text_width(mono, cost), text_y), theme.text, cost);
    if (layout.times > 0)
        draw_text(mono, ImVec2(at.x + width - layout.cost - text_width(mono, times), text_y), theme.text_dim,
                  times);
    if (ImGui::IsWindowHovered() && line.cost.times > 0 &&
        ImGui::IsMouseHoveringRect(at, ImVec2(at.x + width, at.y + height)))
        ImGui::SetTooltip("executed %s times, %s", group_digits(line.cost.times).c_str(),
                          span(line.cost.cost, line.cost.decision_cost).c_str());
}

// Draws the rows in a child window that scrolls.
void draw_rows(Frame& frame, const DecisionPage& page, ImVec2 size) {
    if (!begin_child("code", size)) {
        ImGui::EndChild();
        return;
    }
    const float width = ImGui::GetContentRegionAvail().x;
    const CodeLayout layout = lay_out_code(frame, page, width);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float seen_from = ImGui::GetScrollY(), seen_to = seen_from + ImGui::GetWindowHeight();
    float y = 0, lit_top = 0, lit_bottom = 0;
    std::optional<float> first_difference;
    bool any_failed = false;
    for (std::size_t i = 0; i < page.code.size(); ++i) {
        const CodeLine& line = page.code[i];
        const float height = layout.height[i];
        if (y + height >= seen_from && y <= seen_to)
            draw_code_line(frame, line, layout, i, ImVec2(origin.x, origin.y + y), width);
        if (line.current) lit_top = y;
        if (line.differs && !first_difference) first_difference = y;
        y += height;
        if (line.lit) lit_bottom = y;
        any_failed = any_failed || line.failed;
    }
    ImGui::Dummy(ImVec2(width, y));
    const bool follows_lit = page.cursor.stepping || any_failed;
    if (cursor_moved_since_last_call("scrolled", page.cursor) && (follows_lit || first_difference)) {
        // The scroll position depends only on the step, so that stepping back shows the same picture.
        const float middle = (lit_top + lit_bottom - ImGui::GetWindowHeight()) / 2;
        ImGui::SetScrollY(std::max(0.0f, follows_lit ? middle : *first_difference));
        frame.view.moving = true;
    }
    ImGui::EndChild();
}

}  // namespace

float CodeLayout::min_height() const {
    return std::min(total, (variables > 0 ? 6.0f : 4.0f) * (line + padding) + variables);
}

CodeLayout lay_out_code(Frame& frame, const DecisionPage& page, float width) {
    ImFont* const mono = frame.fonts.mono;
    CodeLayout layout;
    layout.mark = frame.px(kMarkWidth);
    // Uses the widths at the end of the decision, so that columns do not move between steps.
    int last_number = 0;
    for (const CodeLine& line : page.code) {
        last_number = std::max(last_number, line.number);
        if (line.whole.cost != sim::Nanos{})
            layout.cost = std::max(layout.cost, text_width(mono, cost_text(line.whole)));
        if (line.whole.times > 0)
            layout.times = std::max(layout.times, text_width(mono, execution_count_text(line.whole)));
    }
    const float blank = text_width(mono, " ");
    if (last_number > 0)
        layout.numbers = text_width(mono, std::to_string(last_number)) + frame.px(kBehindNumber);
    layout.cost += frame.px(kBeforeCost);
    layout.times += frame.px(kBeforeTimes);
    // If the lines of a script do not fit, the column of execution counts is removed first, because the
    // pane's text and the tooltip also contain these counts.
    const float least = last_number > 0 ? layout.numbers + kLeastLetters * blank : frame.px(kLeastTextWidth);
    if (width - layout.mark - layout.cost - layout.times < least) layout.times = 0;
    layout.text_right = std::max(width - layout.cost - layout.times, layout.mark + frame.px(kLeastTextWidth));
    layout.line = pixel_size(*mono);
    layout.padding = frame.px(kLinePadding);
    for (const CodeLine& line : page.code) {
        const float indent = indent_of(frame, line, layout, blank);
        const ImVec2 size = mono->CalcTextSizeA(
            layout.line, 1e9f, available_text_width(frame, layout, indent), code_without_indentation(line));
        layout.indent.push_back(indent);
        layout.height.push_back(std::round(std::max(size.y, layout.line) + layout.padding));
        layout.total += layout.height.back();
    }
    layout.variables = variables_height(frame, page);
    layout.total += layout.variables;
    return layout;
}

void draw_code(Frame& frame, const DecisionPage& page, ImVec2 size) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    frame.report_part_rectangle("code", corner, ImVec2(corner.x + size.x, corner.y + size.y));
    if (!page.has_variables) return draw_rows(frame, page, size);
    ImGui::BeginGroup();
    const float spacing = ImGui::GetStyle().ItemSpacing.y;
    const float below = variables_height(frame, page);
    draw_rows(frame, page, ImVec2(size.x, std::max(size.y - below, frame.px(20))));
    set_cursor_pos_y(ImGui::GetCursorPosY() - spacing);
    draw_variables(frame, page, size.x);
    ImGui::EndGroup();
}

}  // namespace ui
