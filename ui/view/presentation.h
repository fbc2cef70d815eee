// The presenter's view: which pane it shows, which part of it the caption speaks of, and how large.
#pragma once

#include <string_view>

#include "ui/view/view_state.h"

namespace ui {

// The id of the pane that a subject is of, or a part of. REQUIRES: it is one of sim::kTourSubjects.
const char* pane_of_subject(std::string_view subject);
// "tasks" of "decision.tasks"; empty for a whole pane.
std::string_view part_of_subject(std::string_view subject);

// The id of the pane that the presenter's view shows.
const char* presented_pane(const ViewState& view);
// The scale at which no text is lower than 1/35 of a window of this height, from ascender to descender: what
// the last row of a lecture hall can read.
float presenting_scale(int height);

// How many times as large all is in full screen as in the window before, of these heights in pixels: what
// filled the window fills the screen. At least 1.
float full_screen_scale(int window_height, int screen_height);
// How many times as large all is while one pane has the window to itself (F11): a quarter larger, but no more
// than leaves 24 lines of the window, which is so many pixels high and drawn at this scale otherwise. At
// least 1.
float alone_scale(int height, float scale);

}  // namespace ui
