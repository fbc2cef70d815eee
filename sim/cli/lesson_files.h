// The lessons and their figures, built into the program.
#pragma once

#include <span>
#include <string_view>

namespace sim::cli {

struct LessonFile {
    std::string_view name;  // path below docs/: "tutorials/1-context-switch.md", "figures/lesson-1-hz.svg"
    std::string_view text;
};
std::span<const LessonFile> lesson_files();  // ordered by name

}  // namespace sim::cli
