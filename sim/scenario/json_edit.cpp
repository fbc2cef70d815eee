#include "sim/scenario/json_edit.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace sim {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool consists_of(std::string_view text, std::string_view characters) {
    return text.find_first_not_of(characters) == kNone;
}

// Start of the line that contains offset i. CR counts as a line end, as for comments in the parser.
std::size_t line_begin(std::string_view text, std::size_t i) {
    const std::size_t newline = text.substr(0, i).find_last_of("\r\n");
    return newline == kNone ? 0 : newline + 1;
}

// End of the line that contains offset i, before the CR or LF.
std::size_t line_end(std::string_view text, std::size_t i) {
    return std::min(text.find_first_of("\r\n", i), text.size());
}

// Start of the line after the line that contains offset i.
std::size_t next_line(std::string_view text, std::size_t i) {
    const std::size_t end = line_end(text, i);
    return std::min(end + (text.substr(end, 2) == "\r\n" ? 2 : 1), text.size());
}

// First offset from i on that is not in whitespace or a comment.
std::size_t skip_blanks_and_comments(std::string_view text, std::size_t i) {
    for (;;) {
        i = std::min(text.find_first_not_of(" \t\r\n", i), text.size());
        if (text.substr(i, 2) == "//")
            i = line_end(text, i);
        else if (text.substr(i, 2) == "/*")
            i = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
        else
            return i;
    }
}

// Offset of the comma after a member that ends at `end`; kNone after the last member.
std::size_t comma_after(std::string_view text, std::size_t end) {
    const std::size_t i = skip_blanks_and_comments(text, end);
    return i < text.size() && text[i] == ',' ? i : kNone;
}

// The line ending used by the text.
std::string_view newline_of(std::string_view text) { return text.find("\r\n") != kNone ? "\r\n" : "\n"; }

// Whether only spaces and tabs precede offset i on its line.
bool begins_line(std::string_view text, std::size_t i) {
    const std::size_t begin = line_begin(text, i);
    return consists_of(text.substr(begin, i - begin), " \t");
}
// The spaces and tabs before offset i on its line.
std::string_view indent_of(std::string_view text, std::size_t i) {
    const std::size_t begin = line_begin(text, i);
    return text.substr(begin, i - begin);
}

// Whether nothing but a comma and a // comment follows offset `end` on its line.
bool ends_line(std::string_view text, std::size_t end) {
    std::string_view rest = text.substr(end, line_end(text, end) - end);
    const std::size_t comma = comma_after(text, end);
    if (comma != kNone) {
        if (comma >= end + rest.size()) return false;
        rest.remove_prefix(comma + 1 - end);
    }
    const std::size_t first = rest.find_first_not_of(" \t");
    return first == kNone || rest.substr(first, 2) == "//";
}

bool has_own_lines(std::string_view text, const JsonValue& member) {
    return begins_line(text, member.key_begin()) && ends_line(text, member.value_end());
}

// The text between the key and the value of this member. If this text contains anything but colons and
// spaces, the function returns ": " instead.
std::string_view colon_of(std::string_view text, const JsonValue& member) {
    std::size_t i = member.key_begin() + 1;
    for (; text[i] != '"'; ++i)
        if (text[i] == '\\') ++i;
    const std::string_view between = text.substr(i + 1, member.value_begin() - i - 1);
    return consists_of(between, ": ") ? between : ": ";
}

// The separator to write between two members on one line. This is the text between `member` and the member
// after it if this text consists of a comma and spaces. Otherwise, it is the text between `first` and the
// member after it, on the same condition. Otherwise, it is ", ".
std::string_view separator_of(std::string_view text, const JsonValue& member, const JsonValue& first) {
    for (const JsonValue* one : {&member, &first}) {
        const std::size_t comma = comma_after(text, one->value_end());
        if (comma == kNone) continue;
        const std::string_view between =
            text.substr(one->value_end(), skip_blanks_and_comments(text, comma + 1) - one->value_end());
        if (consists_of(between, ", ")) return between;
    }
    return ", ";
}

// The position of the key in `order`; unlisted keys come last.
std::size_t rank_of(std::string_view key, std::span<const std::string_view> order) {
    return static_cast<std::size_t>(std::find(order.begin(), order.end(), key) - order.begin());
}

// The member after which a new member with this key is inserted. Null: the new member becomes the first.
const JsonValue* predecessor(const JsonValue& object, std::string_view key,
                             std::span<const std::string_view> order) {
    const std::size_t rank = rank_of(key, order);
    const JsonValue* last = nullptr;
    for (const JsonValue* member : object.children())
        if ((rank == order.size() || rank_of(member->key(), order) < rank) &&
            (last == nullptr || member->value_begin() > last->value_begin()))
            last = member;
    return last;
}

const JsonValue& first_member_of(const JsonValue& object) {
    return **std::min_element(
        object.children().begin(), object.children().end(),
        [](const JsonValue* a, const JsonValue* b) { return a->value_begin() < b->value_begin(); });
}

std::size_t skip_spaces(std::string_view text, std::size_t i) {
    return std::min(text.find_first_not_of(" \t", i), text.size());
}

// A replacement of the bytes from `begin` to `end` by `text`.
struct TextEdit {
    std::size_t begin, end;
    std::string text;
};

// Returns the text after all edits. Deletions may overlap.
std::string apply_edits(std::string_view text, std::vector<TextEdit> edits) {
    std::stable_sort(edits.begin(), edits.end(),
                     [](const TextEdit& a, const TextEdit& b) { return a.begin < b.begin; });
    std::string all;
    std::size_t done = 0;
    for (const TextEdit& edit : edits) {
        if (edit.begin > done) all += text.substr(done, edit.begin - done);
        all += edit.text;
        done = std::max(done, edit.end);
    }
    return all.append(text.substr(done));
}

// Removes a member. If no other member is on its lines, removes the lines, including a comment at the end.
// If other members share its line, removes the member, its comma and adjacent spaces, but no comments.
void remove_member(std::string_view text, const JsonValue& member, std::vector<TextEdit>& edits) {
    const std::size_t begin = member.key_begin(), end = member.value_end(), comma = comma_after(text, end);
    if (has_own_lines(text, member)) {
        edits.push_back({line_begin(text, begin), next_line(text, end), {}});
        return;
    }
    if (comma == kNone) {
        edits.push_back({text.find_last_not_of(" \t", begin - 1) + 1, end, {}});
    } else if (skip_spaces(text, end) == comma) {
        edits.push_back({begin, skip_spaces(text, comma + 1), {}});
    } else {
        edits.push_back({begin, skip_spaces(text, end), {}});
        edits.push_back({comma, comma + 1, {}});
    }
}

// Replaces a member by one or more members at the same position.
TextEdit replacement_edit(std::string_view text, const MemberChange& exchange, const JsonValue& first) {
    const JsonValue& member = *exchange.member;
    const std::size_t begin = member.key_begin();
    const std::string between = begins_line(text, begin)
                                    ? "," + std::string(newline_of(text)).append(indent_of(text, begin))
                                    : std::string(separator_of(text, member, first));
    TextEdit edit{begin, member.value_end(), {}};
    for (const auto& [key, json] : exchange.by) {
        if (!edit.text.empty()) edit.text += between;
        // An unchanged key is copied as the text spells it.
        edit.text += key == member.key() ? std::string(text.substr(begin, member.value_begin() - begin))
                                         : json_string(key).append(colon_of(text, member));
        edit.text += json;
    }
    return edit;
}

}  // namespace

std::string json_string(std::string_view text) { return nlohmann::json(std::string(text)).dump(); }

std::string with_replaced_value(const JsonTree& tree, const JsonValue& value, std::string_view json) {
    std::string text = tree.text();
    return text.replace(value.value_begin(), value.value_end() - value.value_begin(), json);
}

std::string with_member(const JsonTree& tree, const JsonValue& object, std::string_view key,
                        std::string_view json, std::span<const std::string_view> order) {
    const std::string_view before = tree.text();
    std::string text = tree.text();
    std::string member = json_string(key);
    if (object.size() == 0) return text.insert(object.value_begin() + 1, member.append(": ").append(json));
    const JsonValue& first = first_member_of(object);
    member.append(colon_of(before, first)).append(json);

    const JsonValue* const neighbour = predecessor(object, key, order);
    if (neighbour == nullptr) {
        const std::size_t at = first.key_begin();
        member += begins_line(before, at)
                      ? "," + std::string(newline_of(before)).append(indent_of(before, at))
                      : std::string(separator_of(before, first, first));
        return text.insert(at, member);
    }
    const std::size_t end = neighbour->value_end();
    if (!has_own_lines(before, *neighbour))
        return text.insert(end, std::string(separator_of(before, *neighbour, first)).append(member));
    // If a comment follows the neighbour on its line, the new member is inserted after this comment.
    member.insert(0, std::string(newline_of(before)).append(indent_of(before, neighbour->key_begin())));
    const bool is_last = comma_after(before, end) == kNone;
    text.insert(line_end(before, end), is_last ? member : member + ",");
    return is_last ? text.insert(end, ",") : text;
}

std::string with_element(const JsonTree& tree, const JsonValue& array, std::string_view json) {
    std::string text = tree.text();
    if (array.size() == 0) return text.insert(array.value_begin() + 1, json);
    const JsonValue& last = array[array.size() - 1];
    if (!begins_line(text, last.value_begin()) || !ends_line(text, last.value_end())) {
        const std::string_view between = separator_of(tree.text(), array[0], array[0]);
        return text.insert(last.value_end(), std::string(between).append(json));
    }
    std::string line(newline_of(text));
    line.append(indent_of(text, last.value_begin())).append(json);
    text.insert(line_end(text, last.value_end()), line);
    return text.insert(last.value_end(), ",");
}

std::string without_element(const JsonTree& tree, const JsonValue& array, std::size_t index) {
    const std::string_view before = tree.text();
    const JsonValue& element = array[index];
    const bool own_lines =
        begins_line(before, element.value_begin()) && ends_line(before, element.value_end());
    const std::size_t comma = comma_after(before, element.value_end());
    std::vector<TextEdit> edits;
    if (own_lines)
        edits.push_back(
            {line_begin(before, element.value_begin()), next_line(before, element.value_end()), {}});
    else if (comma != kNone)
        edits.push_back({element.value_begin(), skip_spaces(before, comma + 1), {}});
    else
        edits.push_back({element.value_begin(), element.value_end(), {}});
    if (comma == kNone && index > 0) {
        const std::size_t previous = comma_after(before, array[index - 1].value_end());
        edits.push_back({previous, own_lines ? previous + 1 : skip_spaces(before, previous + 1), {}});
    }
    return apply_edits(before, std::move(edits));
}

std::string with_changed_members(const JsonTree& tree, const JsonValue& object,
                                 std::span<const MemberChange> exchanges) {
    const std::string_view before = tree.text();
    std::vector<TextEdit> edits;
    std::vector<const JsonValue*> stay(object.children().begin(), object.children().end());
    for (const MemberChange& exchange : exchanges) {
        if (!exchange.by.empty()) {
            edits.push_back(replacement_edit(before, exchange, first_member_of(object)));
            continue;
        }
        remove_member(before, *exchange.member, edits);
        std::erase(stay, exchange.member);
    }
    // Removes the comma of the member that is now last.
    const auto is_before = [](const JsonValue* a, const JsonValue* b) {
        return a->value_begin() < b->value_begin();
    };
    const auto last = std::max_element(stay.begin(), stay.end(), is_before);
    if (last != stay.end() && stay.size() < object.size()) {
        const std::size_t comma = comma_after(before, (*last)->value_end());
        const auto& all = object.children();
        const bool was_last = *std::max_element(all.begin(), all.end(), is_before) == *last;
        if (comma != kNone && !was_last) {
            const std::size_t after = skip_spaces(before, comma + 1);
            edits.push_back({comma, before[after] == '"' ? after : comma + 1, {}});
        }
    }
    return apply_edits(before, std::move(edits));
}

}  // namespace sim
