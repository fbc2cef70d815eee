// The band above the footer that walks through the scenario's guided tour: where one is in it, what there is
// to say there, and the way on.
#pragma once

#include <string>

namespace ui {

class App;
struct Frame;

// How much of the window it takes, from the top of the footer upwards: 0 when there is no tour or it is put
// away. The same at all stops of a tour, so that the panes stay where they are.
float tour_height(const App& app, const Frame& frame);
void draw_tour(App& app, Frame& frame);
std::string tour_text(const App& app);

// "2/5  The two-line patch"; empty when there is no tour or it is put away.
std::string tour_heading(const App& app);
// What there is to say at the stop; empty before the first.
std::string tour_caption(const App& app);

}  // namespace ui
