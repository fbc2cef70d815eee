// The presenter's view: the caption of the tour as a headline, and one pane. The caption's subject is
// outlined and the rest is dimmed; a ring marks mouse clicks.
#pragma once

#include <imgui.h>

#include <optional>

#include "ui/panels/panel.h"
#include "ui/panels/pointed.h"

namespace ui {

class App;

// The ring at the mouse pointer, shown while the button is down and shortly after.
struct PointingRing {
    ImVec2 at;
    float left = 0;  // seconds until it disappears
};

// Draws the headline at y = `top`. Returns its height.
float draw_headline(App& app, Frame& frame, float top);
// Draws the message at the bottom, in one line. Returns its height; 0 without a message.
float draw_news(App& app, Frame& frame);
// Draws over the pane in this box: outlines the caption's subject and dims the rest. Returns the outline,
// if any.
std::optional<CaptionTarget::Box> draw_outline(App& app, Frame& frame, ImVec2 min, ImVec2 max);
// A right click without another meaning shows or hides the toolbar, which gives access to all commands with
// only a mouse.
void toolbar_by_mouse(ViewState& view);
// Drawn over everything.
void draw_ring(Frame& frame, PointingRing& ring);
void draw_blank(Frame& frame);

}  // namespace ui
