// A lesson as a page to print: one HTML file that needs no other.
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
const std::vector<Lesson>& lessons();  // in order

// The Markdown of a lesson as that of a handout: the answers stand behind everything else, figures are in the
// text itself, links into the documentation and comments are gone.
std::string handout_markdown(std::string_view lesson);

// The handout as a page, which pandoc makes. Throws UsageError when it is not there or fails.
std::string handout_html(std::string_view lesson);

// The same as PDF, which weasyprint makes of it. Throws UsageError.
std::string handout_pdf(std::string_view lesson);

}  // namespace sim::cli
