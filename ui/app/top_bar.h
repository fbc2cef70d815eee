// The top bar (the scenario, policies, playback, position) and the footer.
#pragma once

#include <string>

namespace ui {

class App;
class Run;
struct ViewState;
struct Frame;

void draw_top_bar(App& app, Frame& frame);
std::string top_bar_text(const App& app);
// The position in the run: "6.46 µs   switch 2 / 11 443".
std::string position_text(const Run& run);

// The footer: the scenario's question, its hint, and useful keys. footer_height() is in pixels.
float footer_height(const ViewState& view);
void draw_footer(App& app, Frame& frame);
std::string footer_text(const App& app);

}  // namespace ui
