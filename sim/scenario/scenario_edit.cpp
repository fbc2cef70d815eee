#include "sim/scenario/scenario_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/scenario/json_edit.h"
#include "sim/scenario/json_parser.h"
#include "sim/scenario/json_text.h"
#include "sim/scenario/renamed_keys.h"
#include "sim/scenario/scenario_reader.h"
#include "sim/scenario/scenario_tree.h"

namespace sim {
namespace {

using Pieces = std::vector<std::string>;

// The order in which the shipped scenario files write their members.
constexpr std::array<std::string_view, 18> kScenarioOrder{
    "format",    "title", "question", "hint",    "machine", "cpus",          "policy",     "seed",   "until",
    "max_tasks", "locks", "pipes",    "devices", "tasks",   "interventions", "provenance", "expect", "tour"};
constexpr std::array<std::string_view, 15> kTaskOrder{
    "name",  "count",       "start",    "arrival",     "burst",    "mm",      "priority", "nice",
    "class", "rt_priority", "affinity", "working_set", "deadline", "tickets", "program"};

std::span<const std::string_view> member_order_of(const Pieces& object) {
    if (object.empty()) return kScenarioOrder;
    if (object.size() == 2 && object.front() == "tasks") return kTaskOrder;
    return {};
}

bool begins_with(const Pieces& pieces, const Pieces& beginning) {
    return pieces.size() >= beginning.size() &&
           std::equal(beginning.begin(), beginning.end(), pieces.begin());
}

std::string pointer_to(const Pieces& pieces) {
    std::string pointer;
    for (const std::string& piece : pieces) pointer += "/" + escaped_pointer_segment(piece);
    return pointer;
}

// The value at the pointer with the segments `pieces`, or null if there is none. If "machine" is a string,
// the pointer /machine/base denotes this string.
const JsonValue* value_at(const JsonTree& tree, const Pieces& pieces) {
    const JsonValue* value = &tree.root();
    for (std::size_t i = 0; i < pieces.size() && value != nullptr; ++i) {
        if (i == 1 && value->is_string() && pieces == Pieces{"machine", "base"}) break;
        value = value->at(pieces[i]);
    }
    return value;
}

// Whether both values have the same JSON text. The texts are compared, because 2 and 2.0 are equal numbers,
// but only 2 is a valid count.
bool have_same_json(const JsonValue* a, const JsonValue* b) {
    if (a == nullptr || b == nullptr) return a == b;
    return json_text(a->to_nlohmann_json()) == json_text(b->to_nlohmann_json());
}

// --- changes of values ---

// A parsed change, and the text "POINTER=VALUE" from which it was parsed.
struct ParsedChange {
    Assignment to;
    std::string asked;
};

// Parses the changes. Omits a change if a later change replaces the same value or a value that contains it.
std::vector<ParsedChange> effective_changes(std::span<const std::string> sets) {
    std::vector<ParsedChange> changes;
    for (const std::string& set : sets) {
        Assignment to = read_assignment(set);
        replace_old_key(to.pieces);
        std::erase_if(changes,
                      [&](const ParsedChange& earlier) { return begins_with(earlier.to.pieces, to.pieces); });
        changes.push_back({std::move(to), set});
    }
    return changes;
}

// Expands "machine": "name" to "machine": {"base": "name"}, so that single members of the machine can be set.
// Adds the default machine if the scenario states no machine.
std::string with_expanded_machine(const std::string& file, std::string text) {
    const ScenarioTree tree{file, std::move(text)};
    const JsonValue* const machine = tree.root().find("machine");
    if (machine == nullptr)
        return with_member(tree, tree.root(), "machine", fmt::format(R"({{"base": "{}"}})", kDefaultMachine),
                           member_order_of({}));
    if (!machine->is_string()) return tree.text();
    const std::string name =
        tree.text().substr(machine->value_begin(), machine->value_end() - machine->value_begin());
    return with_replaced_value(tree, *machine, fmt::format("{{\"base\": {}}}", name));
}

// Applies the change to the text. Returns the text unchanged if the value at the pointer is already the new
// value.
std::string with_changed_value(const std::string& file, std::string text, const Assignment& change) {
    const Pieces& pieces = change.pieces;
    if (have_same_json(value_at(ScenarioTree{file, text}, pieces), &JsonTree{"VALUE", change.json}.root()))
        return text;
    if (pieces.size() > 1 && pieces.front() == "machine") text = with_expanded_machine(file, std::move(text));
    const ScenarioTree tree{file, std::move(text)};
    const std::size_t first = change.json.find_first_not_of(" \t\r\n");
    std::string json = change.json.substr(first, change.json.find_last_not_of(" \t\r\n") + 1 - first);
    const JsonValue* value = &tree.root();
    for (std::size_t depth = 0; depth < pieces.size(); ++depth) {
        const JsonValue* const below = value->at(pieces[depth]);
        if (below == nullptr) {
            for (std::size_t k = pieces.size(); --k > depth;)
                json = fmt::format("{{{}: {}}}", json_string(pieces[k]), json);
            const Pieces around(pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(depth));
            return with_member(tree, *value, pieces[depth], json, member_order_of(around));
        }
        value = below;
    }
    return with_replaced_value(tree, *value, json);
}

std::string with_changed_values(const ScenarioText& original, const std::vector<ParsedChange>& changes) {
    std::string text = ScenarioTree(original.file, original.text).text();
    for (const ParsedChange& change : changes)
        text = with_changed_value(original.file, std::move(text), change.to);
    return text;
}

// --- "provenance" of changed values ---

// The values that an entry of "provenance" refers to. One segment of the entry's pointer may be a range of
// elements.
struct ProvenanceSubject {
    Pieces pieces;
    std::optional<std::size_t> ranged;  // index in `pieces` of the segment that is a range; nullopt: none
    ElementRange range{};
};

ProvenanceSubject subject_of(const JsonTree& tree, std::string_view pointer) {
    ProvenanceSubject subject{json_pointer_segments(std::string(pointer)).value_or(Pieces{}), {}, {}};
    replace_old_key(subject.pieces);
    const JsonValue* value = &tree.root();
    for (std::size_t i = 0; i < subject.pieces.size() && value != nullptr; ++i) {
        const std::optional<ElementRange> range = element_range(subject.pieces[i]);
        if (range && value->is_array() && range->last < value->size()) {
            subject.ranged = i;
            subject.range = *range;
            break;
        }
        value = value->at(subject.pieces[i]);
    }
    return subject;
}

// Whether the pointer `place` denotes one of the subject's values, a part of such a value, or a value that
// contains such a value.
bool are_nested(const ProvenanceSubject& subject, const Pieces& place) {
    for (std::size_t i = 0; i < std::min(subject.pieces.size(), place.size()); ++i) {
        if (subject.pieces[i] == place[i]) continue;
        if (i != subject.ranged) return false;
        const std::optional<std::size_t> index = element_index(place[i]);
        if (!index || *index < subject.range.first || *index > subject.range.last) return false;
    }
    return true;
}

// Returns the parts of the subject's range before and after the value at the pointer `place`. The result is
// empty if the subject has no range, or if the value at `place` contains the entire range.
std::vector<ProvenanceSubject> parts_without(const ProvenanceSubject& subject, const Pieces& place) {
    std::vector<ProvenanceSubject> parts;
    if (!subject.ranged || *subject.ranged >= place.size()) return parts;
    const std::size_t index = element_index(place[*subject.ranged]).value();
    const auto add_part = [&](std::size_t first, std::size_t last) {
        ProvenanceSubject part = subject;
        part.pieces[*subject.ranged] =
            first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
        part.range = {first, last};
        if (first == last) part.ranged.reset();
        parts.push_back(std::move(part));
    };
    if (index > subject.range.first) add_part(subject.range.first, index - 1);
    if (index < subject.range.last) add_part(index + 1, subject.range.last);
    return parts;
}

// A value that differs from the value in the original text.
struct ChangedValue {
    Pieces place;
    std::string basis;        // the value's new text in "provenance", as JSON
    bool is_stated = false;   // an entry of "provenance" refers to exactly this value
    bool is_covered = false;  // an entry of "provenance" refers to this value and to other values
};

// Updates "provenance" after values have been changed.
class ProvenanceEditor {
  public:
    ProvenanceEditor(const JsonTree& before, std::string text) : before_(before), text_(std::move(text)) {}

    // Returns the text in which "provenance" describes the values after the changes.
    std::string updated(const std::vector<ParsedChange>& changes) {
        const ScenarioTree tree{before_.file(), text_};
        const JsonValue* const provenance = tree.root().find("provenance");
        if (provenance == nullptr || !provenance->is_object()) return text_;
        for (const ParsedChange& change : changes) note_change(change.to.pieces, tree);
        if (changed_.empty() || is_set_by_change("")) return text_;
        count_ = provenance->size();
        std::vector<MemberChange> exchanges;
        for (const JsonValue* entry : provenance->children()) update(*provenance, *entry, exchanges);
        text_ = with_changed_members(tree, *provenance, exchanges);
        for (const ChangedValue& one : changed_)
            if (one.is_covered && !one.is_stated) add(pointer_to(one.place), one.basis);
        return text_;
    }

  private:
    void note_change(const Pieces& place, const JsonTree& tree) {
        if (place.front() == "provenance") {
            given_.insert(place.size() > 1 ? with_current_key(place[1]) : "");
            return;
        }
        const JsonValue* const before = value_at(before_, place);
        if (have_same_json(before, value_at(tree, place))) return;
        changed_.push_back(
            {place,
             json_string(before == nullptr ? "chosen: the original scenario did not state this value"
                                           : "chosen: the original value was " + value_text(*before))});
    }

    static std::string value_text(const JsonValue& value) {
        if (value.is_array() || value.is_object()) return kind_of(value);
        return value.is_string() ? shorten(value.text(), 100) : json_text(value.to_nlohmann_json());
    }

    // Whether one of the changes sets the entry of "provenance" with this pointer. The empty string denotes
    // the entire member "provenance".
    bool is_set_by_change(const std::string& pointer) const { return given_.count(pointer) > 0; }

    // An entry of "provenance", or the part of an entry that remains after a change: the values that the
    // entry refers to, and the entry's text as JSON.
    struct EntryPart {
        ProvenanceSubject subject;
        std::string basis;
    };

    // Adapts `part` to one changed value. Appends to `parts` the parts that replace `part`: none, one or two.
    static void adapt_part(EntryPart part, ChangedValue& value, std::vector<EntryPart>& parts) {
        if (!are_nested(part.subject, value.place)) {
            parts.push_back(std::move(part));
        } else if (part.subject.pieces.size() > value.place.size()) {
            for (ProvenanceSubject& rest : parts_without(part.subject, value.place))
                parts.push_back({std::move(rest), part.basis});
        } else {
            const bool is_own = part.subject.pieces == value.place;
            (is_own ? value.is_stated : value.is_covered) = true;
            if (is_own) part.basis = value.basis;
            parts.push_back(std::move(part));
        }
    }

    void update(const JsonValue& provenance, const JsonValue& entry, std::vector<MemberChange>& exchanges) {
        const EntryPart own{subject_of(before_, entry.key()),
                            text_.substr(entry.value_begin(), entry.value_end() - entry.value_begin())};
        std::vector<EntryPart> parts{own};
        for (ChangedValue& one : changed_)
            for (EntryPart& part : std::exchange(parts, {})) adapt_part(std::move(part), one, parts);
        if (is_set_by_change(with_current_key(std::string(entry.key())))) return;
        if (parts.size() == 1 && parts[0].subject.pieces == own.subject.pieces && parts[0].basis == own.basis)
            return;
        MemberChange& exchange = exchanges.emplace_back(MemberChange{&entry, {}});
        for (EntryPart& part : parts) {
            std::string pointer = pointer_to(part.subject.pieces);
            const bool is_same = pointer == entry.key();
            if (!is_same && (provenance.find(pointer) != nullptr || !added_.insert(pointer).second)) continue;
            if (!exchange.by.empty() && ++count_ > kMaxProvenanceEntries) {
                count_ = kMaxProvenanceEntries;
                break;
            }
            exchange.by.emplace_back(std::move(pointer), std::move(part.basis));
        }
        if (exchange.by.empty()) --count_;
    }

    // Adds an entry to "provenance": the key is `pointer`, and the value is the JSON text `basis`, which
    // states where a value comes from. Does nothing if this editor has added the key already, or if
    // "provenance" is full.
    void add(const std::string& pointer, const std::string& basis) {
        if (count_ >= kMaxProvenanceEntries || !added_.insert(pointer).second) return;
        const ScenarioTree tree{before_.file(), text_};
        text_ = with_member(tree, *tree.root().find("provenance"), pointer, basis);
        ++count_;
    }

    const JsonTree& before_;
    std::string text_;
    std::vector<ChangedValue> changed_;
    // Pointers of entries that the changes set, and of entries added by this editor.
    std::set<std::string> given_, added_;
    std::size_t count_ = 0;  // number of entries in "provenance"
};

}  // namespace

std::string text_with_changes(const ScenarioText& original, std::span<const std::string> sets) {
    parse_scenario(original.file, original.text, sets, original.folder);
    const std::vector<ParsedChange> changes = effective_changes(sets);
    const ScenarioTree before{original.file, original.text};
    std::string text = ProvenanceEditor(before, with_changed_values(original, changes)).updated(changes);
    if (original.text.starts_with(kByteOrderMark)) text.insert(0, kByteOrderMark);
    check_size_and_characters(original.file, text,
                              kMaxScenarioBytes);  // the byte order mark may make the text too large
    parse_scenario(original.file, text, {}, original.folder);
    return text;
}

std::vector<std::string> sets_that_change_values(const ScenarioText& original,
                                                 std::span<const std::string> sets) {
    const std::vector<ParsedChange> changes = effective_changes(sets);
    const ScenarioTree before{original.file, original.text};
    const ScenarioTree after{original.file, with_changed_values(original, changes)};
    std::vector<std::string> all;
    for (const ParsedChange& change : changes)
        if (!have_same_json(value_at(before, change.to.pieces), value_at(after, change.to.pieces)))
            all.push_back(change.asked);
    return all;
}

std::string machine_json_in(const std::string& text, const std::string& file) {
    const ScenarioTree tree(file, text);
    const nlohmann::json root = tree.root().to_nlohmann_json();
    return root.contains("machine") ? json_text(root.at("machine")) : json_string(kDefaultMachine);
}

void check_machine_unchanged(const ScenarioText& original, const std::string& text,
                             const std::string& saved) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(saved).parent_path();
    const std::string here = folder.empty() ? "." : folder.string();
    const MachineSpec machine = parse_scenario(original.file, text, {}, original.folder).machine;
    std::string why;
    try {
        if (parse_scenario(original.file, text, {}, here).machine == machine) return;
        why = fmt::format(
            "{} contains a different description of the machine '{}' or of the sources of its "
            "values",
            (fs::path(here) / "machines").string(), machine.name);
    } catch (const ScenarioError& error) {
        const Problem& problem = error.problems().front();
        why = problem.file == original.file ? problem.message : problem.text();
    }
    std::error_code error;
    const std::string files = (fs::path(original.folder) / "machines").string();
    const bool has_files = !original.folder.empty() && fs::is_directory(files, error);
    const std::string remedy =
        has_files ? fmt::format("save it next to the original, or next to a copy of {}", files)
                  : "save it in another directory";
    throw ScenarioError(Problem{saved, 0, 0, "/machine",
                                fmt::format("the scenario would use a different machine in this directory: "
                                            "{}; {}",
                                            why, remedy)});
}

}  // namespace sim
