// Short status lines for screen readers, which change after each action.
#pragma once

#include <string>

namespace ui {

class App;

// One line each for the error, message, open scenario, tour stop, shown pane, position and decision.
// Callers read out only the lines that were not in the previous result.
std::string screen_reader_lines(const App& app);

}  // namespace ui
