// Makes untrusted text safe to show in files, terminals, images and pages. Characters that are not shown:
// - control characters, which terminals obey
// - characters that change the text direction or are invisible (Unicode's Default_Ignorable_Code_Point),
//   because the text could then appear to differ from its content
// - line ends other than \n
// - code points that are not Unicode characters
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sim {

struct Character {
    char32_t code = 0;      // kNoCharacter: a byte that is not UTF-8
    std::size_t bytes = 1;  // length
};
inline constexpr char32_t kNoCharacter = 0xffffffff;

// The character of a UTF-8 text at byte `at`. REQUIRES: at < text.size().
Character character_at(std::string_view text, std::size_t at);

// Reason why it is unsafe to show a character, as a format string for the character's code ("U+{:04X} is a
// control character"); null if the character is safe. Line ends are unsafe.
const char* why_unsafe_to_show(char32_t c);

// True if this character could make a source comment look different from its content: it changes the text
// direction, ends the line or is an invisible tag letter. False for joiners, because emoji need them.
bool is_bidi_or_invisible(char32_t c);

// True for a space of any width.
bool is_unicode_space(char32_t c);

// Whether line ends (\n) are safe to show in a text.
enum class AllowedLines : bool { one, several };
// Byte index of the first character that is unsafe to show; npos if all are safe.
std::size_t first_unsafe_character(std::string_view text, AllowedLines lines = AllowedLines::one);

inline bool is_safe_to_show(std::string_view text) {
    return first_unsafe_character(text) == std::string_view::npos;
}

// Reason why the character at byte `at` is not shown: "U+202E changes the text direction".
std::string why_unsafe_to_show(std::string_view text, std::size_t at);

// Returns the text as one line that is safe to print; characters that are not shown are escaped, as \x1b or
// \u{202e}.
std::string printable(std::string_view text);

// Like printable(), but tabs and line ends are kept.
std::string printable_lines(std::string_view text);

// Returns the text escaped for the content and the quoted attributes of HTML or XML; the result is always
// well-formed. Tabs and line ends are kept; other characters that are not shown become U+FFFD.
std::string escape_for_markup(std::string_view text);

// Returns the JSON text, in which each character that is not shown is escaped, as \u202e. REQUIRES: `json` is
// valid JSON.
std::string printable_json(std::string_view json);

}  // namespace sim
