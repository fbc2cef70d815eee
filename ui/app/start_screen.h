// The start screen: a table of jobs, its Gantt chart, the CPU and the queue, and the reason for the latest
// decision. The button "More" shows all panes instead.
#pragma once

#include <string>

namespace ui {

class App;
struct Frame;

// Draws the top of the start screen: the buttons and the box for the policy. App draws the panes below it.
void draw_start_screen_top(App& app, Frame& frame);
// Draws the bottom of the start screen: the reason for the latest decision, and the playback buttons.
void draw_start_screen_bottom(App& app, Frame& frame);
// The height of draw_start_screen_bottom().
float start_screen_bottom_height(const Frame& frame);

// The reason why the latest decision before the position chose its task; empty before the first decision.
std::string decision_reason(const App& app);

// The table that the start screen shows at first.
inline constexpr const char* kStartJobs = "A 0 8; B 1 4; C 2 9; D 3 5";
inline constexpr const char* kStartPolicy = "rr:quantum=5";

}  // namespace ui
