// The band at the bottom of the window: a message or the tour, the scenario's question, and key hints. Its
// height is constant, so that the panes do not move; text that does not fit is on further pages.
#pragma once

#include <string>

namespace ui {

class App;
struct Frame;

float bottom_bar_height(const Frame& frame);
void draw_bottom_bar(App& app, Frame& frame);
// The text of the band: title, question, message and key hints. For the text of the tour, see ui/app/tour.h.
std::string bottom_bar_text(const App& app);

}  // namespace ui
