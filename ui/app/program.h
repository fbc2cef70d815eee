// The program `switchyard-ui`: shows the window, or runs without a display for pictures and input scripts.
#pragma once

namespace ui {

// Runs the program with its command line. Returns the exit status.
int switchyard_ui(int argc, char** argv);

}  // namespace ui
