#include "sim/json_text.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>

namespace sim {
namespace {

// How many bytes the UTF-8 character at text[i] has; 0 when it is none.
std::size_t utf8_length(std::string_view text, std::size_t i) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[i + k]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return 1;
    std::size_t length = 0;
    if (lead >= 0xc2 && lead <= 0xdf) length = 2;
    else if (lead >= 0xe0 && lead <= 0xef) length = 3;
    else if (lead >= 0xf0 && lead <= 0xf4) length = 4;
    if (length == 0 || i + length > text.size()) return 0;
    for (std::size_t k = 1; k < length; ++k)
        if ((byte(k) & 0xc0) != 0x80) return 0;
    if ((lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) > 0x9f) || (lead == 0xf0 && byte(1) < 0x90) ||
        (lead == 0xf4 && byte(1) > 0x8f))
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

// Walks over text that is known to be valid JSON with comments, calling visit(pointer, offset of the value, offset of
// its key) for each value, and on_twice(pointer, offset of the key) for each key that its object had before.
template <class Visit, class Twice>
class Walker {
  public:
    Walker(std::string_view text, Visit visit, Twice on_twice) : text_(text), visit_(visit), on_twice_(on_twice) {}

    void walk() { value({}, 0); }

  private:
    void skip_blanks() {
        for (;;) {
            while (i_ < text_.size() && std::strchr(" \t\r\n", text_[i_]) != nullptr) ++i_;
            if (text_.substr(i_, 2) == "//") {
                i_ = std::min(text_.find('\n', i_), text_.size());
            } else if (text_.substr(i_, 2) == "/*") {
                i_ = std::min(text_.find("*/", i_ + 2), text_.size() - 2) + 2;
            } else {
                return;
            }
        }
    }

    std::string_view quoted() {
        const std::size_t begin = i_++;
        while (text_[i_] != '"') i_ += text_[i_] == '\\' ? 2 : 1;
        ++i_;
        return text_.substr(begin, i_ - begin);
    }

    void value(const std::string& pointer, std::size_t key_offset) {
        skip_blanks();
        visit_(pointer, i_, key_offset);
        if (text_[i_] == '{') {
            ++i_;
            std::set<std::string> keys;
            for (skip_blanks(); text_[i_] != '}'; skip_blanks()) {
                const std::size_t at = i_;
                const std::string key = nlohmann::json::parse(quoted()).template get<std::string>();
                const std::string inner = pointer + "/" + pointer_piece(key);
                if (!keys.insert(key).second) on_twice_(inner, at);
                skip_blanks();
                ++i_;  // the colon
                value(inner, at);
                skip_blanks();
                if (text_[i_] == ',') ++i_;
            }
            ++i_;
        } else if (text_[i_] == '[') {
            ++i_;
            std::size_t index = 0;
            for (skip_blanks(); text_[i_] != ']'; skip_blanks()) {
                value(pointer + "/" + std::to_string(index++), i_);
                skip_blanks();
                if (text_[i_] == ',') ++i_;
            }
            ++i_;
        } else if (text_[i_] == '"') {
            quoted();
        } else {
            while (i_ < text_.size() && std::strchr(" \t\r\n,]}/", text_[i_]) == nullptr) ++i_;
        }
    }

    std::string_view text_;
    std::size_t i_ = 0;
    Visit visit_;
    Twice on_twice_;
};

// Refuses, before parsing, what parsing should not meet. Throws ScenarioError.
void check_bytes(const std::string& file, std::string_view text) {
    const auto refuse = [&](std::size_t offset, std::string message) {
        Problem problem{file, 0, 0, {}, std::move(message)};
        set_place(problem, text, offset);
        throw ScenarioError(std::move(problem));
    };
    if (text.size() > kMaxJsonBytes)
        throw ScenarioError(Problem{file, 0, 0, {}, fmt::format("larger than {} MiB", kMaxJsonBytes >> 20)});
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = utf8_length(text, i);
        if (length == 0)
            refuse(i, fmt::format("byte 0x{:02x} is not UTF-8 text", static_cast<unsigned char>(text[i])));
        i += length;
    }
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            else if (c == '"') in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (text.substr(i, 2) == "//") {
            i = std::min(text.find('\n', i), text.size());
        } else if (text.substr(i, 2) == "/*") {
            i = std::min(text.find("*/", i + 2), text.size() - 2) + 1;
        } else if (c == '[' || c == '{') {
            if (++depth > kMaxJsonDepth) refuse(i, fmt::format("nested more than {} deep", kMaxJsonDepth));
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
}

}  // namespace

std::string pointer_piece(std::string_view name) {
    std::string piece;
    for (char c : name) {
        if (c == '~') piece += "~0";
        else if (c == '/') piece += "~1";
        else piece += c;
    }
    return piece;
}

std::string kind_of(const nlohmann::json& value) {
    const char* name = value.type_name();
    const bool vowel = std::strchr("aeiou", name[0]) != nullptr;
    return value.is_null() ? "null" : fmt::format("{} {}", vowel ? "an" : "a", name);
}

JsonText::JsonText(std::string file, std::string text) : file_(std::move(file)), text_(std::move(text)) {
    if (text_.starts_with("\xef\xbb\xbf")) text_.erase(0, 3);  // a byte-order mark
    check_bytes(file_, text_);
    if (text_.find_first_not_of(" \t\r\n") == std::string::npos)
        throw ScenarioError(Problem{file_, 0, 0, {}, "empty: a JSON object is expected"});
    try {
        value_ = nlohmann::json::parse(text_, nullptr, true, /*ignore_comments=*/true);
    } catch (const nlohmann::json::exception& error) {
        Problem problem{file_, 0, 0, {}, error.what()};
        std::size_t byte = text_.size();
        if (const auto* parse = dynamic_cast<const nlohmann::json::parse_error*>(&error)) byte = parse->byte;
        set_place(problem, text_, byte == 0 ? 0 : byte - 1);
        // "[json.exception.parse_error.101] parse error at line 3, column 5: syntax error ...": the place is ours.
        std::string& m = problem.message;
        if (const auto bracket = m.find("] "); bracket != std::string::npos) m.erase(0, bracket + 2);
        if (m.starts_with("parse error at"))
            if (const auto colon = m.find(": "); colon != std::string::npos) m.erase(0, colon + 2);
        for (char& c : m)
            if (static_cast<unsigned char>(c) < 0x20) c = ' ';
        throw ScenarioError(std::move(problem));
    }

    std::vector<Problem> twice;
    const auto on_twice = [&](const std::string& pointer, std::size_t offset) {
        twice.push_back({file_, 0, 0, pointer, "this key is given twice"});
        set_place(twice.back(), text_, offset);
        if (twice.size() >= 20) throw ScenarioError(twice);
    };
    Walker(std::string_view(text_), [](const std::string&, std::size_t, std::size_t) {}, on_twice).walk();
    if (!twice.empty()) throw ScenarioError(std::move(twice));
}

Problem JsonText::problem_at(const std::string& pointer, std::string message, bool at_key) const {
    Problem problem{file_, 0, 0, pointer, std::move(message)};
    for (const auto& [where, origin] : set_) {
        if (pointer == where || pointer.starts_with(where + "/")) {
            problem.file = "--set " + origin;
            return problem;
        }
    }
    // The value itself or, when it is missing, the nearest one around it.
    std::size_t best_offset = 0, best_length = 0;
    const auto visit = [&](const std::string& candidate, std::size_t offset, std::size_t key_offset) {
        const bool inside = pointer == candidate || pointer.starts_with(candidate + "/") || candidate.empty();
        if (!inside || candidate.size() < best_length) return;
        best_length = candidate.size();
        best_offset = at_key && candidate == pointer ? key_offset : offset;
    };
    Walker(std::string_view(text_), visit, [](const std::string&, std::size_t) {}).walk();
    set_place(problem, text_, best_offset);
    return problem;
}

void JsonText::set(const std::string& assignment) {
    const auto refuse = [&](std::string message) {
        throw ScenarioError(Problem{"--set " + assignment, 0, 0, {}, std::move(message)});
    };
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos) refuse("POINTER=VALUE is expected, like /tasks/0/count=10");
    std::string pointer = assignment.substr(0, equals);
    if (!pointer.empty() && pointer.front() != '/') pointer.insert(0, 1, '/');
    const std::string text = assignment.substr(equals + 1);
    check_bytes("--set " + assignment, text);
    nlohmann::json value = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (value.is_discarded()) value = text;

    try {
        const nlohmann::json::json_pointer target(pointer);
        if (target.empty()) refuse("the whole scenario cannot be set");
        if (!value_.contains(target.parent_pointer()))
            refuse(fmt::format("there is no '{}' to set anything in", target.parent_pointer().to_string()));
        nlohmann::json& parent = value_.at(target.parent_pointer());
        // "machine": "name" stands for "machine": {"base": "name"}, so that its parts can be set.
        if (pointer.starts_with("/machine/") && parent.is_string()) parent = {{"base", parent}};
        if (parent.is_object()) {
            parent[target.back()] = std::move(value);
        } else if (parent.is_array() && value_.contains(target)) {
            value_.at(target) = std::move(value);
        } else if (parent.is_array()) {
            refuse(fmt::format("'{}' has {} elements, counted from 0", target.parent_pointer().to_string(),
                               parent.size()));
        } else {
            refuse(fmt::format("'{}' is {}, which has no members", target.parent_pointer().to_string(),
                               kind_of(parent)));
        }
    } catch (const nlohmann::json::exception&) {
        refuse("this is no JSON pointer; one looks like /tasks/0/count");
    }
    set_[pointer] = assignment;
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
    if (!fs::is_regular_file(status)) refuse("not a regular file; for a pipe, write '-' and use standard input");
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
