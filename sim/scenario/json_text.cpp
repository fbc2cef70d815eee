#include "sim/scenario/json_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <numeric>

namespace sim {
namespace {

// How many bytes the UTF-8 character at text[i] has; 0 when it is none.
std::size_t utf8_length(std::string_view text, std::size_t i) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[i + k]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return 1;
    std::size_t length = 0;
    if (lead >= 0xc2 && lead <= 0xdf)
        length = 2;
    else if (lead >= 0xe0 && lead <= 0xef)
        length = 3;
    else if (lead >= 0xf0 && lead <= 0xf4)
        length = 4;
    if (length == 0 || i + length > text.size()) return 0;
    for (std::size_t k = 1; k < length; ++k)
        if ((byte(k) & 0xc0) != 0x80) return 0;
    if ((lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) > 0x9f) ||
        (lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) > 0x8f))
        return 0;
    return length;
}

void set_place(Problem& problem, std::string_view text, std::size_t offset) {
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

// Moves over JSON with comments.
class Cursor {
  public:
    explicit Cursor(std::string_view text) : text_(text) {}

  protected:
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

    // The key between these quotes as it is meant. `escaped` keeps it when it is not written like that.
    static std::string_view key_of(std::string_view quoted, std::deque<std::string>& escaped) {
        if (quoted.find('\\') == std::string_view::npos) return quoted.substr(1, quoted.size() - 2);
        return escaped.emplace_back(nlohmann::json::parse(quoted).get<std::string>());
    }

    std::string_view text_;
    std::size_t i_ = 0;
};

std::string place_of(std::string_view text, std::size_t offset) {
    Problem problem;
    set_place(problem, text, offset);
    return fmt::format("line {}, column {}", problem.line, problem.column);
}

// Checks that a text is JSON with comments, in words for somebody who has written little of it; that it is no
// deeper and has no more values than allowed; and which keys are given twice.
class SyntaxCheck : public Cursor {
  public:
    struct Twice {
        std::string pointer;
        std::size_t offset;  // of the later one
    };

    SyntaxCheck(const std::string& file, std::string_view text) : Cursor(text), file_(file) {}

    // Throws ScenarioError.
    void check() {
        skip_blanks();
        if (at_end()) throw ScenarioError(Problem{file_, 0, 0, {}, "empty: a JSON object is expected"});
        value();
        skip_blanks();
        if (at_end()) return;
        if (here() == '}' || here() == ']') refuse(i_, fmt::format("a '{}' too many", here()));
        if (at("/*")) refuse_end();
        refuse(i_, "nothing may follow the end of the JSON value");
    }

    std::vector<Twice> twice;    // the first of them
    std::size_t more_twice = 0;  // how many there are beyond these

  private:
    static constexpr std::size_t kMostTwice = 50;
    static constexpr std::size_t kLongestNumber = 100;

    [[noreturn]] void refuse(std::size_t offset, std::string message) const {
        Problem problem{file_, 0, 0, {}, std::move(message)};
        set_place(problem, text_, offset);
        throw ScenarioError(std::move(problem));
    }

    // The character here, for a message.
    std::string shown() const {
        return std::string(text_.substr(i_, std::max<std::size_t>(utf8_length(text_, i_), 1)));
    }

    // What looks like a word or a number here: up to the next blank or punctuation.
    std::string_view word() const {
        const std::size_t end = std::min(text_.find_first_of(" \t\r\n,:;=[]{}\"'/", i_), text_.size());
        return text_.substr(i_, end - i_);
    }

    [[noreturn]] void refuse_end() const {
        if (at("/*")) refuse(i_, "this comment has no end: */ is missing");
        const std::size_t open = open_.back();
        const char closing = text_[open] == '{' ? '}' : ']';
        refuse(text_.size(), fmt::format("the file ends, and a '{}' is missing for the '{}' in {}", closing,
                                         text_[open], place_of(text_, open)));
    }

    void value() {
        skip_blanks();
        if (at_end() || at("/*")) refuse_end();
        if (++values_ > kMaxJsonValues) refuse(i_, fmt::format("more than {} values", kMaxJsonValues));
        const char c = here();
        if (c == '{' || c == '[') {
            if (open_.size() == kMaxJsonDepth)
                refuse(i_, fmt::format("nested more than {} deep", kMaxJsonDepth));
            open_.push_back(i_++);
            c == '{' ? object() : array();
            open_.pop_back();
        } else if (c == '"') {
            string();
        } else if (c == '-' || (c >= '0' && c <= '9')) {
            number();
        } else {
            bare_word();
        }
    }

    void object() {
        std::vector<std::pair<std::string_view, std::size_t>> keys;
        std::deque<std::string> escaped;
        const std::size_t depth = path_.size();
        path_.emplace_back();
        for (std::size_t comma = 0;;) {
            skip_blanks();
            if (here() == '}') {
                if (comma != 0) refuse(comma, "a comma too many: '}' follows");
                break;
            }
            key_begins();
            const std::size_t begin = i_;
            string();
            keys.emplace_back(key_of(text_.substr(begin, i_ - begin), escaped), begin);
            const std::size_t end = i_;
            skip_blanks();
            if (here() != ':') refuse(end, "a ':' and a value are expected after the key");
            ++i_;
            path_[depth] = keys.back().first;
            value();
            if (!comma_or_end('}', comma)) break;
        }
        ++i_;
        path_.pop_back();
        std::stable_sort(keys.begin(), keys.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::size_t k = 1; k < keys.size(); ++k) {
            if (keys[k].first != keys[k - 1].first) continue;
            if (twice.size() >= kMostTwice) {
                ++more_twice;
                continue;
            }
            std::string pointer;  // no longer than will be printed: keys may be
            const auto append = [&](std::string_view piece) {
                if (pointer.size() <= kLongestPointer)
                    pointer.append(1, '/').append(pointer_piece(piece.substr(0, kLongestPointer + 1)));
            };
            for (const auto& piece : path_) append(piece);
            append(keys[k].first);
            twice.push_back({shorten(pointer, kLongestPointer), keys[k].second});
        }
    }

    void array() {
        std::size_t index = 0;
        const std::size_t depth = path_.size();
        path_.emplace_back();
        std::string number;  // short: the path refers to it
        for (std::size_t comma = 0;;) {
            skip_blanks();
            if (here() == ']') {
                if (comma != 0) refuse(comma, "a comma too many: ']' follows");
                break;
            }
            number = std::to_string(index++);
            path_[depth] = number;
            value();
            if (!comma_or_end(']', comma)) break;
        }
        ++i_;
        path_.pop_back();
    }

    // Behind a member or an element. Answers whether another one follows.
    bool comma_or_end(char closing, std::size_t& comma) {
        const std::size_t end = i_;
        skip_blanks();
        if (here() == closing) return false;
        if (at_end() || at("/*")) refuse_end();
        if (here() == ',') {
            comma = i_++;
            return true;
        }
        if (here() == '}' || here() == ']')
            refuse(i_, fmt::format("'{}' is expected, not '{}': the '{}' in {} comes first", closing, here(),
                                   text_[open_.back()], place_of(text_, open_.back())));
        if (here() == '"' || here() == '{' || here() == '[') refuse(end, "a ',' is missing here");
        refuse(i_, fmt::format("',' or '{}' is expected, not '{}'", closing, shown()));
    }

    void key_begins() {
        if (here() == '"') return;
        if (at_end() || at("/*")) refuse_end();
        if (here() == ',') refuse(i_, "a comma too many");
        if (here() == '\'') refuse(i_, "a key is written in double quotes, not in single ones");
        if (here() == '#' || here() == '/') refuse(i_, "a key is expected; a comment begins with // or /*");
        const std::string_view key = word();
        if (key.empty()) refuse(i_, fmt::format("a key in double quotes is expected, not '{}'", shown()));
        refuse(i_, fmt::format("a key is written in double quotes: \"{}\"", shorten(key)));
    }

    void string() {
        const std::size_t begin = i_++;
        for (;; ++i_) {
            if (at_end() || here() == '\n' || here() == '\r')
                refuse(begin, "the closing quote of this string is missing");
            const auto c = static_cast<unsigned char>(here());
            if (c == '"') break;
            if (c < 0x20) refuse(i_, fmt::format("a control character in a string is written \\u{:04x}", c));
            if (c == '\\') escape();
        }
        ++i_;
    }

    // At a backslash; moves to the last character of the escape sequence.
    void escape() {
        const std::size_t begin = i_++;
        if (at_end()) return;
        if (here() != 'u') {
            if (std::strchr("\"\\/bfnrt", here()) == nullptr)
                refuse(begin, "a backslash in a string is written \\\\");
            return;
        }
        const unsigned first = hex_digits(begin);
        if (first < 0xd800 || first > 0xdfff) return;
        bool whole = false;
        if (first < 0xdc00 && text_.substr(i_ + 1, 2) == "\\u") {
            i_ += 2;
            const unsigned second = hex_digits(begin);
            whole = second >= 0xdc00 && second <= 0xdfff;
        }
        if (!whole)
            refuse(begin, fmt::format("\\u{:04x} is half of a character: the other half is missing", first));
    }

    // At the 'u' of an escape sequence; moves to its last digit.
    unsigned hex_digits(std::size_t begin) {
        unsigned code = 0;
        for (int k = 0; k < 4; ++k) {
            ++i_;
            const char c = here();
            const bool digit = c >= '0' && c <= '9';
            const char lower = static_cast<char>(c | 0x20);
            if (!digit && (lower < 'a' || lower > 'f'))
                refuse(begin, "four hexadecimal digits are expected after \\u");
            code = code * 16 + static_cast<unsigned>(digit ? c - '0' : lower - 'a' + 10);
        }
        return code;
    }

    void number() {
        const std::string_view whole = word();
        if (whole.size() > kLongestNumber)
            refuse(i_, fmt::format("a number of more than {} digits", kLongestNumber));
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
            refuse(i_, fmt::format("'{}': a number has no 0 before its first digit", whole));
        if (k < whole.size() && whole[k] == '.') good = (++k, digits() > 0) && good;
        if (k < whole.size() && (whole[k] == 'e' || whole[k] == 'E')) {
            ++k;
            if (k < whole.size() && (whole[k] == '+' || whole[k] == '-')) ++k;
            good = digits() > 0 && good;
        }
        if (good && k < whole.size())
            refuse(i_,
                   fmt::format("'{}' is no number; did you mean \"{}\", in double quotes?", whole, whole));
        if (!good) refuse(i_, fmt::format("'{}' is no number", whole));
        double value = 0;
        const auto result = std::from_chars(whole.data(), whole.data() + whole.size(), value);
        if (result.ec != std::errc{}) refuse(i_, fmt::format("'{}' is beyond what a number can be", whole));
        i_ += whole.size();
    }

    void bare_word() {
        const std::string_view whole = word();
        if (whole == "true" || whole == "false" || whole == "null") {
            i_ += whole.size();
            return;
        }
        if (here() == '\'') refuse(i_, "a string is written in double quotes, not in single ones");
        if (here() == '/' || here() == '#') refuse(i_, "a value is expected; a comment begins with // or /*");
        if (whole.empty()) refuse(i_, fmt::format("a value is missing before '{}'", shown()));
        std::string lower(whole);
        for (char& c : lower)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
        for (const auto& [written, meant] :
             {std::pair{"true", "true"}, {"false", "false"}, {"null", "null"}, {"none", "null"}})
            if (lower == written) refuse(i_, fmt::format("'{}' is no value; did you mean {}?", whole, meant));
        if (here() == '+' || here() == '.') refuse(i_, "a number begins with a digit or with '-'");
        refuse(i_, fmt::format("a string is written in double quotes: \"{}\"", shorten(whole)));
    }

    const std::string& file_;
    std::size_t values_ = 0;
    std::vector<std::size_t> open_;       // where the brackets around this place are
    std::vector<std::string_view> path_;  // the pointer to this place
};

// Finds the offsets of many pointers in one walk over text that SyntaxCheck has passed. What leads to none of
// them is skipped.
class Locator : public Cursor {
  public:
    struct Wanted {
        std::string_view pointer;  // what is left of it
        bool at_key = false;
        std::size_t offset = 0;  // of the value or the key; of the nearest one around it when it is missing
    };

    Locator(std::string_view text, std::vector<Wanted>& wanted) : Cursor(text), wanted_(wanted) {}

    void walk() {
        std::vector<std::size_t> all(wanted_.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        value(all, 0);
    }

  private:
    void value(const std::vector<std::size_t>& here_or_below, std::size_t key_offset) {
        skip_blanks();
        std::map<std::string, std::vector<std::size_t>, std::less<>> below;
        for (const std::size_t w : here_or_below) {
            Wanted& wanted = wanted_[w];
            wanted.offset = wanted.pointer.empty() && wanted.at_key ? key_offset : i_;
            if (wanted.pointer.empty()) continue;
            const std::size_t slash = wanted.pointer.find('/', 1);
            below[std::string(wanted.pointer.substr(1, slash - 1))].push_back(w);
            wanted.pointer.remove_prefix(std::min(slash, wanted.pointer.size()));
        }
        if (below.empty() || (here() != '{' && here() != '[')) return skip_value();
        const bool is_object = here() == '{';
        ++i_;
        std::deque<std::string> escaped;
        for (std::size_t index = 0;; ++index) {
            skip_blanks();
            if (here() == '}' || here() == ']') break;
            const std::size_t begin = i_;
            auto found = below.end();
            if (is_object) {
                skip_string();
                const std::string_view key = key_of(text_.substr(begin, i_ - begin), escaped);
                found = key.find_first_of("~/") == std::string_view::npos ? below.find(key)
                                                                          : below.find(pointer_piece(key));
                escaped.clear();
                skip_blanks();
                ++i_;  // the colon
            } else {
                char number[24];
                const auto end = std::to_chars(number, number + sizeof number, index).ptr;
                found = below.find(std::string_view(number, static_cast<std::size_t>(end - number)));
            }
            if (found == below.end())
                skip_value();
            else
                value(found->second, begin);
            skip_blanks();
            if (here() == ',') ++i_;
        }
        ++i_;
    }

    void skip_string() {
        for (++i_; here() != '"'; ++i_)
            if (here() == '\\') ++i_;
        ++i_;
    }

    void skip_value() {
        int depth = 0;
        do {
            skip_blanks();
            const char c = here();
            if (c == '"') {
                skip_string();
                continue;
            }
            if (c == '{' || c == '[')
                ++depth;
            else if (c == '}' || c == ']')
                --depth;
            else if (c != ',' && c != ':')
                while (i_ + 1 < text_.size() && std::strchr(" \t\r\n,:]}/", text_[i_ + 1]) == nullptr) ++i_;
            ++i_;
        } while (depth > 0);
    }

    std::vector<Wanted>& wanted_;
};

// Refuses what is no text. Throws ScenarioError.
void check_bytes(const std::string& file, std::string_view text) {
    const auto refuse = [&](std::size_t offset, std::string message) {
        Problem problem{file, 0, 0, {}, std::move(message)};
        set_place(problem, text, offset);
        throw ScenarioError(std::move(problem));
    };
    if (text.size() > kMaxJsonBytes)
        throw ScenarioError(Problem{file, 0, 0, {}, fmt::format("larger than {} MiB", kMaxJsonBytes >> 20)});
    const bool utf16 = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") ||
                       (text.size() >= 2 && (text[0] == '\0') != (text[1] == '\0'));
    if (utf16) throw ScenarioError(Problem{file, 0, 0, {}, "this is UTF-16 text; save it as UTF-8"});
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = utf8_length(text, i);
        if (length == 0)
            refuse(i, fmt::format("byte 0x{:02x} is not UTF-8 text; save the file as UTF-8",
                                  static_cast<unsigned char>(text[i])));
        if (text[i] == '\0') refuse(i, "a NUL byte: this is no text");
        i += length;
    }
}

}  // namespace

std::string pointer_piece(std::string_view name) {
    std::string piece;
    for (char c : name) {
        if (c == '~')
            piece += "~0";
        else if (c == '/')
            piece += "~1";
        else
            piece += c;
    }
    return piece;
}

std::string kind_of(const nlohmann::json& value) {
    const char* name = value.type_name();
    const bool vowel = std::strchr("aeiou", name[0]) != nullptr;
    return value.is_null() ? "null" : fmt::format("{} {}", vowel ? "an" : "a", name);
}

JsonText::JsonText(std::string file, std::string text, std::vector<Problem>* given_twice)
    : file_(std::move(file)), text_(std::move(text)) {
    if (text_.starts_with("\xef\xbb\xbf")) text_.erase(0, 3);  // a byte-order mark
    check_bytes(file_, text_);
    SyntaxCheck syntax(file_, text_);
    syntax.check();
    try {
        value_ = nlohmann::json::parse(text_, nullptr, true, /*ignore_comments=*/true);
    } catch (const nlohmann::json::exception& error) {  // which SyntaxCheck should have foreseen
        throw ScenarioError(Problem{file_, 0, 0, {}, error.what()});
    }

    std::vector<Problem> twice;
    for (SyntaxCheck::Twice& key : syntax.twice) {
        twice.push_back({file_, 0, 0, std::move(key.pointer), "this key is given twice"});
        set_place(twice.back(), text_, key.offset);
    }
    if (syntax.more_twice > 0)
        twice.push_back(
            {file_, 0, 0, {}, fmt::format("and {} more keys are given twice", syntax.more_twice)});
    if (given_twice != nullptr)
        *given_twice = std::move(twice);
    else if (!twice.empty())
        throw ScenarioError(std::move(twice));
}

Problem JsonText::problem_at(const std::string& pointer, std::string message, bool at_key) const {
    std::vector<Problem> problem{{file_, 0, 0, pointer, std::move(message)}};
    place(problem, {at_key});
    return problem.front();
}

void JsonText::place(std::span<Problem> problems, const std::vector<bool>& at_key) const {
    std::vector<Locator::Wanted> wanted;
    std::vector<Problem*> placed;
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const std::string& pointer = problems[i].pointer;
        const std::string* origin = nullptr;
        for (const auto& [where, assignment] : set_)  // the innermost, which comes last
            if (pointer == where || pointer.starts_with(where + "/")) origin = &assignment;
        if (origin != nullptr) {
            problems[i].file = *origin;
            continue;
        }
        wanted.push_back({pointer, at_key[i], 0});
        placed.push_back(&problems[i]);
    }
    if (wanted.empty()) return;
    Locator(text_, wanted).walk();
    for (std::size_t i = 0; i < wanted.size(); ++i) set_place(*placed[i], text_, wanted[i].offset);
}

void JsonText::set(const std::string& assignment) {
    const std::string origin = "--set " + shorten(assignment, 100);
    const auto refuse = [&](std::string message) {
        throw ScenarioError(Problem{origin, 0, 0, {}, std::move(message)});
    };
    check_bytes(origin, assignment);
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos) refuse("POINTER=VALUE is expected, like /tasks/0/count=10");
    std::string pointer = assignment.substr(0, equals);
    if (!pointer.empty() && pointer.front() != '/') pointer.insert(0, 1, '/');
    const std::string text = assignment.substr(equals + 1);
    nlohmann::json value = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (value.is_discarded())
        value = text;
    else
        JsonText(origin, text);  // finds what that parser lets pass

    try {
        const nlohmann::json::json_pointer target(pointer);
        if (target.empty()) refuse("the whole scenario cannot be set");
        // "machine": "name" stands for "machine": {"base": "name"}, so that its parts can be set.
        if (pointer.starts_with("/machine/") && value_.is_object() && value_.contains("machine")) {
            nlohmann::json& machine = value_.at("machine");
            if (machine.is_string()) machine = nlohmann::json::object({{"base", machine}});
        }
        const nlohmann::json::json_pointer above = target.parent_pointer();
        // What the base says of costs, TLB and cache is not in the text; an object for the part that changes
        // goes over it.
        if (pointer.starts_with("/machine/")) {
            std::vector<nlohmann::json::json_pointer> missing;
            constexpr std::size_t kDeepest = 8;  // as deep as a machine can be, and more
            for (nlohmann::json::json_pointer part = above;
                 missing.size() < kDeepest && !part.empty() && !value_.contains(part);
                 part = part.parent_pointer())
                missing.push_back(part);
            for (auto part = missing.rbegin(); part != missing.rend(); ++part)
                if (value_.contains(part->parent_pointer()) &&
                    value_.at(part->parent_pointer()).is_object()) {
                    value_[*part] = nlohmann::json::object();
                    set_[part->to_string()] = origin;
                }
        }
        const std::string above_shown =
            above.empty() ? "the scenario" : fmt::format("'{}'", shorten(above.to_string()));
        if (!value_.contains(above)) refuse(fmt::format("there is no {} to set anything in", above_shown));
        nlohmann::json& parent = value_.at(above);
        if (parent.is_object()) {
            parent[target.back()] = std::move(value);
        } else if (parent.is_array() && value_.contains(target)) {
            value_.at(target) = std::move(value);
        } else if (parent.is_array()) {
            refuse(fmt::format("{} has {} elements, counted from 0", above_shown, parent.size()));
        } else {
            refuse(fmt::format("{} is {}, which has no members", above_shown, kind_of(parent)));
        }
    } catch (const nlohmann::json::out_of_range&) {
        refuse("a number in this pointer is too large");
    } catch (const nlohmann::json::exception&) {
        refuse("this is no JSON pointer; one looks like /tasks/0/count");
    }
    // What was set there or below it before is gone.
    std::erase_if(set_, [&](const auto& earlier) {
        return earlier.first == pointer || earlier.first.starts_with(pointer + "/");
    });
    set_[pointer] = origin;
}

std::string read_text_file(const std::string& path, std::size_t most) {
    const auto refuse = [&](std::string message) {
        throw ScenarioError(Problem{path == "-" ? "standard input" : path, 0, 0, {}, std::move(message)});
    };
    std::string text;
    const auto read_from = [&](std::istream& in) {
        char buffer[1 << 16];
        while (text.size() <= most && (in.read(buffer, sizeof buffer), in.gcount() > 0))
            text.append(buffer, static_cast<std::size_t>(in.gcount()));
        if (in.bad()) refuse("cannot be read");
        if (text.size() > most) refuse(fmt::format("larger than {} MiB", most >> 20));
    };
    if (path == "-") {
        read_from(std::cin);
        return text;
    }
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) refuse("no such file");
    if (error) refuse(error.message());
    if (fs::is_directory(status)) refuse("a directory, not a file");
    if (!fs::is_regular_file(status))
        refuse("not a regular file; for a pipe, write '-' and use standard input");
    const std::uintmax_t size = fs::file_size(path, error);
    if (!error && size > most) refuse(fmt::format("larger than {} MiB", most >> 20));
    std::ifstream in(path, std::ios::binary);
    if (!in) refuse(fmt::format("cannot be opened: {}", std::strerror(errno)));
    read_from(in);
    if (error || text.size() != size || fs::file_size(path, error) != size || error)
        refuse("changed while it was being read");
    return text;
}

}  // namespace sim
