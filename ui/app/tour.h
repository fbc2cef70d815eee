// The band above the footer for the scenario's guided tour: the current stop, its caption, and buttons to
// move on.
#pragma once

#include <string>

namespace ui {

class App;
struct Frame;

// The height of the band; 0 if there is no tour or it is hidden. The same at all stops, so that the panes do
// not move.
float tour_height(const App& app, const Frame& frame);
void draw_tour(App& app, Frame& frame);
std::string tour_text(const App& app);

// "2/5  The two-line patch"; empty if there is no tour or it is hidden.
std::string tour_heading(const App& app);
// The caption of the stop; empty before the first.
std::string tour_caption(const App& app);

}  // namespace ui
