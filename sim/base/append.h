// Appends formatted text to a string. Used where millions of lines are written.
#pragma once

#include <fmt/format.h>

#include <string>

namespace sim {

// Not a template, so that {fmt}'s code is compiled only once, with full optimization.
void append_formatted(std::string& text, fmt::string_view format, fmt::format_args values);

// Appends the result of fmt::format(). The format string is checked at compile time.
template <class... Values>
void append(std::string& text, fmt::format_string<const Values&...> format, const Values&... values) {
    append_formatted(text, format, fmt::make_format_args(values...));
}

}  // namespace sim
