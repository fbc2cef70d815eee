// Files that are built into the window: its themes and one font. The other fonts are those of the figures
// (sim/plot/fonts.h).
#pragma once

#include <string_view>

namespace ui {

std::string_view builtin_mono_font();
std::string_view builtin_themes();

}  // namespace ui
