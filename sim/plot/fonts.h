// The fonts of pictures and of the window, which are part of the programs, as their bytes.
#pragma once

#include <string_view>

namespace sim::plot {

std::string_view sans_font();
std::string_view bold_font();

}  // namespace sim::plot
