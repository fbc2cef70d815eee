// The answer to "why not this task?" (F2) in a box next to the mouse.
#pragma once

namespace ui {

class App;
struct Frame;

// Computes the answer for the task under the mouse, or else for the selected task. If there is neither, shows
// a message that states how to ask.
void compute_why_not_answer(App& app);

// Draws the answer until the position changes, a mouse button is pressed or Esc is pressed.
void draw_why_not_answer(Frame& frame);

}  // namespace ui
