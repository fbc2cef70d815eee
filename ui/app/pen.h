// The lecturer's pen and marker: lines that are drawn by mouse over all panes.
#pragma once

#include <cstddef>
#include <vector>

namespace ui {

class App;
struct Frame;

struct PenPoint {
    float x = 0, y = 0;
};

// A line from the press of the mouse button to its release. Points are in pixels at scale 1.
struct PenStroke {
    bool is_marker = false;  // wide and transparent
    std::vector<PenPoint> points;
};

// The drawing. It stays when the pen is put away, until it is erased.
struct Drawing {
    enum class Tool : unsigned char { none, pen, marker };
    Tool tool = Tool::none;
    bool is_down = false;  // the last stroke grows
    std::vector<PenStroke> strokes;
};

inline constexpr std::size_t kMostStrokes = 1000, kMostPenPoints = 20'000;  // per stroke

// Takes the pen, then the marker, then puts it away.
void change_pen(App& app);
void erase_drawing(App& app);
// Follows the mouse if a tool is taken and `is_usable`, and draws the strokes over everything.
void draw_pen(Frame& frame, Drawing& drawing, bool is_usable);

}  // namespace ui
