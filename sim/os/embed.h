// Embeds files in the program with the assembler's .incbin, which takes no compile time. If the bytes were
// written as an array of numbers, the compiler would need ten seconds for two million of them.
#pragma once

#include <cstddef>
#include <string_view>

// The assembler's directives differ between the formats of object files.
#if defined(__APPLE__)
#define SWITCHYARD_EMBED_SECTION(name) ".section __TEXT,__const\n"
#define SWITCHYARD_EMBED_SYMBOL(symbol) ".globl _" symbol "\n.private_extern _" symbol "\n_" symbol ":\n"
#define SWITCHYARD_EMBED_SIZE(symbol, size)
#define SWITCHYARD_EMBED_END ".text\n"
#elif defined(_WIN32)
#define SWITCHYARD_EMBED_SECTION(name) ".section .rdata,\"dr\"\n"
#define SWITCHYARD_EMBED_SYMBOL(symbol) ".globl " symbol "\n" symbol ":\n"
#define SWITCHYARD_EMBED_SIZE(symbol, size)
#define SWITCHYARD_EMBED_END ".text\n"
#elif defined(__EMSCRIPTEN__)
#define SWITCHYARD_EMBED_SECTION(name) ".section .rodata.switchyard_" name ",\"\",@\n"
#define SWITCHYARD_EMBED_SYMBOL(symbol) \
    ".globl " symbol "\n.hidden " symbol "\n.type " symbol ",@object\n" symbol ":\n"
#define SWITCHYARD_EMBED_SIZE(symbol, size) ".size " symbol ", " size "\n"
#define SWITCHYARD_EMBED_END
#else
#define SWITCHYARD_EMBED_SECTION(name) ".pushsection .rodata\n"
#define SWITCHYARD_EMBED_SYMBOL(symbol) ".globl " symbol "\n.hidden " symbol "\n" symbol ":\n"
#define SWITCHYARD_EMBED_SIZE(symbol, size)
#define SWITCHYARD_EMBED_END ".popsection\n"
#endif

// Defines the symbols switchyard_NAME and switchyard_NAME_end around the bytes of a file. Use at file scope.
#define SWITCHYARD_EMBED(name, path)                                                               \
    asm(SWITCHYARD_EMBED_SECTION(#name) ".balign 16\n" SWITCHYARD_EMBED_SYMBOL(                    \
        "switchyard_" #name) ".incbin \"" path "\"\n" SWITCHYARD_EMBED_SIZE("switchyard_" #name,   \
                                                                            ".-switchyard_" #name) \
            SWITCHYARD_EMBED_SYMBOL("switchyard_" #name "_end") ".byte 0\n" SWITCHYARD_EMBED_SIZE( \
                "switchyard_" #name "_end", "1") SWITCHYARD_EMBED_END);                            \
    extern "C" const char switchyard_##name[];                                                     \
    extern "C" const char switchyard_##name##_end[];

// The bytes of a file embedded by SWITCHYARD_EMBED in the same source file.
#define SWITCHYARD_EMBEDDED(name) \
    std::string_view(switchyard_##name, static_cast<std::size_t>(switchyard_##name##_end - switchyard_##name))
