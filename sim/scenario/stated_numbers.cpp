// "numbers": what the numbers of a scenario rest on, each by a JSON pointer to it or to what it is part of.
#include <fmt/format.h>

#include <array>
#include <charconv>

#include "sim/base/suggest.h"
#include "sim/scenario/scenario_reader.h"

namespace sim {
namespace {

constexpr std::array kBases{"cited", "derived", "fitted", "tuned", "assumed", "chosen"};
constexpr std::size_t kLongestReason = 400;

// One piece of a JSON pointer, without its escapes.
std::string piece_of(std::string_view escaped) {
    std::string piece;
    for (std::size_t i = 0; i < escaped.size(); ++i) {
        const bool escape = escaped[i] == '~' && i + 1 < escaped.size();
        piece += !escape ? escaped[i] : escaped[i + 1] == '1' ? '/' : '~';
        i += escape;
    }
    return piece;
}

const JsonValue* child_of(const JsonValue& value, const std::string& piece) {
    if (!value.is_array()) return value.find(piece);
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(piece.data(), piece.data() + piece.size(), index);
    const bool whole = error == std::errc{} && end == piece.data() + piece.size();
    return whole && index < value.size() ? &value[index] : nullptr;
}

// What the pointer names in the scenario; null if there is no such value.
const JsonValue* find_at(const JsonValue& root, std::string_view pointer) {
    const JsonValue* value = &root;
    while (value != nullptr && !pointer.empty()) {
        if (pointer.front() != '/') return nullptr;
        pointer.remove_prefix(1);
        const std::size_t end = std::min(pointer.find('/'), pointer.size());
        value = child_of(*value, piece_of(pointer.substr(0, end)));
        pointer.remove_prefix(end);
    }
    return value;
}

void read_stated(Draft& draft, const JsonValue& root, const JsonValue& member) {
    const std::string pointer(member.key());
    if (pointer.empty() || find_at(root, pointer) == nullptr)
        draft.problems.add(member, fmt::format("'{}' leads to nothing in this scenario; a JSON pointer is "
                                               "expected, like \"/tasks/0/count\"",
                                               shorten(pointer)));
    const std::size_t before = draft.problems.count();
    const std::string text = draft.values.string(member, kLongestReason);
    if (draft.problems.count() > before) return;
    for (const char* basis : kBases) {
        const std::string word = std::string(basis) + ": ";
        if (!text.starts_with(word) || text.size() == word.size()) continue;
        draft.scenario.numbers.push_back({pointer, basis, text.substr(word.size())});
        return;
    }
    draft.problems.add(member, fmt::format("it begins with what the number rests on, like \"assumed: ...\": "
                                           "{}",
                                           fmt::join(kBases, ", ")));
}

}  // namespace

void read_stated_numbers(Draft& draft, const JsonValue& root, const JsonValue& list) {
    if (!list.is_object())
        return draft.problems.add(
            list, "an object in { } is expected, a JSON pointer and what the number there rests on, not " +
                      kind_of(list));
    for (const JsonValue* member : list.children()) read_stated(draft, root, *member);
}

}  // namespace sim
