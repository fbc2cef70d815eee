// `switchyard-ui`: the window, and the same window without a display for pictures and scripts.
#pragma once

namespace ui {

// Runs the program with its command line. Returns the exit status.
int switchyard_ui(int argc, char** argv);

}  // namespace ui
