#include "sim/script/tokens.h"

#include <algorithm>
#include <string>

namespace sim::script {
namespace {

bool is_digit(char c) { return '0' <= c && c <= '9'; }
bool is_in_name(char c) {
    return is_digit(c) || ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_';
}
bool is_line_end(char c) { return c == '\n' || c == '\r'; }
bool is_space(char c) { return c == ' ' || ('\t' <= c && c <= '\r'); }

// Length of the opening long bracket at this offset, such as [[ or [==[; 0: none.
std::size_t long_bracket_length(std::string_view text, std::size_t at) {
    if (at >= text.size() || text[at] != '[') return 0;
    std::size_t end = at + 1;
    while (end < text.size() && text[end] == '=') ++end;
    return end < text.size() && text[end] == '[' ? end + 1 - at : 0;
}

// The end of the string or comment that this long bracket opens.
std::size_t end_of_long_bracket(std::string_view text, std::size_t at, std::size_t opening_length) {
    std::string closing(opening_length, '=');
    closing.front() = closing.back() = ']';
    const std::size_t end = text.find(closing, at + opening_length);
    return end == std::string_view::npos ? text.size() : end + closing.size();
}

// The end of an escape sequence. An escaped line end may consist of two characters, and \z includes all
// white space after it.
std::size_t end_of_escape(std::string_view text, std::size_t at) {
    const char escaped = at + 1 < text.size() ? text[at + 1] : '\0';
    at += 2;
    if (escaped == 'z')
        while (at < text.size() && is_space(text[at])) ++at;
    else if (is_line_end(escaped) && at < text.size() && is_line_end(text[at]) && text[at] != escaped)
        ++at;
    return at;
}

// The end of a quoted string. If the closing quote is missing, the string ends at the end of its line.
std::size_t end_of_quoted_string(std::string_view text, std::size_t at) {
    const char quote = text[at++];
    while (at < text.size() && text[at] != quote && !is_line_end(text[at]))
        at = text[at] == '\\' ? end_of_escape(text, at) : at + 1;
    return std::min(at + 1, text.size());
}

// The end of a number. A sign in its exponent is not included.
std::size_t end_of_number(std::string_view text, std::size_t at) {
    while (at < text.size() && (is_in_name(text[at]) || text[at] == '.')) ++at;
    return at;
}

std::size_t end_of_sign_token(std::string_view text, std::size_t at) {
    for (const std::string_view sign : {"...", "..", "::"})
        if (text.substr(at, sign.size()) == sign) return at + sign.size();
    return at + 1;
}

}  // namespace

std::size_t end_of_comment_or_string(std::string_view text, std::size_t at) {
    if (text.substr(at, 2) == "--") {
        const std::size_t bracket = long_bracket_length(text, at + 2);
        if (bracket > 0) return end_of_long_bracket(text, at + 2, bracket);
        return std::min(text.find_first_of("\n\r", at), text.size());
    }
    if (const std::size_t bracket = long_bracket_length(text, at); bracket > 0)
        return end_of_long_bracket(text, at, bracket);
    return text[at] == '\'' || text[at] == '"' ? end_of_quoted_string(text, at) : at;
}

std::vector<Token> tokens_of(std::string_view text) {
    std::vector<Token> tokens;
    for (std::size_t at = 0; at < text.size();) {
        if (is_space(text[at])) {
            ++at;
            continue;
        }
        const bool is_comment = text.substr(at, 2) == "--";
        std::size_t end = end_of_comment_or_string(text, at);
        Token::Kind kind = Token::Kind::text;
        if (end == at) {
            const bool is_number =
                is_digit(text[at]) || (text[at] == '.' && at + 1 < text.size() && is_digit(text[at + 1]));
            kind = is_number              ? Token::Kind::number
                   : is_in_name(text[at]) ? Token::Kind::name
                                          : Token::Kind::sign;
            end = is_number ? end_of_number(text, at) : at;
            if (kind == Token::Kind::name)
                while (end < text.size() && is_in_name(text[end])) ++end;
            if (kind == Token::Kind::sign) end = end_of_sign_token(text, at);
        }
        if (!is_comment) tokens.push_back({kind, text.substr(at, end - at)});
        at = end;
    }
    return tokens;
}

}  // namespace sim::script
