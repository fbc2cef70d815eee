// Files that are built into switchyard-ui: its themes and one font. The other fonts of switchyard-ui are
// shared with the figures (sim/plot/fonts.h).
#pragma once

#include <string_view>

namespace ui {

std::string_view builtin_mono_font();
std::string_view builtin_themes();

}  // namespace ui
