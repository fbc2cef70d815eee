#include "sim/scenario/json_parser.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "sim/base/text.h"
#include "sim/scenario/json_in_order.h"

namespace sim {
namespace {

std::string place_of(std::string_view text, std::size_t offset) {
    Problem problem;
    set_line_and_column(problem, text, offset);
    return fmt::format("line {}, column {}", problem.line, problem.column);
}

}  // namespace

void set_line_and_column(Problem& problem, std::string_view text, std::size_t offset) {
    problem.line = 1;
    problem.column = 1;
    for (std::size_t i = 0; i < offset && i < text.size(); ++i) {
        if (text[i] == '\n') {
            ++problem.line;
            problem.column = 1;
        } else if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) {
            ++problem.column;
        }
    }
}

void check_size_and_characters(const std::string& file, std::string_view text, std::size_t max_bytes) {
    const auto refuse = [&](std::size_t offset, std::string message) {
        Problem problem{file, 0, 0, {}, std::move(message)};
        set_line_and_column(problem, text, offset);
        throw ScenarioError(std::move(problem));
    };
    if (text.size() > max_bytes)
        throw ScenarioError(
            Problem{file, 0, 0, {}, fmt::format("the input is larger than {} MiB", max_bytes >> 20)});
    const bool utf16 = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") ||
                       (text.size() >= 2 && (text[0] == '\0') != (text[1] == '\0'));
    if (utf16) throw ScenarioError(Problem{file, 0, 0, {}, "this is UTF-16 text; save it as UTF-8"});
    for (std::size_t i = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0; i < text.size();) {
        const Character c = character_at(text, i);
        if (c.code == kNoCharacter)
            refuse(i, fmt::format("byte 0x{:02x} is not UTF-8 text; save the file as UTF-8",
                                  static_cast<unsigned char>(text[i])));
        if (c.code == 0) refuse(i, "NUL byte: this is not text");
        const bool is_kept = c.code == '\t' || c.code == '\n' || text.substr(i, 2) == "\r\n";
        if (why_unsafe_to_show(c.code) != nullptr && !is_kept) refuse(i, why_unsafe_to_show(text, i));
        i += c.bytes;
    }
}

// Parses JSON with comments and builds the values; throws ScenarioError at the first mistake.
class JsonParser {
  public:
    JsonParser(const std::string& file, std::string_view text, JsonStorage& storage, JsonMemberOrder members)
        : file_(file), text_(text), storage_(storage), as_written_(members == JsonMemberOrder::as_written) {}

    JsonValue& parse() {
        skip_blanks();
        if (at_end())
            throw ScenarioError(Problem{file_, 0, 0, {}, "the input is empty; expected a JSON object"});
        JsonValue& root = add(nullptr);
        read(root);
        skip_blanks();
        if (at_end()) return root;
        if (here() == '}' || here() == ']')
            refuse(i_, fmt::format("unexpected '{}': no bracket is open", here()));
        if (at("/*")) refuse_end();
        refuse(i_, "unexpected text after the end of the JSON value");
    }

    // Appends the noted problems: the first kMostNoted of them with their positions, then only the number
    // of further problems.
    void append_noted_problems(std::vector<Problem>& problems) {
        std::move(noted_.begin(), noted_.end(), std::back_inserter(problems));
        if (more_ > 0)
            problems.push_back(
                {file_, 0, 0, {}, fmt::format("and {} more duplicate keys or forbidden characters", more_)});
    }

  private:
    static constexpr std::size_t kMostNoted = 50;
    static constexpr std::size_t kLongestNumber = 100;

    bool at_end() const { return i_ >= text_.size(); }
    char here() const { return at_end() ? '\0' : text_[i_]; }
    bool at(std::string_view token) const { return text_.substr(i_, token.size()) == token; }

    static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

    void skip_blanks() {
        for (;;) {
            while (!at_end() && is_blank(text_[i_])) ++i_;
            if (at("//")) {
                i_ = std::min(text_.find_first_of("\r\n", i_), text_.size());
            } else if (at("/*")) {
                const std::size_t end = text_.find("*/", i_ + 2);
                if (end == std::string_view::npos) return;
                i_ = end + 2;
            } else {
                return;
            }
        }
    }

    [[noreturn]] void refuse(std::size_t offset, std::string message) const {
        Problem problem{file_, 0, 0, {}, std::move(message)};
        set_line_and_column(problem, text_, offset);
        throw ScenarioError(std::move(problem));
    }

    // The current character as text for an error message.
    std::string current_character() const {
        return std::string(text_.substr(i_, character_at(text_, i_).bytes));
    }

    // The current word or number, up to the next space or punctuation.
    std::string_view word() const {
        const std::size_t end = std::min(text_.find_first_of(" \t\r\n,:;=[]{}\"'/", i_), text_.size());
        return text_.substr(i_, end - i_);
    }

    [[noreturn]] void refuse_end() const {
        if (at("/*")) refuse(i_, "this comment has no end: */ is missing");
        const std::size_t open = open_.back();
        const char closing = text_[open] == '{' ? '}' : ']';
        refuse(text_.size(), fmt::format("unexpected end of the text: missing '{}' for the '{}' in {}",
                                         closing, text_[open], place_of(text_, open)));
    }

    JsonValue& add(const JsonValue* parent) {
        JsonValue& value = storage_.values.emplace_back();
        value.parent_ = parent;
        return value;
    }

    void read(JsonValue& value) {
        skip_blanks();
        if (at_end() || at("/*")) refuse_end();
        if (++values_ > kMaxJsonValues)
            refuse(i_, fmt::format("expected at most {} JSON values", kMaxJsonValues));
        value.begin_ = static_cast<std::uint32_t>(i_);
        const char c = here();
        if (c == '{' || c == '[') {
            if (open_.size() == kMaxJsonDepth)
                refuse(i_, fmt::format("this value is nested more than {} levels deep", kMaxJsonDepth));
            open_.push_back(i_++);
            c == '{' ? object(value) : array(value);
            open_.pop_back();
        } else if (c == '"') {
            value.kind_ = JsonValue::Kind::string;
            value.text_ = string();
            note_hidden_character(value, value.text_, value.begin_);
        } else if (c == '-' || (c >= '0' && c <= '9')) {
            value.kind_ = JsonValue::Kind::number;
            value.scalar_ = number();
        } else {
            read_bare_word(value);
        }
        value.end_ = static_cast<std::uint32_t>(i_);
    }

    void object(JsonValue& object) {
        object.kind_ = JsonValue::Kind::object;
        for (std::size_t comma = 0;;) {
            skip_blanks();
            if (here() == '}') {
                if (comma != 0 && !as_written_) refuse(comma, "extra comma before '}'");
                break;
            }
            require_key_begin();
            JsonValue& member = add(&object);
            member.key_begin_ = static_cast<std::uint32_t>(i_);
            member.key_ = string();
            note_hidden_character(member, member.key_, member.key_begin_);
            const std::size_t end = i_;
            skip_blanks();
            if (as_written_ && (here() == ',' || here() == '}')) {
                member.begin_ = member.key_begin_;  // a key without a value
                member.end_ = static_cast<std::uint32_t>(end);
            } else {
                if (here() != ':') refuse(end, "expected ':' and a value after the key");
                ++i_;
                read(member);
            }
            object.children_.push_back(&member);
            if (!read_comma_or_end('}', comma)) break;
        }
        ++i_;
        if (!as_written_) sort_members(object.children_);
    }

    // Sorts the members by key. Of several members with the same key, keeps only the last.
    void sort_members(std::vector<JsonValue*>& members) {
        if (members.size() < 2) return;
        std::stable_sort(members.begin(), members.end(),
                         [](const JsonValue* a, const JsonValue* b) { return a->key_ < b->key_; });
        std::size_t kept = 0;
        for (std::size_t k = 1; k < members.size(); ++k) {
            if (members[k]->key_ == members[kept]->key_)
                note_problem(*members[k], members[k]->key_begin_, "duplicate key");
            else
                ++kept;
            members[kept] = members[k];
        }
        members.resize(kept + 1);
    }

    void note_problem(const JsonValue& value, std::size_t offset, std::string message) {
        if (noted_.size() >= kMostNoted) {
            ++more_;
            return;
        }
        // The pointer is shortened before it is stored, because keys may be long.
        const std::string pointer = shorten(value.pointer(kLongestPointer), kLongestPointer);
        noted_.push_back({file_, 0, 0, pointer, std::move(message)});
        set_line_and_column(noted_.back(), text_, offset);
    }

    // Notes hidden characters from escape sequences in a string. check_size_and_characters() has already
    // rejected all other hidden characters.
    void note_hidden_character(const JsonValue& value, std::string_view said, std::size_t offset) {
        if (!escaped_) return;
        const std::size_t at = first_unsafe_character(said, AllowedLines::several);
        if (at != std::string_view::npos) note_problem(value, offset, why_unsafe_to_show(said, at));
    }

    void array(JsonValue& array) {
        array.kind_ = JsonValue::Kind::array;
        for (std::size_t comma = 0;;) {
            skip_blanks();
            if (here() == ']') {
                if (comma != 0 && !as_written_) refuse(comma, "extra comma before ']'");
                break;
            }
            JsonValue& element = add(&array);
            element.index_ = static_cast<std::uint32_t>(array.children_.size());
            read(element);
            array.children_.push_back(&element);
            if (!read_comma_or_end(']', comma)) break;
        }
        ++i_;
    }

    // Called after a member or an element. Returns whether another member or element follows.
    bool read_comma_or_end(char closing, std::size_t& comma) {
        const std::size_t end = i_;
        skip_blanks();
        if (here() == closing) return false;
        if (at_end() || at("/*")) refuse_end();
        if (here() == ',') {
            comma = i_++;
            return true;
        }
        if (here() == '}' || here() == ']')
            refuse(i_, fmt::format("expected '{}', got '{}': the '{}' in {} is still open", closing, here(),
                                   text_[open_.back()], place_of(text_, open_.back())));
        if (here() == '"' || here() == '{' || here() == '[') refuse(end, "a ',' is missing here");
        refuse(i_, fmt::format("expected ',' or '{}', got '{}'", closing, current_character()));
    }

    void require_key_begin() {
        if (here() == '"') return;
        if (at_end() || at("/*")) refuse_end();
        if (here() == ',') refuse(i_, "extra comma");
        if (here() == '\'') refuse(i_, "write keys in double quotes, not in single quotes");
        if (here() == '#' || here() == '/') refuse(i_, "expected a key; comments start with // or /*");
        const std::string_view key = word();
        if (key.empty())
            refuse(i_, fmt::format("expected a key in double quotes, got '{}'", current_character()));
        refuse(i_, fmt::format("write keys in double quotes: \"{}\"", shorten(key)));
    }

    // Reads a string and returns its value: a part of the text or, if it contains escape sequences, a
    // string in `storage_`.
    std::string_view string() {
        const std::size_t begin = i_++;
        escaped_ = false;
        for (;; ++i_) {
            if (at_end() || here() == '\n' || here() == '\r')
                refuse(begin, "the closing quote of this string is missing");
            const auto c = static_cast<unsigned char>(here());
            if (c == '"') break;
            if (c == '\t') refuse(i_, "this string contains a tab; use spaces");
            if (c == '\\') {
                escaped_ = true;
                read_escape_sequence();
            }
        }
        ++i_;
        const std::string_view quoted = text_.substr(begin, i_ - begin);
        if (!escaped_) return quoted.substr(1, quoted.size() - 2);
        return storage_.strings.emplace_back(parse_json_in_order(quoted).get<std::string>());
    }

    // Reads an escape sequence. The position is at its backslash before the call, and at its last character
    // after the call.
    void read_escape_sequence() {
        const std::size_t begin = i_++;
        if (at_end()) return;
        if (here() != 'u') {
            if (std::strchr("\"\\/bfnrt", here()) == nullptr)
                refuse(begin, "unknown escape sequence; write a backslash in a string as \\\\");
            return;
        }
        const unsigned first = read_hex_digits(begin);
        if (first < 0xd800 || first > 0xdfff) return;
        bool whole = false;
        if (first < 0xdc00 && text_.substr(i_ + 1, 2) == "\\u") {
            i_ += 2;
            const unsigned second = read_hex_digits(begin);
            whole = second >= 0xdc00 && second <= 0xdfff;
        }
        if (!whole)
            refuse(begin,
                   fmt::format("\\u{:04x} is half of a surrogate pair; the other half is missing", first));
    }

    // Reads four hexadecimal digits. The position is at the 'u' of the escape sequence before the call, and
    // at the last digit after the call.
    unsigned read_hex_digits(std::size_t begin) {
        unsigned code = 0;
        for (int k = 0; k < 4; ++k) {
            ++i_;
            const char c = here();
            const bool digit = c >= '0' && c <= '9';
            const char lower = static_cast<char>(c | 0x20);
            if (!digit && (lower < 'a' || lower > 'f'))
                refuse(begin, "expected four hexadecimal digits after \\u");
            code = code * 16 + static_cast<unsigned>(digit ? c - '0' : lower - 'a' + 10);
        }
        return code;
    }

    JsonScalar number() {
        const std::string_view whole = word();
        if (whole.size() > kLongestNumber)
            refuse(i_, fmt::format("this number has more than {} digits", kLongestNumber));
        std::size_t k = whole.front() == '-' ? 1 : 0;
        const auto digits = [&] {
            const std::size_t begin = k;
            while (k < whole.size() && whole[k] >= '0' && whole[k] <= '9') ++k;
            return k - begin;
        };
        const std::size_t first = k;
        const std::size_t before = digits();
        bool good = before > 0;
        if (before > 1 && whole[first] == '0')
            refuse(i_, fmt::format("'{}': leading zeros are not allowed", whole));
        if (k < whole.size() && whole[k] == '.') good = (++k, digits() > 0) && good;
        if (k < whole.size() && (whole[k] == 'e' || whole[k] == 'E')) {
            ++k;
            if (k < whole.size() && (whole[k] == '+' || whole[k] == '-')) ++k;
            good = digits() > 0 && good;
        }
        if (good && k < whole.size())
            refuse(i_, fmt::format("'{}' is not a number; did you mean \"{}\" (in double quotes)?", whole,
                                   whole));
        if (!good) refuse(i_, fmt::format("'{}' is not a number", whole));
        const char* const end = whole.data() + whole.size();
        double value = 0;
        if (std::from_chars(whole.data(), end, value).ec != std::errc{})
            refuse(i_, fmt::format("'{}' is too large or too close to 0 for a number", whole));
        i_ += whole.size();
        if (whole.find_first_of(".eE") != std::string_view::npos) return value;
        std::uint64_t count = 0;
        std::int64_t negative = 0;
        if (whole.front() == '-') {
            if (std::from_chars(whole.data(), end, negative).ec == std::errc{}) return negative;
        } else if (std::from_chars(whole.data(), end, count).ec == std::errc{}) {
            return count;
        }
        return value;
    }

    void read_bare_word(JsonValue& value) {
        const std::string_view whole = word();
        if (whole == "true" || whole == "false") {
            value.kind_ = JsonValue::Kind::boolean;
            value.scalar_ = whole == "true";
        }
        if (whole == "null" || value.is_boolean()) {
            i_ += whole.size();
            return;
        }
        if (here() == '\'') refuse(i_, "write strings in double quotes, not in single quotes");
        if (here() == '/' || here() == '#') refuse(i_, "expected a value; comments start with // or /*");
        if (whole.empty()) refuse(i_, fmt::format("a value is missing before '{}'", current_character()));
        std::string lower(whole);
        for (char& c : lower)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
        for (const auto& [written, meant] :
             {std::pair{"true", "true"}, {"false", "false"}, {"null", "null"}, {"none", "null"}})
            if (lower == written)
                refuse(i_, fmt::format("'{}' is not a value; did you mean {}?", whole, meant));
        if (here() == '+' || here() == '.') refuse(i_, "a number starts with a digit or '-'");
        refuse(i_, fmt::format("write strings in double quotes: \"{}\"", shorten(whole)));
    }

    const std::string& file_;
    std::string_view text_;
    JsonStorage& storage_;
    bool as_written_;
    std::size_t i_ = 0;
    std::size_t values_ = 0;
    std::vector<std::size_t> open_;  // offsets of the brackets still open
    bool escaped_ = false;           // the last string() contained an escape sequence
    std::vector<Problem> noted_;
    std::size_t more_ = 0;  // number of problems beyond kMostNoted
};

JsonValue& parse_json(const std::string& file, std::string_view text, JsonStorage& storage,
                      std::vector<Problem>& noted, JsonMemberOrder members) {
    JsonParser parser(file, text, storage, members);
    JsonValue& root = parser.parse();
    parser.append_noted_problems(noted);
    return root;
}

}  // namespace sim
