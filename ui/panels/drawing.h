// Drawing helpers of the panes: they cut texts, draw swatches, and distribute texts and swatches over
// lines.
#pragma once

#include <string>

#include "ui/panels/activity_fill.h"
#include "ui/panels/panel.h"
#include "ui/view/decision_cursor.h"

namespace ui {

float text_width(ImFont* font, const std::string& text);
// The text, cut to `width` with an ellipsis.
std::string ellipsized_text(ImFont* font, const std::string& text, float width);
// Breaks the text into lines of at most `width`, only at spaces. ImGui's own line breaking would also break
// "2.4" after the point.
std::string wrapped_text(ImFont* font, const std::string& text, float width);
// Draws the text at ImGui's cursor, in the free width, with line breaks only at spaces.
void draw_paragraph(const std::string& text);
// The name of a task, cut to `width`. The number at its end is kept, because it distinguishes the tasks of a
// group: "spin…12".
std::string short_name(ImFont* font, const std::string& name, float width);
void draw_text(ImFont* font, ImVec2 at, ImU32 colour, const std::string& text, float wrap = 0);
// Draws the text right-aligned in the rest of the line or of the table cell.
void draw_right_aligned_text(const std::string& text);
// Draws a square in the task's colour, and leaves space after it.
void draw_task_swatch(Frame& frame, sim::TaskId p);
// Draws the outline of a rectangle, in whole pixels.
void draw_frame(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour, float width);
// Draws a rectangle with the colour and pattern of this kind of cost.
void fill_cost_rectangle(Frame& frame, const CostKind& kind, ImVec2 min, ImVec2 max);

// Lays out texts and swatches in as many lines as needed.
class TextFlow {
  public:
    // `dry`: only measures, without drawing.
    TextFlow(Frame& frame, float width, float line_height, bool dry = false);

    void text(ImFont* font, ImU32 colour, const std::string& text);
    // Draws this text before the next item, on the line of that item.
    void separator(ImFont* font, ImU32 colour, const std::string& text);
    // Draws a square and its text, both on the same line.
    void chip(ImFont* font, ImU32 colour, ImU32 square_colour, const std::string& text);
    void cost(ImFont* font, ImU32 colour, const CostKind& kind, const std::string& text);
    // Reserves the space of all lines in the ImGui window, and returns their height.
    float finish();

  private:
    ImVec2 next_position(float width);
    float square_side(ImFont* font) const;
    void draw_cut_text(ImFont* font, ImVec2 at, ImU32 colour, const std::string& text, float width);

    Frame& frame_;
    ImVec2 origin_;
    struct Separator {
        ImFont* font = nullptr;  // null: no separator
        ImU32 colour = 0;
        std::string text;
    };
    float width_, line_, gap_, x_ = 0, y_ = 0;
    bool dry_;
    Separator separator_;
};

}  // namespace ui
