// Lessons as self-contained printable pages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sim::cli {

struct Lesson {
    std::string number;               // "1"
    std::string title;                // "What a context switch is"
    std::string_view text, teachers;  // Markdown
};
const std::vector<Lesson>& lessons();  // ordered by number

// The Markdown of a handout: answers at the end, figures embedded, no comments, no links into the
// documentation.
std::string handout_markdown(std::string_view lesson);

// Needs pandoc. Throws UsageError if it is missing or fails.
std::string handout_html(std::string_view lesson);

// Converts with pandoc and weasyprint. Throws UsageError if one of them is missing or fails.
std::string handout_pdf(std::string_view lesson);

}  // namespace sim::cli
