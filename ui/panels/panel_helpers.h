// Widgets and text helpers that several panes use.
#pragma once

#include <algorithm>
#include <string>

#include "ui/panels/panel.h"

namespace ui {

// Shown in prediction mode instead of content that would reveal the answer.
inline constexpr const char* kHiddenUntilChosen = "This pane is hidden until you have chosen an answer.";

// Makes an ImGui label from a user's text. ImGui hides the rest of a label from `##` on, so a space is
// inserted between the two signs.
inline std::string escape_for_imgui_label(std::string text) {
    for (std::size_t at = 0; (at = text.find("##", at)) != std::string::npos; ++at) text.insert(at + 1, " ");
    return text;
}

// Escapes a user's text for a printf format, as sliders require.
inline std::string escape_for_printf(const std::string& text) {
    std::string format;
    for (const char c : text) format.append(c == '%' ? 2 : 1, c);
    return format;
}

inline void coloured_text(ImU32 colour, const std::string& text) {
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopStyleColor();
}

inline void dim_text(const Frame& frame, const std::string& text) {
    coloured_text(frame.theme.text_dim, text);
}

// Draws right-aligned text, as for numbers.
inline void draw_right_aligned_text(const std::string& text, ImU32 colour) {
    const float free = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
    set_cursor_pos_x(ImGui::GetCursorPosX() + std::max(0.0f, free));
    coloured_text(colour, text);
}

// Shows a tooltip with this text while the mouse is over the last ImGui item.
inline void explain_item(const std::string& text) {
    if (text.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ImGui::GetFontSize() * 30);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

// Draws a button of a row of choices; the chosen one is highlighted. Returns true if a button that was not
// chosen is clicked.
inline bool choice_button(const Frame& frame, const char* label, bool chosen) {
    ImGui::PushStyleColor(ImGuiCol_Button, chosen ? with_alpha(frame.theme.accent, 0.35f)
                                                  : with_alpha(frame.theme.text, 0.06f));
    ImGui::PushStyleColor(ImGuiCol_Text, chosen ? frame.theme.text : frame.theme.text_dim);
    const bool clicked = ImGui::Button(label);
    ImGui::PopStyleColor(2);
    return clicked && !chosen;
}

// The width of a button with this label.
inline float button_width(const std::string& label) {
    return ImGui::CalcTextSize(label.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
}

// Places the next item on the current line if an item of this width fits. Returns true if it fits.
inline bool same_line_if_fits(float width) {
    const float end = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    if (ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width > end) return false;
    ImGui::SameLine();
    return true;
}

}  // namespace ui
