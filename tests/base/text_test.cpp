#include "sim/base/text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sim/scenario/json_text.h"
#include "tests/support/hostile_text.h"
#include "tests/support/test_sizes.h"
#include "tests/support/xml_check.h"
#include "tests/support/xml_tree.h"

namespace sim {
namespace text_test {

constexpr std::size_t kTexts = rounds(2'000, 2'000, 700);

// Encodes a character as UTF-8 with shifts, as in RFC 3629.
std::string utf8(char32_t c) {
    const auto tail = [](char32_t bits) { return static_cast<char>(0x80 | (bits & 0x3f)); };
    if (c < 0x80) return {static_cast<char>(c)};
    if (c < 0x800) return {static_cast<char>(0xc0 | c >> 6), tail(c)};
    if (c < 0x10000) return {static_cast<char>(0xe0 | c >> 12), tail(c >> 6), tail(c)};
    return {static_cast<char>(0xf0 | c >> 18), tail(c >> 12), tail(c >> 6), tail(c)};
}

bool is_utf8(const std::string& text) {
    for (std::size_t at = 0; at < text.size(); at += character_at(text, at).bytes)
        if (character_at(text, at).code == kNoCharacter) return false;
    return true;
}

TEST(Text, JsonEscapesUnsafeCharacters) {
    EXPECT_EQ(printable_json("{\"a\":\n\"\xff\x1b\"}"), "{\"a\":\n\"\\ufffd\\u001b\"}");
    EXPECT_EQ(printable_json("\xe2\x80\xae"), "\\u202e");
    EXPECT_EQ(printable_json("\xf3\xa0\x80\x81"), "\\udb40\\udc01") << "U+E0001 in two halves";
    EXPECT_EQ(printable_json("gr\xc3\xbc\xc3\x9f"), "gr\xc3\xbc\xc3\x9f");
}

TEST(Text, BlanksMatchUnicodeSpaceSeparators) {
    const auto is_space_separator = [](char32_t c) {  // Unicode 15, general category Zs
        return c == 0x20 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x202f ||
               c == 0x205f || c == 0x3000;
    };
    for (char32_t c = 0; c <= 0x10ffff; ++c)
        ASSERT_EQ(is_unicode_space(c), is_space_separator(c)) << static_cast<std::uint32_t>(c);
}

TEST(Text, DecodesEveryUnicodeCharacter) {
    // An unoptimised build tests only every 97th character above U+20000, since few of these are assigned.
    for (char32_t c = 0; c <= 0x10ffff; c += kOptimised || c < 0x20000 ? 1 : 97) {
        const std::string text = utf8(c);
        const Character read = character_at(text, 0);
        const bool is_surrogate = c >= 0xd800 && c < 0xe000;
        ASSERT_TRUE(read.code == (is_surrogate ? kNoCharacter : c)) << static_cast<std::uint32_t>(c);
        ASSERT_EQ(read.bytes, is_surrogate ? 1 : text.size()) << static_cast<std::uint32_t>(c);
        // why_unsafe_to_show() and find_unsafe_bytes() contain independent lists, both taken from the same
        // Unicode table. The two functions disagree only about line ends and tabs.
        const bool may_stay = c == '\n' || c == '\t' || is_surrogate;
        if (c < 0x20000 && !may_stay) {
            ASSERT_EQ(why_unsafe_to_show(c) == nullptr, find_unsafe_bytes(text).empty())
                << static_cast<std::uint32_t>(c);
        }
    }
}

TEST(Text, InvalidUtf8ByteIsNoCharacter) {
    for (const char* bytes :
         {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc3", "\xe0\x9f\xbf", "\xe2\x82", "\xed\xa0\x80",
          "\xf0\x8f\xbf\xbf", "\xf0\x9f\x98", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"}) {
        EXPECT_TRUE(character_at(bytes, 0).code == kNoCharacter) << bytes;
        EXPECT_EQ(character_at(bytes, 0).bytes, 1u) << bytes;
    }
}

TEST(Text, UnprintableCharactersAreEscaped) {
    EXPECT_EQ(printable("a\x1b[31m\u009b\u202e\x7f\U000e0041\n\t\xff"),
              "a\\x1b[31m\\x9b\\u{202e}\\x7f\\u{e0041}\\x0a\\x09\\xff");
    EXPECT_EQ(printable("\u00b5s \u4e2d e\u0301 \u05d0"), "\u00b5s \u4e2d e\u0301 \u05d0");
    EXPECT_EQ(printable_lines("a\tb\r\nc\rd\n"), "a\tb\r\nc\\x0dd\n");
    EXPECT_EQ(escape_for_markup("<a b=\"c\">&\x01\n"), "&lt;a b=&quot;c&quot;&gt;&amp;\ufffd\n");
    EXPECT_EQ(json_text(nlohmann::json("\x7f\u009b\u202e\U000e0041\xff\"")),
              R"("\u007f\u009b\u202e\udb40\udc41)"
              "\ufffd"
              R"(\"")");
    EXPECT_EQ(first_unsafe_character("ab\u200b"), 2u);
    EXPECT_EQ(first_unsafe_character("a\nb\n", AllowedLines::several), std::string::npos);
    EXPECT_EQ(first_unsafe_character("a\r\nb", AllowedLines::several), 1u);
    EXPECT_EQ(first_unsafe_character("a\rb", AllowedLines::several), 1u);
    EXPECT_EQ(first_unsafe_character("a\nb"), 1u);
    EXPECT_EQ(why_unsafe_to_show("\u202e", 0), "U+202E changes the text direction");
}

TEST(Text, HostileTextsLeakNoControlCharacters) {
    std::vector<std::string> texts = hostile_texts(kTexts);
    const std::vector<std::string> bytes = hostile_bytes(kTexts);
    texts.insert(texts.end(), bytes.begin(), bytes.end());
    std::size_t as_they_are = 0;
    for (const std::string& text : texts) {
        EXPECT_EQ(find_unsafe_bytes(printable(text)), "");
        EXPECT_EQ(printable(text).find_first_of("\n\t\r"), std::string::npos);
        EXPECT_EQ(find_unsafe_bytes(printable_lines(text)), "");
        EXPECT_EQ(printable(printable(text)), printable(text));
        EXPECT_EQ(first_unsafe_character(text) == std::string::npos, printable(text) == text);
        as_they_are += printable(text) == text;

        const std::string markup = fmt::format("<a b=\"{0}\">{0}</a>", escape_for_markup(text));
        EXPECT_EQ(find_unsafe_bytes(markup), "");
        EXPECT_NO_THROW(read_xml(markup)) << markup;

        const std::string json = json_text(nlohmann::ordered_json{{"text", text}}, 2);
        EXPECT_EQ(find_unsafe_bytes(json), "");
        const nlohmann::json back = nlohmann::json::parse(json, nullptr, false);
        ASSERT_FALSE(back.is_discarded()) << json;
        if (is_utf8(text)) {
            EXPECT_EQ(back["text"], text);
        }
    }
    EXPECT_GT(as_they_are, kTexts / 5);
    EXPECT_LT(as_they_are, 3'000u);
}

}  // namespace text_test
}  // namespace sim
