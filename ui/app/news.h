// What a person who does not see the window is told when something was done: a few lines, where text() has
// hundreds.
#pragma once

#include <string>

namespace ui {

class App;

// Lines, each about one thing: what went wrong or was said, what is open, the stop of the tour, where one is,
// what was decided there. Who tells these tells of two of them only the lines that the first one has not.
std::string news(const App& app);

}  // namespace ui
