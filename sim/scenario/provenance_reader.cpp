// Reads "provenance", which states where the numbers in a scenario come from. Its keys are JSON pointers to
// numbers, or to values that contain numbers.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/join.h"
#include "sim/base/suggest.h"
#include "sim/scenario/renamed_keys.h"
#include "sim/scenario/scenario_reader.h"

namespace sim {
namespace {

constexpr std::size_t kLongestReason = 400;

const std::vector<std::string>& provenance_bases() {
    static const std::vector<std::string> kBases{"cited", "derived", "measured", "fitted",
                                                 "tuned", "assumed", "chosen"};
    return kBases;
}

// Follows the JSON pointer that is the key of one member of "provenance".
class PointerResolver {
  public:
    PointerResolver(ScenarioBuilder& draft, const JsonValue& member) : draft_(draft), member_(member) {}

    // Whether the pointer refers to a value from the file. Adds a problem if the pointer refers to no value.
    // Returns false for a value set by `--set`, because "provenance" in the file does not describe this
    // value.
    bool refers_to_file_value(const JsonValue& root) {
        const std::string pointer(member_.key());
        std::optional<std::vector<std::string>> pieces = json_pointer_segments(pointer);
        if (pieces && !pieces->empty()) {
            if (const RenamedKey* const key = replace_old_key(*pieces); key != nullptr)
                draft_.problems.add_notice(member_, notice_of(*key));
            return follow_segments(&root, *pieces, /*may_branch=*/true);
        }
        refuse(fmt::format("'{}' is not a JSON pointer; write it like \"/tasks/0/count\"", shorten(pointer)));
        return false;
    }

  private:
    using Pieces = std::span<const std::string>;

    // Follows the segments `pieces` from `value`. Returns whether they lead to a value from the file.
    // `may_branch`: one of the segments may be a range of elements, such as 1-4. A second range is refused to
    // limit the number of values visited.
    bool follow_segments(const JsonValue* value, Pieces pieces, bool may_branch) {
        for (; !pieces.empty(); pieces = pieces.subspan(1)) {
            if (value->option_that_set() != nullptr) return false;
            const std::string& piece = pieces.front();
            if (const std::optional<ElementRange> range = element_range(piece);
                range && value->is_array() && range->last < value->size()) {
                if (may_branch) return follow_range(*value, *range, pieces.subspan(1));
                refuse(
                    fmt::format("'{}' is a second range; a pointer can have only one range", shorten(piece)));
                return false;
            }
            const JsonValue* const below = value->at(piece);
            if (below == nullptr) {
                refuse_piece(*value, piece);
                return false;
            }
            value = below;
        }
        return value->option_that_set() == nullptr;
    }

    // Follows the remaining segments `pieces` from each element of the range. Returns whether they lead to at
    // least one value from the file.
    bool follow_range(const JsonValue& list, const ElementRange& range, Pieces pieces) {
        const std::size_t before = draft_.problems.count();
        bool leads = false;
        for (std::size_t i = range.first; i <= range.last && draft_.problems.count() == before; ++i)
            leads |= follow_segments(&list[i], pieces, /*may_branch=*/false);
        return leads;
    }

    void refuse_piece(const JsonValue& value, const std::string& piece) {
        const std::string where = value.pointer().empty() ? "the scenario" : value.pointer(kLongestPointer);
        if (value.is_array())
            return refuse(fmt::format("there is no '{}' in {}, which has {} element{}, numbered from 0",
                                      shorten(piece), where, value.size(), value.size() == 1 ? "" : "s"));
        std::vector<std::string> known;
        for (const JsonValue* child : value.children()) known.emplace_back(child->key());
        refuse(fmt::format("there is no '{}' in {}{}", shorten(piece), where, did_you_mean(piece, known)));
    }

    void refuse(std::string message) { draft_.problems.add(member_, std::move(message), /*at_key=*/true); }

    ScenarioBuilder& draft_;
    const JsonValue& member_;
};

void read_provenance_entry(ScenarioBuilder& draft, const JsonValue& root, const JsonValue& member) {
    const bool is_of_the_file = PointerResolver(draft, member).refers_to_file_value(root);
    const std::size_t before = draft.problems.count();
    const std::string text = draft.values.single_line(member, kLongestReason);
    if (draft.problems.count() > before) return;
    const std::string basis = text.substr(0, text.find(": "));
    const bool known =
        std::find(provenance_bases().begin(), provenance_bases().end(), basis) != provenance_bases().end();
    if (!known || text.size() <= basis.size() + 2)
        draft.problems.add(
            member,
            fmt::format(
                "expected the basis of the number and a reason, like \"assumed: ...\"; bases are {}{}",
                join(provenance_bases(), ", "), known ? "" : did_you_mean(basis, provenance_bases())));
    else if (is_of_the_file)
        draft.scenario.provenance.push_back(
            {with_current_key(std::string(member.key())), basis, text.substr(basis.size() + 2)});
}

}  // namespace

std::optional<ElementRange> element_range(const std::string& piece) {
    ElementRange range{};
    const char* const end = piece.data() + piece.size();
    const auto first = std::from_chars(piece.data(), end, range.first);
    if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '-') return std::nullopt;
    const auto last = std::from_chars(first.ptr + 1, end, range.last);
    if (last.ec != std::errc{} || last.ptr != end || range.last <= range.first) return std::nullopt;
    return range;
}

void read_provenance(ScenarioBuilder& draft, const JsonValue& root, const JsonValue& list) {
    if (!list.is_object())
        return draft.problems.add(
            list, "expected an object ({...}) with the basis of the number at each JSON pointer, got " +
                      kind_of(list));
    if (list.size() > kMaxProvenanceEntries)
        return draft.problems.add(list, fmt::format("expected at most {} entries", kMaxProvenanceEntries));
    for (const JsonValue* member : list.children()) read_provenance_entry(draft, root, *member);
}

}  // namespace sim
