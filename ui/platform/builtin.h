// The files that are part of the program, as their bytes.
#pragma once

#include <string_view>

namespace ui {

std::string_view builtin_sans_font();
std::string_view builtin_mono_font();
std::string_view builtin_bold_font();
std::string_view builtin_themes();

}  // namespace ui
