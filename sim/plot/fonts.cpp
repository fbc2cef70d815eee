#include "sim/plot/fonts.h"

#include "sim/os/embed.h"

SWITCHYARD_EMBED(sans_font, SWITCHYARD_SANS_FONT)
SWITCHYARD_EMBED(bold_font, SWITCHYARD_BOLD_FONT)

namespace sim::plot {

std::string_view sans_font() { return SWITCHYARD_EMBEDDED(sans_font); }
std::string_view bold_font() { return SWITCHYARD_EMBEDDED(bold_font); }

}  // namespace sim::plot
