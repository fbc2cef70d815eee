#include "sim/trace_io/import/json_split.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "sim/base/problem.h"
#include "sim/scenario/json_in_order.h"
#include "sim/trace_io/import/line_reader.h"
#include "sim/trace_io/import/run_header.h"
#include "sim/trace_io/import/scanning.h"

namespace sim::trace_io {
namespace {

bool is_json_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// A temporary file, written in chunks and created on first use.
class SpooledText {
  public:
    explicit SpooledText(std::optional<TempFile>& file) : file_(file) {}

    bool is_empty() const { return !file_ && latest_.empty(); }
    void add(std::string_view text) {
        latest_ += text;
        constexpr std::size_t kEnough = 1 << 16;
        if (latest_.size() >= kEnough) flush();
    }
    void flush() {
        if (!file_) file_.emplace();
        file_->write(latest_);
        latest_.clear();
    }

  private:
    std::optional<TempFile>& file_;
    std::string latest_;
};

class JsonSplitter {
  public:
    JsonSplitter(std::istream& in, const std::string& file, Notes& notes, JsonRowsAndText& parts)
        : in_(in), file_(file), notes_(notes), rows_(parts.rows), text_(parts.text), bytes_(1 << 16) {}

    void split() {
        try {
            skip_blanks();
            if (peek() == '\xef')
                for (int byte = 0; byte < 3; ++byte) take_char();
            skip_blanks();
            if (peek() == '[')
                read_list();
            else
                read_object();
        } catch (const EarlyEnd&) {
            notes_.add({"list that ends too early", "lists that end too early"}, line_);
            if (!piece_.empty()) text_.add(piece_);
        }
        if (has_rows_) rows_.flush();
        if (!text_.is_empty()) text_.flush();
    }

  private:
    struct EarlyEnd {};

    [[noreturn]] void refuse(const std::string& why) const {
        throw ScenarioError(Problem{file_,
                                    static_cast<int>(std::min<std::uint64_t>(line_, 1U << 30)),
                                    static_cast<int>(std::min<std::uint64_t>(column_, 1U << 30)),
                                    {},
                                    why});
    }

    char peek() {
        if (at_ == end_) {
            in_.read(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
            end_ = static_cast<std::size_t>(in_.gcount());
            at_ = 0;
            if (end_ == 0) throw EarlyEnd{};
        }
        return bytes_[at_];
    }
    char take_char() {
        const char c = peek();
        ++at_;
        if (c == '\n') {
            ++line_;
            column_ = 1;
        } else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) {
            ++column_;
        }
        return c;
    }
    void skip_blanks() {
        while (is_json_blank(peek())) take_char();
    }
    void expect(char c) {
        skip_blanks();
        if (peek() != c) refuse(fmt::format("invalid JSON: expected '{}'", c));
        take_char();
    }

    // Reads a string with quotes and escapes, and keeps at most `most` bytes.
    void read_string(std::string& kept, std::size_t most) {
        const auto keep = [&](char c) {
            if (kept.size() < most) kept += c;
        };
        keep(take_char());
        for (;;) {
            const char c = take_char();
            if (static_cast<unsigned char>(c) < ' ') {
                if (c == '\n') refuse("invalid JSON: a string does not end on its line");
                continue;  // skips other control characters, which are not valid in a string
            }
            keep(c);
            if (c == '"') return;
            if (c == '\\') keep(take_char());
        }
    }

    // Reads a value, drops its whitespace, and keeps at most `most` + 1 bytes; a result of `most` + 1 bytes
    // means that the value is too long.
    std::string read_value(std::size_t most) {
        std::string kept;
        std::string brackets;
        skip_blanks();
        do {
            skip_blanks();
            const char c = peek();
            if (c == '"') {
                read_string(kept, most + 1);
                continue;
            }
            const bool opens = c == '{' || c == '[', closes = c == '}' || c == ']';
            if (brackets.empty() && !opens && (closes || c == ',' || c == ':'))
                refuse("invalid JSON: expected a value");
            if (opens) {
                constexpr std::size_t kDeepest = 1000;
                if (brackets.size() >= kDeepest)
                    refuse("JSON nested more than 1000 levels deep is not supported");
                brackets += c == '{' ? '}' : ']';
            }
            if (closes) {
                if (brackets.back() != c) refuse(fmt::format("invalid JSON: expected '{}'", brackets.back()));
                brackets.pop_back();
            }
            if (brackets.empty() && !closes) {  // the whole value is a number, or true, false or null
                while (!is_json_blank(peek()) && peek() != ',' && peek() != '}' && peek() != ']') {
                    if (kept.size() <= most) kept += peek();
                    take_char();
                }
                return kept;
            }
            if (kept.size() <= most) kept += c;
            take_char();
        } while (!brackets.empty());
        return kept;
    }

    void read_list() {
        expect('[');
        has_rows_ = true;
        for (skip_blanks(); peek() != ']'; skip_blanks()) {
            if (peek() == ',') {  // accepts a trailing comma, which is common
                take_char();
                continue;
            }
            const std::uint64_t line = line_;
            constexpr std::size_t kLongest = LineReader::kLongest - 32;
            const std::string row = read_value(kLongest);
            if (row.size() > kLongest)
                notes_.add({"event longer than 64 KiB", "events longer than 64 KiB"}, line);
            else
                rows_.add(fmt::format("{}\t{}\n", line, row));
            skip_blanks();
            if (peek() != ',' && peek() != ']') refuse("invalid JSON: expected ',' or ']'");
        }
        take_char();
    }

    void read_object() {
        expect('{');
        for (skip_blanks(); peek() != '}'; skip_blanks()) {
            if (peek() == ',') {
                take_char();
                continue;
            }
            if (peek() != '"') refuse("invalid JSON: expected a key in double quotes");
            std::string key;
            constexpr std::size_t kLongestKey = 64;
            read_string(key, kLongestKey);
            expect(':');
            skip_blanks();
            if (key == "\"traceEvents\"" && peek() == '[')
                read_list();
            else if (key == "\"systemTraceEvents\"" && peek() == '"')
                read_trace_text();
            else if (key == "\"metadata\"")
                read_metadata(read_value(LineReader::kLongestHeader));
            else
                read_value(0);
            skip_blanks();
            if (peek() != ',' && peek() != '}') refuse("invalid JSON: expected ',' or '}'");
        }
    }

    void read_metadata(const std::string& json) {
        const nlohmann::ordered_json root = parse_json_in_order(json);
        if (!root.is_object() || !text_.is_empty()) return;
        const auto ours = root.find("switchyard");
        if (ours == root.end()) return;
        const std::string run = ours->dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
        if (run_info_of(run)) text_.add(fmt::format("{}{}\n", LineReader::kHeader, run));
    }

    // Reads the string of "systemTraceEvents" and decodes its escape sequences. Unpaired surrogates are
    // dropped.
    void read_trace_text() {
        take_char();
        std::string& piece = piece_;
        std::uint32_t high = 0;
        for (;;) {
            const char c = take_char();
            if (c == '"') break;
            if (c != '\\') {
                piece += c;
            } else {
                const char e = take_char();
                if (e == 'u') {
                    const std::uint32_t code = read_four_hex_digits();
                    if (code >= 0xd800 && code < 0xdc00) {
                        high = code;
                        continue;
                    }
                    const bool is_low = code >= 0xdc00 && code < 0xe000;
                    if (is_low && high != 0)
                        append_utf8(piece, 0x10000 + ((high - 0xd800) << 10) + (code - 0xdc00));
                    if (!is_low) append_utf8(piece, code);
                } else {
                    constexpr std::string_view kEscaped = "nrtbf", kMeant = "\n\r\t\b\f";
                    const std::size_t at = kEscaped.find(e);
                    piece += at == std::string_view::npos ? e : kMeant[at];
                }
            }
            high = 0;
            if (piece.size() >= 4096) {
                text_.add(piece);
                piece.clear();
            }
        }
        text_.add(piece + "\n");
        piece.clear();
    }
    std::uint32_t read_four_hex_digits() {
        std::string digits;
        for (int i = 0; i < 4; ++i) digits += take_char();
        std::uint32_t code = 0;
        if (!parse_number(std::string_view(digits), code, 16))
            refuse("invalid JSON: expected four hexadecimal digits");
        return code;
    }
    static void append_utf8(std::string& to, std::uint32_t code) {
        const auto byte = [&](std::uint32_t bits) { to += static_cast<char>(bits); };
        if (code < 0x80) {
            byte(code);
        } else if (code < 0x800) {
            byte(0xc0 | code >> 6);
            byte(0x80 | (code & 0x3f));
        } else if (code < 0x10000) {
            byte(0xe0 | code >> 12);
            byte(0x80 | (code >> 6 & 0x3f));
            byte(0x80 | (code & 0x3f));
        } else {
            byte(0xf0 | code >> 18);
            byte(0x80 | (code >> 12 & 0x3f));
            byte(0x80 | (code >> 6 & 0x3f));
            byte(0x80 | (code & 0x3f));
        }
    }

    std::istream& in_;
    const std::string& file_;
    Notes& notes_;
    SpooledText rows_, text_;
    std::string piece_;  // decoded text that is not in text_ yet
    bool has_rows_ = false;
    std::vector<char> bytes_;
    std::size_t at_ = 0, end_ = 0;
    std::uint64_t line_ = 1, column_ = 1;
};

}  // namespace

bool is_json_list(std::string_view beginning) {
    if (beginning.starts_with("\xef\xbb\xbf")) beginning.remove_prefix(3);
    const auto take = [&] {
        while (!beginning.empty() && is_json_blank(beginning.front())) beginning.remove_prefix(1);
        const char c = beginning.empty() ? '\0' : beginning.front();
        if (!beginning.empty()) beginning.remove_prefix(1);
        return c;
    };
    const char first = take(), second = take();
    return (first == '{' && (second == '"' || second == '}')) ||
           (first == '[' && (second == '{' || second == ']'));
}

JsonRowsAndText split_json_into_lines(std::istream& in, const std::string& file, Notes& notes) {
    JsonRowsAndText parts;
    JsonSplitter(in, file, notes, parts).split();
    return parts;
}

}  // namespace sim::trace_io
