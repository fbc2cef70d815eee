// The lessons and their figures, which are built into the program, so that it needs none of its
// documentation's files.
#pragma once

#include <span>
#include <string_view>

namespace sim::cli {

struct LessonFile {
    std::string_view name;  // below docs/: "lessons/1-context-switch.md", "figures/lesson-1-hz.svg"
    std::string_view text;
};
std::span<const LessonFile> lesson_files();  // ordered by name

}  // namespace sim::cli
