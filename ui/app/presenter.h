// The presenter's view: the caption of the tour as a headline, one pane, and nothing else. What the caption
// speaks of is outlined, and the rest is dimmed; where the mouse is pressed there is a ring.
#pragma once

#include <imgui.h>

#include <optional>

#include "ui/panels/panel.h"
#include "ui/panels/pointed.h"

namespace ui {

class App;

// The ring around what somebody points at: there while the button is down, and a moment longer.
struct PointingRing {
    ImVec2 at;
    float left = 0;  // seconds that it stays
};

// Draws the headline at this height. Returns how high it is.
float draw_headline(App& app, Frame& frame, float top);
// One line about what happened last, at the bottom. Returns how high it is; 0 when there is nothing to say.
float draw_news(App& app, Frame& frame);
// Over the pane that was drawn in this box: what is not spoken of goes back, what is has a frame. Returns the
// frame; nothing when there is none.
std::optional<Pointed::Box> draw_outline(App& app, Frame& frame, ImVec2 min, ImVec2 max);
// A click of the right button, where it has no other meaning, shows the toolbar or hides it: the way to all
// commands, and out, for who has only a mouse.
void toolbar_by_mouse(ViewState& view);
// Over everything.
void draw_ring(Frame& frame, PointingRing& ring);
void draw_blank(Frame& frame);

}  // namespace ui
