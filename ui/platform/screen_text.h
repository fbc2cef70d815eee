// Recovers the window's text from the drawn frame, for `expect` and `print` of input scripts.
//
// A frame has rectangles of the font texture, not words. Each rectangle identifies a character; their
// positions yield words and lines. Clipped text is not found.
#pragma once

#include <imgui.h>

#include <string>

#include "ui/platform/fonts.h"

namespace ui {

// The text of the frame: lines from the top, each with a newline; two spaces separate distant texts on a
// line. Includes text that another window covers. REQUIRES: the frame was drawn with these fonts, and each
// font was drawn in the size for which it was built.
std::string screen_text(const ImDrawData& data, const Fonts& fonts);

}  // namespace ui
