// The band above the footer for the scenario's guided tour: the stop, its caption, and buttons for the next
// and the previous stop.
#pragma once

#include <string>

namespace ui {

class App;
struct Frame;

// The height of the band; 0 without a tour or if the band is hidden. The height is the same at all stops,
// so that the panes do not move.
float tour_height(const App& app, const Frame& frame);
void draw_tour(App& app, Frame& frame);
std::string tour_text(const App& app);

// The heading, such as "2/5 The two-line patch"; empty without a tour or if the tour is hidden.
std::string tour_heading(const App& app);
// The caption of the current stop; empty before the first stop.
std::string tour_caption(const App& app);

}  // namespace ui
