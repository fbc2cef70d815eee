#include "sim/script/source.h"

#include <algorithm>

namespace sim::script {
namespace {

// How many characters a long bracket, [[ or [==[, has here; 0: there is none.
std::size_t long_bracket(std::string_view text, std::size_t at) {
    if (at >= text.size() || text[at] != '[') return 0;
    std::size_t end = at + 1;
    while (end < text.size() && text[end] == '=') ++end;
    return end < text.size() && text[end] == '[' ? end + 1 - at : 0;
}

// Behind the long bracket that ends the one here.
std::size_t end_of_long(std::string_view text, std::size_t at, std::size_t bracket) {
    const std::string closing = "]" + std::string(bracket - 2, '=') + "]";
    const std::size_t end = text.find(closing, at + bracket);
    return end == std::string_view::npos ? text.size() : end + closing.size();
}

// Behind the quoted text that begins here; it ends with the line if it is never closed.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
    const char quote = text[at];
    for (++at; at < text.size() && text[at] != quote && text[at] != '\n'; ++at)
        if (text[at] == '\\') ++at;
    return std::min(at + 1, text.size());
}

// Behind what is a comment or a text here; `at` if neither begins.
std::size_t end_of_words(std::string_view text, std::size_t at) {
    if (text.substr(at, 2) == "--") {
        const std::size_t bracket = long_bracket(text, at + 2);
        if (bracket > 0) return end_of_long(text, at + 2, bracket);
        return std::min(text.find('\n', at), text.size());
    }
    if (const std::size_t bracket = long_bracket(text, at); bracket > 0)
        return end_of_long(text, at, bracket);
    return text[at] == '\'' || text[at] == '"' ? end_of_quoted(text, at) : at;
}

}  // namespace

std::optional<Problem> prepare(std::string_view text, std::string& prepared) {
    prepared.clear();
    for (std::size_t at = 0; at < text.size();) {
        if (const std::size_t end = end_of_words(text, at); end > at) {
            prepared += text.substr(at, end - at);
            at = end;
            continue;
        }
        if (text[at] == '^') {
            const auto line =
                1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
            return Problem{
                static_cast<int>(line),
                "there is no '^' here, whose result is not the same on every machine: x * x, or 1 << n for "
                "a power of 2",
                {}};
        }
        if (text[at] == '#')
            prepared += "'#'^";
        else
            prepared += text[at];
        ++at;
    }
    return std::nullopt;
}

}  // namespace sim::script
