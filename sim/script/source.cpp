#include "sim/script/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>

#include "sim/script/tokens.h"

namespace sim::script {
namespace {

// Whether an escape in the quoted text stands for a zero byte.
bool has_zero(std::string_view quoted) {
    for (std::size_t at = quoted.find('\\'); at < quoted.size(); at = quoted.find('\\', at + 2)) {
        std::string_view escape = quoted.substr(at + 1, 3);
        int base = 10;
        if (escape.substr(0, 2) == "u{") {
            escape = quoted.substr(at + 3, quoted.find('}', at) - (at + 3));
            base = 16;
        } else if (escape.substr(0, 1) == "x") {
            escape.remove_prefix(1);
            base = 16;
        }
        std::uint64_t value = 1;
        const auto [end, error] = std::from_chars(escape.data(), escape.data() + escape.size(), value, base);
        if (error == std::errc{} && value == 0) return true;
    }
    return false;
}

constexpr std::size_t kLongestWord = 200;  // a name in a table is a text, too

// Behind the name, or the number, that goes on here.
std::size_t end_of_name(std::string_view text, std::size_t at) {
    while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_'))
        ++at;
    return at;
}

// What is wrong with a text between quotes or brackets. Lua compares texts piece by piece where they have
// zero bytes, and in one instruction.
std::optional<std::string> wrong_with(std::string_view words) {
    if (words.size() > LuaBox::kLongestString + 2)
        return fmt::format("a text of more than {} bytes", LuaBox::kLongestString);
    if (words.find('\0') != std::string_view::npos || (words[0] != '[' && has_zero(words)))
        return "a text with a zero byte";
    return std::nullopt;
}

}  // namespace

std::optional<Problem> prepare(std::string_view text, std::string& prepared) {
    prepared.clear();
    const auto line_at = [&](std::size_t at) {
        return static_cast<int>(
            1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    };
    for (std::size_t at = 0; at < text.size();) {
        if (const std::size_t end = end_of_words(text, at); end > at) {
            const std::string_view words = text.substr(at, end - at);
            if (words.substr(0, 2) != "--")
                if (const auto wrong = wrong_with(words)) return Problem{line_at(at), *wrong, {}};
            prepared += words;
            at = end;
            continue;
        }
        // Each `...` copies all arguments, tens of thousands if a function calls itself with more and more,
        // as one instruction.
        if (text.substr(at, 3) == "...")
            return Problem{line_at(at), "there is no '...' here: what a function takes has names", {}};
        if (const std::size_t end = end_of_name(text, at); end - at > kLongestWord)
            return Problem{line_at(at), fmt::format("a name of more than {} letters", kLongestWord), {}};
        if (text[at] == '^') {
            return Problem{
                line_at(at),
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
