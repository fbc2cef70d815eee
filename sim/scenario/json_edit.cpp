#include "sim/scenario/json_edit.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace sim {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool only_of(std::string_view text, std::string_view characters) {
    return text.find_first_not_of(characters) == kNone;
}

// Behind the blanks and comments at this offset.
std::size_t skipped(std::string_view text, std::size_t i) {
    for (;;) {
        i = std::min(text.find_first_not_of(" \t\r\n", i), text.size());
        if (text.substr(i, 2) == "//")
            i = std::min(text.find('\n', i), text.size());
        else if (text.substr(i, 2) == "/*")
            i = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
        else
            return i;
    }
}

// The comma behind a member that ends at this offset; nowhere behind the last.
std::size_t comma_behind(std::string_view text, std::size_t end) {
    const std::size_t i = skipped(text, end);
    return i < text.size() && text[i] == ',' ? i : kNone;
}

std::size_t line_begin(std::string_view text, std::size_t i) {
    const std::size_t newline = text.substr(0, i).rfind('\n');
    return newline == kNone ? 0 : newline + 1;
}

// Where the line ends, before its CR and LF.
std::size_t line_end(std::string_view text, std::size_t i) {
    const std::size_t newline = std::min(text.find('\n', i), text.size());
    return newline > i && text[newline - 1] == '\r' ? newline - 1 : newline;
}

std::string_view newline_of(std::string_view text) { return text.find("\r\n") == kNone ? "\n" : "\r\n"; }

// The blanks before what is written there, if there is nothing else before it on its line.
bool begins_line(std::string_view text, std::size_t i) {
    const std::size_t begin = line_begin(text, i);
    return only_of(text.substr(begin, i - begin), " \t");
}
std::string_view indent_of(std::string_view text, std::size_t i) {
    const std::size_t begin = line_begin(text, i);
    return text.substr(begin, i - begin);
}

// Whether there is nothing but its comma and a comment behind it on its line.
bool ends_line(std::string_view text, std::size_t end) {
    std::string_view rest = text.substr(end, line_end(text, end) - end);
    const std::size_t comma = comma_behind(text, end);
    if (comma != kNone) {
        if (comma >= end + rest.size()) return false;
        rest.remove_prefix(comma + 1 - end);
    }
    const std::size_t first = rest.find_first_not_of(" \t");
    return first == kNone || rest.substr(first, 2) == "//";
}

bool has_own_lines(std::string_view text, const JsonValue& member) {
    return begins_line(text, member.key_begin()) && ends_line(text, member.end());
}

// What stands between key and value of the members there.
std::string_view colon_of(std::string_view text, const JsonValue& member) {
    std::size_t i = member.key_begin() + 1;
    for (; text[i] != '"'; ++i)
        if (text[i] == '\\') ++i;
    const std::string_view between = text.substr(i + 1, member.begin() - i - 1);
    return only_of(between, ": ") ? between : ": ";
}

// What stands between two members that share a line: behind this one, or else behind the first.
std::string_view separator_of(std::string_view text, const JsonValue& member, const JsonValue& first) {
    for (const JsonValue* one : {&member, &first}) {
        const std::size_t comma = comma_behind(text, one->end());
        if (comma == kNone) continue;
        const std::string_view between = text.substr(one->end(), skipped(text, comma + 1) - one->end());
        if (only_of(between, ", ")) return between;
    }
    return ", ";
}

// Where a key has its place; behind all that have one, for another.
std::size_t rank_of(std::string_view key, std::span<const std::string_view> order) {
    return static_cast<std::size_t>(std::find(order.begin(), order.end(), key) - order.begin());
}

// The last written of the members that come before one of that key; null when it is the first.
const JsonValue* predecessor(const JsonValue& object, std::string_view key,
                             std::span<const std::string_view> order) {
    const std::size_t rank = rank_of(key, order);
    const JsonValue* last = nullptr;
    for (const JsonValue* member : object.children())
        if ((rank == order.size() || rank_of(member->key(), order) < rank) &&
            (last == nullptr || member->begin() > last->begin()))
            last = member;
    return last;
}

const JsonValue& first_of(const JsonValue& object) {
    return **std::min_element(object.children().begin(), object.children().end(),
                              [](const JsonValue* a, const JsonValue* b) { return a->begin() < b->begin(); });
}

}  // namespace

std::string json_string(std::string_view text) { return nlohmann::json(std::string(text)).dump(); }

std::string with_replaced(const JsonTree& tree, const JsonValue& value, std::string_view json) {
    std::string text = tree.text();
    return text.replace(value.begin(), value.end() - value.begin(), json);
}

std::string with_member(const JsonTree& tree, const JsonValue& object, std::string_view key,
                        std::string_view json, std::span<const std::string_view> order) {
    const std::string_view before = tree.text();
    std::string text = tree.text();
    std::string member = json_string(key);
    if (object.size() == 0) return text.insert(object.begin() + 1, member.append(": ").append(json));
    const JsonValue& first = first_of(object);
    member.append(colon_of(before, first)).append(json);

    const JsonValue* const neighbour = predecessor(object, key, order);
    if (neighbour == nullptr) {
        const std::size_t at = first.key_begin();
        member += begins_line(before, at)
                      ? "," + std::string(newline_of(before)).append(indent_of(before, at))
                      : std::string(separator_of(before, first, first));
        return text.insert(at, member);
    }
    const std::size_t end = neighbour->end();
    if (!has_own_lines(before, *neighbour))
        return text.insert(end, std::string(separator_of(before, *neighbour, first)).append(member));
    // Behind the comment that its neighbour may have on its line.
    member.insert(0, std::string(newline_of(before)).append(indent_of(before, neighbour->key_begin())));
    const bool is_last = comma_behind(before, end) == kNone;
    text.insert(line_end(before, end), is_last ? member : member + ",");
    return is_last ? text.insert(end, ",") : text;
}

std::string without_member(const JsonTree& tree, const JsonValue& object, const JsonValue& member) {
    const std::string_view before = tree.text();
    std::string text = tree.text();
    const std::size_t comma = comma_behind(before, member.end());
    const JsonValue* previous = nullptr;
    for (const JsonValue* other : object.children())
        if (other->end() <= member.key_begin() && (previous == nullptr || other->end() > previous->end()))
            previous = other;
    const bool ends_list = comma == kNone && previous != nullptr;
    if (has_own_lines(before, member)) {
        const std::size_t begin = line_begin(before, member.key_begin());
        const std::size_t newline = std::min(before.find('\n', member.end()), before.size() - 1);
        text.erase(begin, newline + 1 - begin);
        if (ends_list) text.erase(comma_behind(before, previous->end()), 1);
        return text;
    }
    const std::size_t begin = ends_list ? previous->end() : member.key_begin();
    const std::size_t end = comma == kNone ? member.end() : before.find_first_not_of(" \t", comma + 1);
    return text.erase(begin, end - begin);
}

}  // namespace sim
