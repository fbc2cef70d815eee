// Files that are built into switchyard-ui: its themes and one font. It shares the other fonts with the
// figures (sim/plot/fonts.h).
#pragma once

#include <string_view>

namespace ui {

std::string_view builtin_mono_font();
std::string_view builtin_themes();

}  // namespace ui
