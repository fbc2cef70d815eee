// The presenter's view: the caption of the tour as a headline, and one pane. An outline surrounds the part
// of the pane that the caption is about, and the rest is dimmed. A ring shows where the mouse is pressed.
#pragma once

#include <imgui.h>

#include <optional>

#include "ui/panels/caption_target.h"
#include "ui/panels/panel.h"

namespace ui {

class App;

// The ring at the mouse pointer, shown while the left button is pressed and for a short time afterwards.
struct PointingRing {
    ImVec2 at;
    float left = 0;  // seconds until the ring disappears; 0: not visible
};

// Draws the headline at y = `top`. Returns its height.
float draw_headline(App& app, Frame& frame, float top);
// Draws the message at the bottom, in one line. Returns its height; 0 if there is no message.
float draw_message(App& app, Frame& frame);
// Draws over the pane in the box min..max: an outline around the caption's subject, and a shade over the rest
// of the pane. Returns the outline; std::nullopt if the subject is not drawn.
std::optional<CaptionTarget::Box> draw_caption_outline(App& app, Frame& frame, ImVec2 min, ImVec2 max);
// A right click, without dragging and while no popup is open, shows or hides the toolbar. Thus all commands
// are available by mouse alone.
void toggle_toolbar_on_right_click(ViewState& view);
// Draws the ring over all other parts of the window, if it is visible.
void draw_pointing_ring(Frame& frame, PointingRing& ring);
// Covers the whole window with black, if the user has turned on the black screen.
void draw_black_screen(Frame& frame);

}  // namespace ui
