// Embeds files in the program with the assembler's .incbin, which takes no compile time. If the bytes were
// written as an array of numbers, the compiler would need ten seconds for two million of them.
#pragma once

#include <cstddef>
#include <string_view>

// Defines the symbols switchyard_NAME and switchyard_NAME_end around the bytes of a file. Use at file scope.
#define SWITCHYARD_EMBED(name, path)           \
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

// The bytes of a file embedded by SWITCHYARD_EMBED in the same source file.
#define SWITCHYARD_EMBEDDED(name) \
    std::string_view(switchyard_##name, static_cast<std::size_t>(switchyard_##name##_end - switchyard_##name))
