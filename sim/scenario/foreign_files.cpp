#include "sim/scenario/foreign_files.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sim {

std::string describe_foreign_file(std::string_view name, std::string_view text) {
    using namespace std::string_view_literals;
    // The first bytes of file formats, and the description of each format.
    static constexpr std::array<std::pair<std::string_view, const char*>, 7> kStarts{{
        {"\x89PNG"sv, "this is a picture (PNG), not a scenario"},
        {"\xff\xd8\xff"sv, "this is a picture (JPEG), not a scenario"},
        {"GIF8"sv, "this is a picture (GIF), not a scenario"},
        {"%PDF"sv, "this is a PDF document, not a scenario; copy its table and paste it as text"},
        {"\xd0\xcf\x11\xe0"sv, "this is an office document, not a scenario; save a spreadsheet as CSV"},
        {"\x7f"
         "ELF"sv,
         "this is a program, not a scenario"},
        {"MZ"sv, "this is a program, not a scenario"},
    }};
    for (const auto& [start, what] : kStarts)
        if (text.starts_with(start)) return what;
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const std::string_view content = first == std::string_view::npos ? ""sv : text.substr(first);
    if (content.empty()) return "";  // the parser reports that the file is empty
    for (const std::string_view start : {"<svg"sv, "<?xml"sv, "<!DOCTYPE"sv, "<html"sv})
        if (content.starts_with(start)) return "this is a page or picture (XML or HTML), not a scenario";
    if (name.ends_with(".lua")) return "this is a policy script, not a scenario; select it with --policy";
    if (name.ends_with(".md") && content.front() == '#')
        return "this is a text (Markdown) that does not start with a table of jobs";
    return "";
}

}  // namespace sim
