// The presenter's view: its pane, the part that the caption refers to, and its scale.
#pragma once

#include <string_view>

#include "ui/view/view_state.h"

namespace ui {

// The id of the pane that contains a subject of the tour. REQUIRES: `subject` is one of sim::kTourSubjects.
const char* pane_of_subject(std::string_view subject);
// "tasks" of "decision.tasks"; empty for a whole pane.
std::string_view part_of_subject(std::string_view subject);

// The id of the pane that the presenter's view shows.
const char* presented_pane(const ViewState& view);
// The scale at which letters are at least 1/35 of the window's height, from ascender to descender. The last
// row of a lecture hall can read them.
float presenting_scale(int height);

// The enlargement in full screen, so that the contents of the window fill the screen. At least 1. Heights are
// in pixels.
float full_screen_scale(int window_height, int screen_height);
// The enlargement of a pane that fills the window (F11): 1.25, but at least 24 lines must fit into `height`
// pixels; never below 1. `scale`: the scale without this enlargement.
float alone_scale(int height, float scale);

}  // namespace ui
