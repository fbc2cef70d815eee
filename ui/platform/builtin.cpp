// The assembler copies the files in: that takes no time, while an array of two million numbers takes the
// compiler ten seconds.
#include "ui/platform/builtin.h"

#include <cstddef>

// Defines the symbols switchyard_NAME and switchyard_NAME_end around the file's bytes.
#define SWITCHYARD_BUILTIN(name, path)         \
    asm(".pushsection .rodata\n"               \
        ".balign 16\n"                         \
        ".global switchyard_" #name            \
        "\n"                                   \
        ".hidden switchyard_" #name            \
        "\n"                                   \
        "switchyard_" #name                    \
        ":\n"                                  \
        ".incbin \"" path                      \
        "\"\n"                                 \
        ".global switchyard_" #name            \
        "_end\n"                               \
        ".hidden switchyard_" #name            \
        "_end\n"                               \
        "switchyard_" #name                    \
        "_end:\n"                              \
        ".byte 0\n"                            \
        ".popsection\n");                      \
    extern "C" const char switchyard_##name[]; \
    extern "C" const char switchyard_##name##_end[];

SWITCHYARD_BUILTIN(sans_font, SWITCHYARD_SANS_FONT)
SWITCHYARD_BUILTIN(mono_font, SWITCHYARD_MONO_FONT)
SWITCHYARD_BUILTIN(bold_font, SWITCHYARD_BOLD_FONT)
SWITCHYARD_BUILTIN(themes, SWITCHYARD_THEMES)

namespace ui {
namespace {

std::string_view between(const char* begin, const char* end) {
    return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::string_view builtin_sans_font() { return between(switchyard_sans_font, switchyard_sans_font_end); }
std::string_view builtin_mono_font() { return between(switchyard_mono_font, switchyard_mono_font_end); }
std::string_view builtin_bold_font() { return between(switchyard_bold_font, switchyard_bold_font_end); }
std::string_view builtin_themes() { return between(switchyard_themes, switchyard_themes_end); }

}  // namespace ui
