// Text that somebody wrote, on its way to people: what of it may be shown, and how the rest is written.
//
// One rule for files, terminals, pictures and pages. Not shown are: control characters, which terminals obey;
// characters that change the direction of what is read, or that nobody sees, by which a text says something
// else than it seems to (Unicode's Default_Ignorable_Code_Point); other ends of lines than \n; and what
// Unicode says is no character.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sim {

struct Character {
    char32_t code = 0;      // kNoCharacter for a byte that is no UTF-8
    std::size_t bytes = 1;  // how long it is
};
inline constexpr char32_t kNoCharacter = 0xffffffff;

// The character of a UTF-8 text that begins at `at`. REQUIRES: at < text.size().
Character character_at(std::string_view text, std::size_t at);

// Why a character is not shown, as the end of "U+202E ..."; null for one that is. Line ends are not shown,
// either.
const char* why_not_shown(char32_t c);

// Whether a comment with it says something else than it seems to: it changes the direction, ends the line, or
// is a letter that nobody sees (not what joins those that one sees, as in emoji).
bool misleads_in_comment(char32_t c);

// Whether it is a blank of any width.
bool is_blank(char32_t c);

// Where the first character stands that is not shown; npos when all are. \n is none of them where a text may
// have several lines.
enum class Lines : bool { one, several };
std::size_t first_not_shown(std::string_view text, Lines lines = Lines::one);

inline bool is_shown(std::string_view text) { return first_not_shown(text) == std::string_view::npos; }

// "U+202E changes the direction of what is read", for the character at `at`.
std::string why_not_shown(std::string_view text, std::size_t at);

// The text in one line that is safe to print: what is not shown as \x1b or \u{202e}.
std::string printable(std::string_view text);

// The same for a text of several lines: their ends and tabs stay as they are.
std::string printable_lines(std::string_view text);

// The text as it stands in HTML or XML, also between the quotes of an attribute: well-formed, whatever it is.
// Line ends and tabs stay; what else is not shown becomes U+FFFD.
std::string markup_text(std::string_view text);

// JSON in which what is not shown is written as \u202e. `json` is JSON.
std::string json_to_show(std::string_view json);

}  // namespace sim
