// The bar at the top: what runs, how fast time passes, and where we are in the whole.
#pragma once

#include <string>

namespace ui {

class App;
class Run;
struct ViewState;
struct Frame;

void draw_transport(App& app, Frame& frame);
std::string transport_text(const App& app);
// Where in the run one is: "6.46 µs   switch 2 / 11 443".
std::string position_text(const Run& run);

// The lines at the bottom: the scenario's question, what to watch, and the keys that help now.
// How much of the window the footer takes, from the bottom.
float footer_height(const ViewState& view);
void draw_footer(App& app, Frame& frame);
std::string footer_text(const App& app);

}  // namespace ui
