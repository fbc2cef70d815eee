#include "sim/scenario/provenance_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "sim/scenario/json_edit.h"
#include "sim/scenario/scenario_reader.h"
#include "sim/scenario/scenario_tree.h"

namespace sim {
namespace {

// Returns the range after a change of element `index`; nullopt if no element of the range remains. An element
// inserted inside the range is included. An exchange of `index` and the next element moves a range of one
// element to the new position of this element. A longer range keeps its first and last index, even if one of
// the exchanged elements is outside.
std::optional<ElementRange> moved_range(ElementRange range, std::size_t index, ListChange change) {
    switch (change) {
        case ListChange::removed:
            if (range.first == index && range.last == index) return std::nullopt;
            if (range.first > index) --range.first;
            if (range.last >= index) --range.last;
            break;
        case ListChange::inserted:
            if (range.first >= index) ++range.first;
            if (range.last >= index) ++range.last;
            break;
        case ListChange::exchanged:
            if (range.first != range.last) break;  // a range does not depend on the order of its elements
            if (range.first == index)
                range.first = range.last = index + 1;
            else if (range.first == index + 1)
                range.first = range.last = index;
            break;
    }
    return range;
}

}  // namespace

std::string with_renamed_provenance_pointers(
    const std::string& file, std::string text,
    const std::function<std::optional<std::string>(const std::string& pointer)>& rename) {
    const ScenarioTree tree(file, std::move(text));
    const JsonValue* const provenance = tree.root().find("provenance");
    if (provenance == nullptr || !provenance->is_object()) return tree.text();
    std::vector<MemberChange> exchanges;
    std::set<std::string> kept;
    for (const JsonValue* const entry : provenance->children()) {
        const std::string key(entry->key());
        const std::optional<std::string> now = rename(key);
        const bool is_free = now && kept.insert(*now).second;
        if (now == key && is_free) continue;
        exchanges.push_back({entry, {}});
        if (is_free)
            exchanges.back().by.emplace_back(
                *now, tree.text().substr(entry->value_begin(), entry->value_end() - entry->value_begin()));
    }
    return exchanges.empty() ? tree.text() : with_changed_members(tree, *provenance, exchanges);
}

std::optional<std::string> moved_pointer(const std::string& pointer, const std::string& list,
                                         std::size_t index, ListChange change) {
    std::optional<std::vector<std::string>> pieces = json_pointer_segments(pointer);
    const std::optional<std::vector<std::string>> before = json_pointer_segments(list);
    if (!pieces || !before || pieces->size() <= before->size() ||
        !std::equal(before->begin(), before->end(), pieces->begin()))
        return pointer;
    std::string& piece = (*pieces)[before->size()];
    std::optional<ElementRange> range = element_range(piece);
    if (const std::optional<std::size_t> one = element_index(piece)) range = ElementRange{*one, *one};
    if (!range) return pointer;
    range = moved_range(*range, index, change);
    if (!range) return std::nullopt;
    piece = range->first == range->last ? fmt::format("{}", range->first)
                                        : fmt::format("{}-{}", range->first, range->last);
    std::string moved;
    for (const std::string& one : *pieces) moved += "/" + escaped_pointer_segment(one);
    return moved;
}

}  // namespace sim
