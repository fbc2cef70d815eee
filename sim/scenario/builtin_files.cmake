# Writes the files below ROOT as C++ raw strings: cmake -DROOT=... -DOUTPUT=... -P builtin_files.cmake
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/*.json ${ROOT}/*.jsonl ${ROOT}/*.lua)
list(SORT files)
set(text "// Made from scenarios/ by builtin_files.cmake.\n#include <array>\n\n#include \"sim/scenario/builtin_files.h\"\n\n")
string(APPEND text "namespace sim {\n\nstd::span<const BuiltinFile> builtin_files() {\n")
list(LENGTH files count)
string(APPEND text "    static constexpr std::array<BuiltinFile, ${count}> kFiles{{\n")
foreach(file IN LISTS files)
    file(READ ${ROOT}/${file} content)
    # Assembled so that no list is ever made of the content, which may hold semicolons.
    string(APPEND text "        {\"${file}\", R\"--json--(" "${content}" ")--json--\"},\n")
endforeach()
string(APPEND text "    }};\n    return kFiles;\n}\n\n}  // namespace sim\n")
file(WRITE ${OUTPUT} "${text}")
