// Replaces sim/plot/embedded.h for WebAssembly, whose object files have another section name and require
// the kind and size of every symbol.
#pragma once

#include <cstddef>
#include <string_view>

#define SWITCHYARD_EMBED(name, path)                      \
    asm(".section .rodata.switchyard_" #name              \
        ",\"\",@\n"                                       \
        ".balign 16\n"                                    \
        ".global switchyard_" #name                       \
        "\n"                                              \
        ".hidden switchyard_" #name                       \
        "\n"                                              \
        ".type switchyard_" #name                         \
        ",@object\n"                                      \
        "switchyard_" #name                               \
        ":\n"                                             \
        ".incbin \"" path                                 \
        "\"\n"                                            \
        ".size switchyard_" #name ", .-switchyard_" #name \
        "\n"                                              \
        ".global switchyard_" #name                       \
        "_end\n"                                          \
        ".hidden switchyard_" #name                       \
        "_end\n"                                          \
        ".type switchyard_" #name                         \
        "_end,@object\n"                                  \
        "switchyard_" #name                               \
        "_end:\n"                                         \
        ".byte 0\n"                                       \
        ".size switchyard_" #name "_end, 1\n");           \
    extern "C" const char switchyard_##name[];            \
    extern "C" const char switchyard_##name##_end[];

#define SWITCHYARD_EMBEDDED(name) \
    std::string_view(switchyard_##name, static_cast<std::size_t>(switchyard_##name##_end - switchyard_##name))
