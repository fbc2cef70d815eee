#include "sim/script/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>

#include "sim/base/text.h"
#include "sim/script/tokens.h"

namespace sim::script {
namespace {

// Whether an escape in a quoted string produces a zero byte.
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

// Maximum length of a name in a script, in bytes.
constexpr std::size_t kLongestWord = 200;

// The end of the name or number that contains offset `at`; `at` if there is no name or number.
std::size_t end_of_name(std::string_view text, std::size_t at) {
    while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_'))
        ++at;
    return at;
}

// Whether `word` is a keyword after which an expression or a statement can start. Such a keyword is not a
// value, so no binary operator follows it.
bool precedes_expression(std::string_view word) {
    constexpr std::string_view kWords[] = {"and",   "or",    "not",  "return", "in",   "if",    "elseif",
                                           "while", "until", "then", "do",     "else", "repeat"};
    return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

// Describes a hidden character in a comment or in code that makes the text look different from its meaning;
// nullopt: there is none. Invalid UTF-8 is accepted. In comments, only direction controls and invisible
// characters are rejected, because emoji and some writing systems need other hidden characters.
std::optional<std::string> describe_hidden_character(std::string_view words, bool is_comment) {
    for (std::size_t at = 0; at < words.size();) {
        const Character c = character_at(words, at);
        const bool is_wrong =
            is_comment ? is_bidi_or_invisible(c.code)
                       : c.code >= 0x80 && c.code != kNoCharacter && why_unsafe_to_show(c.code) != nullptr;
        if (is_wrong) return why_unsafe_to_show(words, at);
        at += c.bytes;
    }
    return std::nullopt;
}

// Describes the problem with a string; nullopt: there is none. Strings that contain zero bytes are
// rejected, because Lua compares such a string in several pieces, all within one instruction.
std::optional<std::string> describe_string_problem(std::string_view words) {
    if (words.size() > LuaSandbox::kLongestString + 2)
        return fmt::format("this string is longer than {} bytes", LuaSandbox::kLongestString);
    if (words.find('\0') != std::string_view::npos || (words[0] != '[' && has_zero(words)))
        return "this string contains a zero byte";
    return std::nullopt;
}

}  // namespace

std::optional<Problem> translate_to_plain_lua(std::string_view text, std::string& prepared) {
    prepared.clear();
    const auto line_at = [&](std::size_t at) {
        return static_cast<int>(
            1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    };
    if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);  // some editors write a byte order mark
    if (text.substr(0, 2) == "#!") return Problem{1, "'#!' is not allowed; comments start with --", {}};
    bool is_behind_value = false;
    for (std::size_t at = 0; at < text.size();) {
        if (const std::size_t end = end_of_comment_or_string(text, at); end > at) {
            const std::string_view words = text.substr(at, end - at);
            const bool is_comment = words.substr(0, 2) == "--";
            if (const auto wrong = describe_hidden_character(words, is_comment))
                return Problem{line_at(at), *wrong, {}};
            if (!is_comment) {
                if (const auto wrong = describe_string_problem(words))
                    return Problem{line_at(at), *wrong, {}};
                is_behind_value = true;
            }
            prepared += words;
            at = end;
            continue;
        }
        // `...` is rejected, because each use copies all arguments in one instruction. A function that
        // calls itself with more and more arguments could pass tens of thousands of arguments.
        if (text.substr(at, 3) == "...")
            return Problem{line_at(at), "'...' is not available; name the parameters of a function", {}};
        if (const std::size_t end = end_of_name(text, at); end > at) {
            const std::string_view name = text.substr(at, end - at);
            if (name.size() > kLongestWord)
                return Problem{
                    line_at(at), fmt::format("this name is longer than {} characters", kLongestWord), {}};
            is_behind_value = !precedes_expression(name);
            prepared += name;
            at = end;
            continue;
        }
        if (const auto wrong =
                describe_hidden_character(text.substr(at, character_at(text, at).bytes), false))
            return Problem{line_at(at), *wrong, {}};
        if (text[at] == '^') {
            return Problem{
                line_at(at),
                "'^' is not available, because its result differs between machines; use x * x, or 1 << n "
                "for a power of 2",
                {}};
        }
        if (text[at] == '#' && is_behind_value)
            return Problem{line_at(at), "write '#' before the value that it counts: #ready", {}};
        if (text[at] == '#')
            prepared += "'#'^";
        else
            prepared += text[at];
        if (std::isspace(static_cast<unsigned char>(text[at])) == 0)
            is_behind_value = text[at] == ')' || text[at] == ']' || text[at] == '}';
        ++at;
    }
    return std::nullopt;
}

}  // namespace sim::script
