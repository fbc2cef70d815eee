#include "ui/platform/builtin.h"

#include "sim/os/embed.h"

SWITCHYARD_EMBED(mono_font, SWITCHYARD_MONO_FONT)
SWITCHYARD_EMBED(themes, SWITCHYARD_THEMES)

namespace ui {

std::string_view builtin_mono_font() { return SWITCHYARD_EMBEDDED(mono_font); }
std::string_view builtin_themes() { return SWITCHYARD_EMBEDDED(themes); }

}  // namespace ui
