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

// A line that is drawn while the mouse button is down. Points are in pixels at scale 1.
struct PenStroke {
    bool is_marker = false;  // wide and transparent
    std::vector<PenPoint> points;
};

// The drawing and its tool. The strokes stay visible without a tool, until they are erased.
struct PenDrawing {
    enum class Tool : unsigned char { none, pen, marker };
    Tool tool = Tool::none;
    bool is_down = false;  // the mouse is drawing the last stroke
    std::vector<PenStroke> strokes;
};

// Maximum number of strokes, and of points per stroke.
inline constexpr std::size_t kMostStrokes = 1000, kMostPenPoints = 20'000;

// Selects the next tool: pen, marker, none.
void select_next_pen(App& app);
void erase_drawing(App& app);
// Draws the strokes over the whole window. If a tool is selected and `is_usable`, the mouse extends the
// drawing. `is_usable`: no box or error covers the window.
void update_and_draw_strokes(Frame& frame, PenDrawing& drawing, bool is_usable);

}  // namespace ui
