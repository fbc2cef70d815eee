#include "ui/panels/drawing.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {

float text_width(ImFont* font, const std::string& text) {
    return std::ceil(
        font->CalcTextSizeA(pixel_size(*font), 1e9f, 0, text.data(), text.data() + text.size()).x);
}

std::string ellipsized_text(ImFont* font, const std::string& text, float width) {
    if (text_width(font, text) <= width) return text;
    std::size_t keep = text.size();
    std::string cut;
    do {
        --keep;
        while (keep > 0 && (static_cast<unsigned char>(text[keep]) & 0xc0) == 0x80) --keep;
        cut = text.substr(0, keep) + "…";
    } while (keep > 0 && text_width(font, cut) > width);
    return cut;
}

std::string wrapped_text(ImFont* font, const std::string& text, float width) {
    std::string lines = text;
    // `begin`: start of the line; `blank`: the last space before `at`, where the line can break.
    std::size_t begin = 0, blank = std::string::npos;
    for (std::size_t at = 0; at <= lines.size(); ++at) {
        const bool ends = at == lines.size() || lines[at] == '\n';
        if (!ends && lines[at] != ' ') continue;
        if (blank != std::string::npos && text_width(font, lines.substr(begin, at - begin)) > width) {
            lines[blank] = '\n';
            begin = blank + 1;
        }
        blank = ends ? std::string::npos : at;
        if (ends) begin = at + 1;
    }
    return lines;
}

void draw_paragraph(const std::string& text) {
    ImGui::TextUnformatted(wrapped_text(ImGui::GetFont(), text, ImGui::GetContentRegionAvail().x).c_str());
}

std::string short_name(ImFont* font, const std::string& name, float width) {
    if (text_width(font, name) <= width) return name;
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos) return ellipsized_text(font, name, width);
    const std::string tail = "…" + name.substr(dot + 1);
    for (std::size_t keep = dot; keep > 0; --keep) {
        if ((static_cast<unsigned char>(name[keep]) & 0xc0) == 0x80) continue;
        if (text_width(font, name.substr(0, keep) + tail) <= width) return name.substr(0, keep) + tail;
    }
    return ellipsized_text(font, tail, width);
}

void draw_text(ImFont* font, ImVec2 at, ImU32 colour, const std::string& text, float wrap) {
    ImGui::GetWindowDrawList()->AddText(font, pixel_size(*font), ImVec2(std::round(at.x), std::round(at.y)),
                                        colour, text.data(), text.data() + text.size(), wrap);
}

void draw_right_aligned_text(const std::string& text) {
    const float spare = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
    if (spare > 0) set_cursor_pos_x(ImGui::GetCursorPosX() + std::floor(spare));
    ImGui::TextUnformatted(text.c_str());
}

void draw_task_swatch(Frame& frame, sim::TaskId p) {
    const float side = std::round(ImGui::GetTextLineHeight() * 0.7f);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float top = at.y + std::round((ImGui::GetTextLineHeight() - side) / 2);
    fill_rect(*ImGui::GetWindowDrawList(), ImVec2(at.x, top), ImVec2(at.x + side, top + side),
              colour_of(frame, p));
    ImGui::Dummy(ImVec2(side, ImGui::GetTextLineHeight()));
    ImGui::SameLine(0, frame.px(6));
}

void draw_frame(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour, float width) {
    fill_rect(list, min, ImVec2(max.x, min.y + width), colour);
    fill_rect(list, ImVec2(min.x, max.y - width), max, colour);
    fill_rect(list, ImVec2(min.x, min.y + width), ImVec2(min.x + width, max.y - width), colour);
    fill_rect(list, ImVec2(max.x - width, min.y + width), ImVec2(max.x, max.y - width), colour);
}

void fill_cost_rectangle(Frame& frame, const CostKind& kind, ImVec2 min, ImVec2 max) {
    fill(*ImGui::GetWindowDrawList(), frame.fonts, frame.theme, fill_of(frame.theme, kind.activity), min,
         max);
}

TextFlow::TextFlow(Frame& frame, float width, float line_height, bool dry)
    : frame_(frame),
      origin_(ImGui::GetCursorScreenPos()),
      width_(width),
      line_(line_height),
      gap_(frame.px(7)),
      dry_(dry) {}

ImVec2 TextFlow::next_position(float width) {
    const Separator separator = std::exchange(separator_, {});
    const float before = separator.font == nullptr ? 0 : text_width(separator.font, separator.text) + gap_;
    if (x_ > 0 && x_ + before + width > width_) {
        x_ = 0;
        y_ += line_;
    }
    if (before > 0) {
        draw_cut_text(separator.font, ImVec2(origin_.x + x_, origin_.y + y_), separator.colour,
                      separator.text, before);
        x_ += before;
    }
    const ImVec2 at(origin_.x + x_, origin_.y + y_);
    x_ += width + gap_;
    return at;
}

float TextFlow::square_side(ImFont* font) const { return std::round(pixel_size(*font) * 0.7f); }

void TextFlow::draw_cut_text(ImFont* font, ImVec2 at, ImU32 colour, const std::string& text, float width) {
    if (dry_) return;
    const std::string cut = ellipsized_text(font, text, width);
    draw_text(font, ImVec2(at.x, at.y + (line_ - pixel_size(*font)) / 2), colour, cut);
    if (cut.size() != text.size() && ImGui::IsWindowHovered() &&
        ImGui::IsMouseHoveringRect(at, ImVec2(at.x + width, at.y + line_)))
        ImGui::SetTooltip("%s", text.c_str());
}

void TextFlow::text(ImFont* font, ImU32 colour, const std::string& text) {
    const float width = std::min(text_width(font, text), width_);
    draw_cut_text(font, next_position(width), colour, text, width);
}

void TextFlow::separator(ImFont* font, ImU32 colour, const std::string& text) {
    separator_ = {font, colour, text};
}

void TextFlow::chip(ImFont* font, ImU32 colour, ImU32 square_colour, const std::string& text) {
    const float s = square_side(font), space = std::round(s / 2);
    const float width = std::min(text_width(font, text), width_ - s - space);
    const ImVec2 at = next_position(s + space + width);
    if (!dry_) {
        const float top = at.y + std::round((line_ - s) / 2);
        fill_rect(*ImGui::GetWindowDrawList(), ImVec2(at.x, top), ImVec2(at.x + s, top + s), square_colour);
    }
    draw_cut_text(font, ImVec2(at.x + s + space, at.y), colour, text, width);
}

void TextFlow::cost(ImFont* font, ImU32 colour, const CostKind& kind, const std::string& text) {
    const float s = std::round(pixel_size(*font) * 0.8f), space = std::round(s / 2);
    const float width = std::min(text_width(font, text), width_ - s - space);
    const ImVec2 at = next_position(s + space + width);
    if (!dry_) {
        const float top = at.y + std::round((line_ - s) / 2);
        fill_cost_rectangle(frame_, kind, ImVec2(at.x, top), ImVec2(at.x + s, top + s));
    }
    draw_cut_text(font, ImVec2(at.x + s + space, at.y), colour, text, width);
}

float TextFlow::finish() {
    const float height = y_ + line_;
    if (!dry_) ImGui::Dummy(ImVec2(width_, height));
    return height;
}

}  // namespace ui
