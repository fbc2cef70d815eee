// The bytes of the fonts used for pictures and the window, embedded in the programs.
#pragma once

#include <string_view>

namespace sim::plot {

std::string_view sans_font_bytes();
std::string_view bold_font_bytes();

}  // namespace sim::plot
