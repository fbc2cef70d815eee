#include "sim/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sim {
namespace {

struct CodePointRange {
    char32_t first, last;
};

bool is_in_ranges(const auto& ranges, char32_t c) {
    return std::any_of(ranges.begin(), ranges.end(),
                       [c](CodePointRange r) { return c >= r.first && c <= r.last; });
}

// Characters with the Unicode 15 property Bidi_Control.
constexpr std::array kDirections{CodePointRange{0x61c, 0x61c}, CodePointRange{0x200e, 0x200f},
                                 CodePointRange{0x202a, 0x202e}, CodePointRange{0x2066, 0x2069}};

// Characters with the Unicode 15 property Default_Ignorable_Code_Point but not Bidi_Control; also the
// interlinear annotation characters.
constexpr std::array kUnseen{
    CodePointRange{0xad, 0xad},      CodePointRange{0x34f, 0x34f},     CodePointRange{0x115f, 0x1160},
    CodePointRange{0x17b4, 0x17b5},  CodePointRange{0x180b, 0x180f},   CodePointRange{0x200b, 0x200d},
    CodePointRange{0x2060, 0x2065},  CodePointRange{0x206a, 0x206f},   CodePointRange{0x3164, 0x3164},
    CodePointRange{0xfe00, 0xfe0f},  CodePointRange{0xfeff, 0xfeff},   CodePointRange{0xffa0, 0xffa0},
    CodePointRange{0xfff0, 0xfffb},  CodePointRange{0x1bca0, 0x1bca3}, CodePointRange{0x1d173, 0x1d17a},
    CodePointRange{0xe0000, 0xe0fff}};

// Unicode's tag characters: invisible letters that can form a hidden text.
constexpr std::array kTags{CodePointRange{0xe0000, 0xe007f}};

constexpr std::array kBlanks{CodePointRange{0x20, 0x20},     CodePointRange{0xa0, 0xa0},
                             CodePointRange{0x1680, 0x1680}, CodePointRange{0x2000, 0x200a},
                             CodePointRange{0x202f, 0x202f}, CodePointRange{0x205f, 0x205f},
                             CodePointRange{0x3000, 0x3000}};

bool is_line_end(std::string_view text, std::size_t at) {
    return text[at] == '\n' || (text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n');
}

// Returns a copy of the text in which each unsafe character (why_unsafe_to_show()) is replaced, unless
// is_kept() returns true for its position. append_replacement() appends the replacement to the copy.
std::string replace_unsafe_characters(std::string_view text, const auto& is_kept,
                                      const auto& append_replacement) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const Character c = character_at(text, at);
        if (why_unsafe_to_show(c.code) == nullptr || is_kept(at))
            out += text.substr(at, c.bytes);
        else
            append_replacement(out, at, c.code);
        at += c.bytes;
    }
    return out;
}

std::string escape_unsafe_characters(std::string_view text, const auto& is_kept) {
    return replace_unsafe_characters(text, is_kept, [text](std::string& out, std::size_t at, char32_t c) {
        if (c == kNoCharacter)
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
        else if (c < 0x100)
            out += fmt::format("\\x{:02x}", static_cast<std::uint32_t>(c));
        else
            out += fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(c));
    });
}

}  // namespace

Character character_at(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[at + k]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    // The smallest codes that need 2, 3 and 4 bytes. An encoding with more bytes than needed is not UTF-8.
    constexpr char32_t kLeast[] = {0x80, 0x800, 0x10000};
    if (lead < 0xc2 || lead > 0xf4 || at + length > text.size()) return {kNoCharacter, 1};
    char32_t code = lead & (0x7fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
        if ((byte(k) & 0xc0) != 0x80) return {kNoCharacter, 1};
        code = code << 6 | (byte(k) & 0x3f);
    }
    const bool is_surrogate = code >= 0xd800 && code < 0xe000;
    if (code < kLeast[length - 2] || is_surrogate || code > 0x10ffff) return {kNoCharacter, 1};
    return {code, length};
}

const char* why_unsafe_to_show(char32_t c) {
    if (c >= 0x20 && c < 0x7f) return nullptr;
    if (c == '\t') return "U+{:04X} is a tab; use spaces";
    if (c < 0x20 || (c >= 0x7f && c < 0xa0)) return "U+{:04X} is a control character";
    if (c == 0x2028 || c == 0x2029) return "U+{:04X} ends a line in some programs but not in others";
    if (is_in_ranges(kDirections, c)) return "U+{:04X} changes the text direction";
    if (is_in_ranges(kUnseen, c)) return "U+{:04X} is an invisible character";
    if (c == kNoCharacter) return "a byte of the text is not UTF-8";
    if ((c >= 0xfdd0 && c <= 0xfdef) || (c & 0xfffe) == 0xfffe) return "U+{:04X} is not a valid character";
    return nullptr;
}

bool is_bidi_or_invisible(char32_t c) {
    return is_in_ranges(kDirections, c) || c == 0x85 || c == 0x2028 || c == 0x2029 || is_in_ranges(kTags, c);
}

bool is_unicode_space(char32_t c) { return is_in_ranges(kBlanks, c); }

std::size_t first_unsafe_character(std::string_view text, AllowedLines lines) {
    for (std::size_t at = 0; at < text.size();) {
        const Character c = character_at(text, at);
        const bool is_end = lines == AllowedLines::several && text[at] == '\n';
        if (why_unsafe_to_show(c.code) != nullptr && !is_end) return at;
        at += c.bytes;
    }
    return std::string_view::npos;
}

std::string why_unsafe_to_show(std::string_view text, std::size_t at) {
    const char32_t c = character_at(text, at).code;
    if (c == kNoCharacter)
        return fmt::format("byte 0x{:02x} is not UTF-8", static_cast<unsigned char>(text[at]));
    const char* const why = why_unsafe_to_show(c);
    return fmt::format(fmt::runtime(why == nullptr ? "U+{:04X} is a visible character" : why),
                       static_cast<std::uint32_t>(c));
}

std::string printable(std::string_view text) {
    return escape_unsafe_characters(text, [](std::size_t) { return false; });
}

std::string printable_lines(std::string_view text) {
    return escape_unsafe_characters(
        text, [text](std::size_t at) { return text[at] == '\t' || is_line_end(text, at); });
}

std::string escape_for_markup(std::string_view text) {
    const std::string shown = replace_unsafe_characters(
        text, [text](std::size_t at) { return text[at] == '\t' || text[at] == '\n'; },
        [](std::string& out, std::size_t, char32_t) { out += "\xef\xbf\xbd"; });
    std::string out;
    out.reserve(shown.size());
    for (const char c : shown) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else
            out += c;
    }
    return out;
}

std::string printable_json(std::string_view json) {
    const auto is_kept = [json](std::size_t at) { return json[at] == '\n'; };
    return replace_unsafe_characters(json, is_kept, [](std::string& out, std::size_t, char32_t c) {
        const auto unit = [&out](std::uint32_t u) { out += fmt::format("\\u{:04x}", u); };
        if (c == kNoCharacter) return unit(0xfffd);
        if (c < 0x10000) return unit(c);
        unit(0xd800 + ((c - 0x10000) >> 10));
        unit(0xdc00 + ((c - 0x10000) & 0x3ff));
    });
}

}  // namespace sim
