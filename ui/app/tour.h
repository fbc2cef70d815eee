// The texts of the scenario's guided tour. The band at the bottom of the window draws them.
#pragma once

#include <string>

namespace ui {

class App;

// The heading and the caption, with a title for the text of the window.
std::string tour_text(const App& app);

// The heading, such as "2/5 The two-line patch"; empty without a tour or if the tour is hidden.
std::string tour_heading(const App& app);
// The caption of the current stop; empty before the first stop.
std::string tour_caption(const App& app);

}  // namespace ui
