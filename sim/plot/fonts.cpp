#include "sim/plot/fonts.h"

#include "sim/os/embed.h"

SWITCHYARD_EMBED(sans_font_bytes, SWITCHYARD_SANS_FONT)
SWITCHYARD_EMBED(bold_font_bytes, SWITCHYARD_BOLD_FONT)

namespace sim::plot {

std::string_view sans_font_bytes() { return SWITCHYARD_EMBEDDED(sans_font_bytes); }
std::string_view bold_font_bytes() { return SWITCHYARD_EMBEDDED(bold_font_bytes); }

}  // namespace sim::plot
