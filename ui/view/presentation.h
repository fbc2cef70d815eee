// The presenter's view: its pane, the part of the pane that the tour's caption refers to, and its scale.
#pragma once

#include <string_view>

#include "ui/view/view_state.h"

namespace ui {

// The id of the pane that contains a subject of the tour. REQUIRES: `subject` is one of sim::kTourSubjects.
const char* pane_of_tour_subject(std::string_view subject);
// The part of the pane that a subject names, such as "tasks" for "decision.tasks"; empty if the subject is
// a whole pane.
std::string_view part_of_tour_subject(std::string_view subject);

// The id of the pane that the presenter's view shows.
const char* presented_pane(const ViewState& view);
// The scale at which letters, from ascender to descender, are at least 1/35 of the window's height, so that
// the last row of a lecture hall can read them. In windows higher than about 2,400 pixels,
// kLargestFontScale limits the scale.
float presenter_scale(int window_height);

// The factor by which full screen enlarges the contents of the window, so that they fill the screen; at
// least 1. Heights are in pixels.
float full_screen_scale(int window_height, int screen_height);
// The size in pixels, at scale 1, of the smallest window that shows a layout.
inline constexpr float kLeastLayoutWidth = 908, kLeastLayoutHeight = 520;
// The factor by which the lecture layout is enlarged, at least 1: its letters grow with the window. `width`,
// `height`: the window in pixels. `scale`: the scale without this factor. `usual_scale`: `scale` without the
// user's own zoom factor.
float lecture_scale(int width, int height, float usual_scale, float scale);
// The factor by which a pane that fills the window (F11) is enlarged: at most 1.25, less if 24 lines would
// not fit into `height` pixels, and at least 1. `scale`: the scale without this factor.
float single_pane_scale(int height, float scale);

}  // namespace ui
