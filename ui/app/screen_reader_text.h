// Short status lines for screen readers, updated after each action.
#pragma once

#include <string>

namespace ui {

class App;

// Lines on: error and message, open scenario, stop of the tour, shown pane, position, decision. Callers read
// out only lines that the previous result did not have.
std::string news(const App& app);

}  // namespace ui
