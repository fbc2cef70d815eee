// What lies over the panes for a while: the keys, all commands, the choice of a scenario, an error.
#pragma once

#include <string>

namespace ui {

class App;
struct Frame;

// Draws the one that is open, if any, and the error of a bad file.
void draw_overlays(App& app, Frame& frame);
std::string overlay_text(const App& app);

}  // namespace ui
