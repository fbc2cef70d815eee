# Writes the lessons below ROOT and their figures as C++ raw strings: cmake -DROOT=... -DOUTPUT=... -P lessons.cmake
file(GLOB files RELATIVE ${ROOT} ${ROOT}/tutorials/[0-9]*.md ${ROOT}/figures/lesson-*.svg)
list(SORT files)
set(text "// Made from docs/ by lessons.cmake.\n#include \"sim/cli/lesson_files.h\"\n\nnamespace sim::cli {\n\n")
string(APPEND text "std::span<const LessonFile> lesson_files() {\n    static const LessonFile kFiles[] = {\n")
foreach(file IN LISTS files)
    file(READ ${ROOT}/${file} content)
    # The content is never stored as a CMake list, because it may contain semicolons.
    string(APPEND text "        {\"${file}\", R\"--lesson--(" "${content}" ")--lesson--\"},\n")
endforeach()
string(APPEND text "    };\n    return kFiles;\n}\n\n}  // namespace sim::cli\n")
file(WRITE ${OUTPUT} "${text}")
