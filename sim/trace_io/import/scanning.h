// Fast parsers for the numbers and words of a line: a trace has millions of lines.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string_view>

namespace sim::trace_io {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

inline std::string_view without_leading_spaces(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size() && text[at] == ' ') ++at;
    return text.substr(at);
}
inline std::string_view without_trailing_spaces(std::string_view text) {
    std::size_t end = text.size();
    while (end > 0 && text[end - 1] == ' ') --end;
    return text.substr(0, end);
}

// Removes the first word and the spaces around it from the text. Returns the word.
inline std::string_view take_word(std::string_view& text) {
    text = without_leading_spaces(text);
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text = without_leading_spaces(text.substr(end));
    return word;
}

// Removes the number at the beginning of the text and stores it in `value`. Returns false and removes
// nothing if there is no number that fits `value`.
template <typename Integer>
bool take_number(std::string_view& text, Integer& value, int base = 10) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{}) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

// True if the whole text is a number; stores it in `value`.
template <typename Integer>
bool parse_number(std::string_view text, Integer& value, int base = 10) {
    return take_number(text, value, base) && text.empty();
}

// The number of digits at the end of the text.
inline std::size_t count_trailing_digits(std::string_view text) {
    std::size_t count = 0;
    while (count < text.size() && is_digit(text[text.size() - 1 - count])) ++count;
    return count;
}

// Returns the text up to the first `separator` and removes both from the input. Without a separator,
// returns and removes the whole text.
inline std::string_view take_up_to(std::string_view& text, char separator) {
    const std::size_t end = text.find(separator);
    const std::string_view part = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    return part;
}

}  // namespace sim::trace_io
