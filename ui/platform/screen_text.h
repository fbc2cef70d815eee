// What the window says, read back from what is drawn: the text of scripts' `expect` and of `print`.
//
// A frame knows no words, only pieces of the font texture at places. The pieces are unique, so each tells its
// character, and their places tell the words and lines. What is found is what can be seen: text that is cut
// off at the edge of its panel is not there, and neither is anything that only the program knows.
#pragma once

#include <imgui.h>

#include <string>

#include "ui/platform/fonts.h"

namespace ui {

// The texts of the frame by lines from the top, each ended by a newline; two spaces stand between texts of
// one line that are apart. Text under another window is included. REQUIRES: the frame was made with these
// fonts, each in its own size.
std::string screen_text(const ImDrawData& data, const Fonts& fonts);

}  // namespace ui
