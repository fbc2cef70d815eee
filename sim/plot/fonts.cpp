// The assembler copies the files in, as ui/platform/builtin.cpp does.
#include "sim/plot/fonts.h"

#include <cstddef>

// Defines the symbols switchyard_plot_NAME and switchyard_plot_NAME_end around the file's bytes.
#define SWITCHYARD_FONT_FILE(name, path)            \
    asm(".pushsection .rodata\n"                    \
        ".balign 16\n"                              \
        ".global switchyard_plot_" #name            \
        "\n"                                        \
        ".hidden switchyard_plot_" #name            \
        "\n"                                        \
        "switchyard_plot_" #name                    \
        ":\n"                                       \
        ".incbin \"" path                           \
        "\"\n"                                      \
        ".global switchyard_plot_" #name            \
        "_end\n"                                    \
        ".hidden switchyard_plot_" #name            \
        "_end\n"                                    \
        "switchyard_plot_" #name                    \
        "_end:\n"                                   \
        ".byte 0\n"                                 \
        ".popsection\n");                           \
    extern "C" const char switchyard_plot_##name[]; \
    extern "C" const char switchyard_plot_##name##_end[];

SWITCHYARD_FONT_FILE(sans, SWITCHYARD_SANS_FONT)
SWITCHYARD_FONT_FILE(bold, SWITCHYARD_BOLD_FONT)

namespace sim::plot {
namespace {

std::string_view between(const char* begin, const char* end) {
    return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::string_view sans_font() { return between(switchyard_plot_sans, switchyard_plot_sans_end); }
std::string_view bold_font() { return between(switchyard_plot_bold, switchyard_plot_bold_end); }

}  // namespace sim::plot
