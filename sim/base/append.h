// Formatted text at the end of a string, for what writes millions of lines.
#pragma once

#include <fmt/format.h>

#include <string>

namespace sim {

// {fmt}'s code for it is compiled once, with all optimisation, and not in each file that calls append().
void append_formatted(std::string& text, fmt::string_view format, fmt::format_args values);

// Appends what fmt::format() would return. The format is checked when it is compiled.
template <class... Values>
void append(std::string& text, fmt::format_string<const Values&...> format, const Values&... values) {
    append_formatted(text, format, fmt::make_format_args(values...));
}

}  // namespace sim
