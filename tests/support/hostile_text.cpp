#include "tests/support/hostile_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/base/rng.h"

namespace {

// Text fragments; each is also a text on its own.
const std::vector<std::string> kPieces{"\x1b[31mred\x1b[0m",
                                       "\x1b]0;another title\x07",
                                       "\x1b]52;c;cm0gLXJmIC8=\x07",
                                       "\x1b[2J\x1b[H",
                                       "\x1bP1;1|q\x1b\\",
                                       "\x1b",
                                       "\x1b[6n",
                                       "\u009b31m",
                                       "\u009d0;title\u009c",
                                       "\u0085",
                                       "\u0080",
                                       "\u009f",
                                       "\r",
                                       "over\rwritten",
                                       "\b\b\b\b",
                                       "\x7f",
                                       "\x07",
                                       "\x0b",
                                       "\x0c",
                                       "\x0e",
                                       "\x0f",
                                       "\x01",
                                       "\x1f",
                                       "\t",
                                       "\n",
                                       "\r\n",
                                       "two\nlines",
                                       "\n\n\nfar below",
                                       "\u202ereversed\u202c",
                                       "\u202a",
                                       "\u202b",
                                       "\u202d",
                                       "\u2066a\u2069",
                                       "\u2067",
                                       "\u2068",
                                       "\u200e",
                                       "\u200f",
                                       "\u061c",
                                       "zero\u200bwidth",
                                       "\u200c",
                                       "\u200d",
                                       "\u2060",
                                       "\ufeff",
                                       "\u00ad",
                                       "\u034f",
                                       "\u115f",
                                       "\u1160",
                                       "\u17b4",
                                       "\u180e",
                                       "\u2061",
                                       "\u2064",
                                       "\u206a",
                                       "\u206f",
                                       "\u3164",
                                       "\ufe0f",
                                       "\uffa0",
                                       "\ufff0",
                                       "\ufff9",
                                       "\ufffb",
                                       "\ufffe",
                                       "\uffff",
                                       "\ufdd0",
                                       "\u2028",
                                       "\u2029",
                                       "\U000e0041",
                                       "\U000e0100",
                                       "\U0001d173",
                                       "\U0001fffe",
                                       "\U0010ffff",
                                       "\U0001bca0",
                                       "<script>alert(1)</script>",
                                       "]]>",
                                       "<![CDATA[",
                                       "&#x1b;",
                                       "&lt;",
                                       "&",
                                       "<",
                                       ">",
                                       "\"",
                                       "'",
                                       "<!--",
                                       "-->",
                                       "<?xml?>",
                                       "\" onload=\"alert(1)",
                                       "javascript:alert(1)",
                                       "</title>",
                                       "</text></svg>",
                                       "<image href=\"http://a.invalid/\"/>",
                                       "%s%s%s%n",
                                       "%1000000d",
                                       "{}{:1000000}",
                                       "{0}",
                                       "\\x1b[31m",
                                       "\\u001b",
                                       "\\n",
                                       "\\",
                                       "\\\\",
                                       "$(reboot)",
                                       "`reboot`",
                                       "; reboot",
                                       "| reboot",
                                       "../../../etc/passwd",
                                       "a##b",
                                       "###",
                                       "##",
                                       "a###b",
                                       "=1+1",
                                       "+1",
                                       "-1",
                                       "@SUM(A1)",
                                       "{\"a\":1}",
                                       "//",
                                       "/*",
                                       "*/",
                                       "#",
                                       "",
                                       " ",
                                       "  ",
                                       "\u00a0",
                                       "\u2003",
                                       "\u3000",
                                       "title",
                                       "\u00e9",
                                       "e\u0301",
                                       "\u4e2d\u6587",
                                       "\u0627\u0644",
                                       "\u05d0\u05d1",
                                       "\U0001f600",
                                       "Z\u0351\u036b\u0343\u032a\u0302\u036b",
                                       "\u00b5s",
                                       "null",
                                       "true",
                                       "0"};

const std::vector<std::string> kBytes{"\xff",
                                      "\xfe",
                                      "\x80",
                                      "\xc0\x80",
                                      "\xc1\xbf",
                                      "\xe0\x80\x9b",
                                      "\xed\xa0\x80",
                                      "\xed\xbf\xbf",
                                      "\xf0\x80\x80\x9b",
                                      "\xf4\x90\x80\x80",
                                      "\xf5",
                                      "\xe2\x80",
                                      "\xe2",
                                      "\xf0\x9f\x98",
                                      "\xc2",
                                      "\x9b"
                                      "31m",
                                      "\xc2\x1b[31m",
                                      "\xe2\x1b[2J",
                                      "\xf0\x90\x1b",
                                      "\x85"};

std::vector<std::string> mixtures(const std::vector<std::string>& pieces, std::size_t count) {
    std::vector<std::string> texts;
    std::set<std::string> seen;
    const auto add = [&](std::string text) {
        if (text.size() <= 80 && texts.size() < count && seen.insert(text).second)
            texts.push_back(std::move(text));
    };
    for (const std::string& piece : pieces) add(piece);
    for (char c = 1; c < 0x20; ++c) add(fmt::format("control {}{}", static_cast<int>(c), c));
    std::uint64_t stream = 18;
    while (texts.size() < count) {
        std::string text;
        for (std::uint64_t n = 1 + sim::random_below(stream, 4); n > 0; --n) {
            if (sim::random_below(stream, 3) == 0) text += "word ";
            text += pieces[sim::random_below(stream, pieces.size())];
        }
        add(std::move(text));
    }
    return texts;
}

struct Bytes {
    std::string_view first, last;  // first and last sequence of a range in byte order; same length
};
using namespace std::string_view_literals;
constexpr std::array kForbidden{
    Bytes{"\x00"sv, "\x08"sv},
    Bytes{"\x0b", "\x1f"},
    Bytes{"\x7f", "\x7f"},
    Bytes{"\xc2\x80", "\xc2\x9f"},
    Bytes{"\xc2\xad", "\xc2\xad"},
    Bytes{"\xcd\x8f", "\xcd\x8f"},
    Bytes{"\xd8\x9c", "\xd8\x9c"},
    Bytes{"\xe1\x85\x9f", "\xe1\x85\xa0"},
    Bytes{"\xe1\x9e\xb4", "\xe1\x9e\xb5"},
    Bytes{"\xe1\xa0\x8b", "\xe1\xa0\x8f"},
    Bytes{"\xe2\x80\x8b", "\xe2\x80\x8f"},
    Bytes{"\xe2\x80\xa8", "\xe2\x80\xae"},
    Bytes{"\xe2\x81\xa0", "\xe2\x81\xaf"},
    Bytes{"\xe3\x85\xa4", "\xe3\x85\xa4"},
    Bytes{"\xef\xb7\x90", "\xef\xb7\xaf"},
    Bytes{"\xef\xb8\x80", "\xef\xb8\x8f"},
    Bytes{"\xef\xbb\xbf", "\xef\xbb\xbf"},
    Bytes{"\xef\xbe\xa0", "\xef\xbe\xa0"},
    Bytes{"\xef\xbf\xb0", "\xef\xbf\xbb"},
    Bytes{"\xef\xbf\xbe", "\xef\xbf\xbf"},
    Bytes{"\xf0\x9b\xb2\xa0", "\xf0\x9b\xb2\xa3"},
    Bytes{"\xf0\x9d\x85\xb3", "\xf0\x9d\x85\xba"},
    Bytes{"\xf0\x9f\xbf\xbe", "\xf0\x9f\xbf\xbf"},
    Bytes{"\xf3\xa0\x80\x80", "\xf3\xa0\xbf\xbf"},
    Bytes{"\xf4\x8f\xbf\xbe", "\xf4\x8f\xbf\xbf"},
};

}  // namespace

std::vector<std::string> hostile_texts(std::size_t count) { return mixtures(kPieces, count); }

std::vector<std::string> hostile_bytes(std::size_t count) {
    std::vector<std::string> pieces = kBytes;
    pieces.insert(pieces.end(), kPieces.begin(), kPieces.end());
    return mixtures(pieces, count);
}

std::string find_unsafe_bytes(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at)
        for (const Bytes& range : kForbidden) {
            const std::string_view here = text.substr(at, range.first.size());
            const bool is_end = here == "\r" && text.substr(at, 2) == "\r\n";
            if (here.size() == range.first.size() && here >= range.first && here <= range.last && !is_end)
                return fmt::format(
                    "{:02x} at byte {} of \"{}\"",
                    fmt::join(std::vector<unsigned char>(here.begin(), here.end()), " "), at,
                    nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
        }
    try {
        (void)nlohmann::json(text).dump();
    } catch (const nlohmann::json::exception& error) {
        return error.what();
    }
    return {};
}
