// The answer to "why not this task?" (F2) in a box next to the mouse.
#pragma once

namespace ui {

class App;
struct Frame;

// Computes the answer for the task under the mouse, or else for the selected task. If there is neither, shows
// a message that states how to ask.
void compute_answer_to_why_not(App& app);

// Draws the answer until the position changes, a mouse button is pressed or Esc is pressed.
void draw_answer_to_why_not(Frame& frame);

}  // namespace ui
