// What panes draw with, beyond ImGui's own: texts cut to a width, squares in the colours of tasks, bars of
// costs, and a line of such things that goes on in the next one where it is full.
#pragma once

#include <string>

#include "ui/panels/activity_fill.h"
#include "ui/panels/panel.h"
#include "ui/view/decision_cursor.h"

namespace ui {

float text_width(ImFont* font, const std::string& text);
// The text, cut to a width with an ellipsis.
std::string cut_to(ImFont* font, const std::string& text, float width);
// The text, with line breaks in place of blanks where a line would become wider than this. ImGui's own
// wrapping also parts "2.4" after its point.
std::string in_lines(ImFont* font, const std::string& text, float width);
// Text from the cursor on, in so many lines of what is free at its right, parted at blanks only.
void paragraph(const std::string& text);
// A name, cut in front of its ordinal, which is what tells the tasks of a group apart: "spin…12".
std::string short_name(ImFont* font, const std::string& name, float width);
void draw_text(ImFont* font, ImVec2 at, ImU32 colour, const std::string& text, float wrap = 0);
// On the right side of what is left of the line or the table's cell.
void right_text(const std::string& text);
// A square in the colour of a task, and space behind it, on the current line.
void task_chip(Frame& frame, sim::TaskId p);
// A rectangle's outline, in whole pixels.
void draw_frame(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour, float width);
// A bar of a cost: its colour and, over it, its pattern.
void draw_cost(Frame& frame, const CostKind& kind, ImVec2 min, ImVec2 max);

// Texts and swatches one after the other, in as many lines as they need.
class Flow {
  public:
    // `dry`: only measures.
    Flow(Frame& frame, float width, float line_height, bool dry = false);

    void text(ImFont* font, ImU32 colour, const std::string& text);
    // A text behind a square in a colour, which it is not parted from.
    void chip(ImFont* font, ImU32 colour, ImU32 square, const std::string& text);
    void cost(ImFont* font, ImU32 colour, const CostKind& kind, const std::string& text);
    // Takes its place in the window. Returns its height.
    float finish();

  private:
    ImVec2 place(float width);
    float side(ImFont* font) const;
    void put(ImFont* font, ImVec2 at, ImU32 colour, const std::string& text, float width);

    Frame& frame_;
    ImVec2 origin_;
    float width_, line_, gap_, x_ = 0, y_ = 0;
    bool dry_;
};

}  // namespace ui
