// The top bar: the scenario, policies, playback, the layout, and the position.
#pragma once

#include <string>

namespace ui {

class App;
class Run;
struct Frame;
struct ViewState;

void draw_top_bar(App& app, Frame& frame);
// Draws the box to choose the speed of playback, in the current row of buttons.
void draw_speed_combo(Frame& frame);
std::string top_bar_text(const App& app);
// The position in the run: "6.46 µs   switch 2 / 11 443".
std::string position_text(const Run& run, const ViewState& view);
// A text that states how much of the run is simulated; empty if the whole run is simulated.
std::string progress_text(const Run& run);

}  // namespace ui
