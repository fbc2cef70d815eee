#include "sim/scenario/scenario_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "sim/scenario/json_edit.h"
#include "sim/scenario/scenario_reader.h"

namespace sim {
namespace {

using Pieces = std::vector<std::string>;

// Where members have their places, as in the shipped scenarios.
constexpr std::array<std::string_view, 17> kScenarioOrder{
    "format",    "title", "question", "watch",   "machine", "cpus",    "policy", "seed", "until",
    "max_tasks", "locks", "pipes",    "devices", "tasks",   "numbers", "expect", "tour"};
constexpr std::array<std::string_view, 11> kTaskOrder{"name",     "count",       "start",  "mm",
                                                      "priority", "nice",        "class",  "rt_priority",
                                                      "affinity", "working_set", "program"};

std::span<const std::string_view> order_in(const Pieces& object) {
    if (object.empty()) return kScenarioOrder;
    if (object.size() == 2 && object.front() == "tasks") return kTaskOrder;
    return {};
}

// A text on its way through the changes.
class ChangedText {
  public:
    ChangedText(std::string file, std::string text) : file_(std::move(file)), text_(std::move(text)) {}

    const std::string& text() const { return text_; }

    void set(const std::string& assignment) {
        const Assignment change = read_assignment(assignment);
        std::string before;
        if (!put(change, before)) return;
        state(change.pieces, before);
    }

  private:
    // Puts the value where it belongs. `before` is the value that was there, in a few words; empty for none.
    // Returns whether anything has changed.
    bool put(const Assignment& change, std::string& before) {
        const std::size_t first = change.json.find_first_not_of(" \t\r\n");
        std::string json = change.json.substr(first, change.json.find_last_not_of(" \t\r\n") + 1 - first);
        open_machine(change.pieces);
        const JsonTree tree{file_, text_};
        const JsonValue* value = &tree.root();
        std::size_t depth = 0;
        for (; depth < change.pieces.size(); ++depth) {
            const JsonValue* const below = value->at(change.pieces[depth]);
            if (below == nullptr) break;
            value = below;
        }
        if (depth == change.pieces.size()) {
            if (value->plain() == nlohmann::json::parse(json)) return false;
            before = in_words(*value);
            text_ = with_replaced(tree, *value, json);
            return true;
        }
        for (std::size_t k = change.pieces.size(); --k > depth;)
            json = fmt::format("{{{}: {}}}", json_string(change.pieces[k]), json);
        const Pieces around(change.pieces.begin(),
                            change.pieces.begin() + static_cast<std::ptrdiff_t>(depth));
        text_ = with_member(tree, *value, change.pieces[depth], json, order_in(around));
        return true;
    }

    // "machine": "name" stands for "machine": {"base": "name"}, so that its parts can be set.
    void open_machine(const Pieces& pieces) {
        if (pieces.size() < 2 || pieces.front() != "machine") return;
        const JsonTree tree{file_, text_};
        const JsonValue* const machine = tree.root().find("machine");
        if (machine == nullptr || !machine->is_string()) return;
        const std::string name = text_.substr(machine->begin(), machine->end() - machine->begin());
        text_ = with_replaced(tree, *machine, fmt::format("{{\"base\": {}}}", name));
    }

    static std::string in_words(const JsonValue& value) {
        if (value.is_array() || value.is_object()) return "something else";
        return value.is_string() ? shorten(value.text(), 100) : value.plain().dump();
    }

    // What "numbers" says of the value at this place.
    void state(const Pieces& changed, const std::string& before) {
        forget_below(changed);
        const JsonTree tree{file_, text_};
        const JsonValue* const numbers = tree.root().find("numbers");
        if (numbers == nullptr || !numbers->is_object()) return;
        std::string pointer;
        for (const std::string& piece : changed) pointer += "/" + pointer_piece(piece);
        const std::string basis = json_string(before.empty() ? "chosen: the original did not state it"
                                                             : "chosen: it was " + before);
        const JsonValue* const own = numbers->find(pointer);
        if (own != nullptr)
            text_ = with_replaced(tree, *own, basis);
        else if (std::any_of(numbers->children().begin(), numbers->children().end(),
                             [&](const JsonValue* entry) { return covers(*entry, changed); }))
            text_ = with_member(tree, *numbers, pointer, basis);
    }

    // What lay below a value that is another one now.
    void forget_below(const Pieces& changed) {
        for (bool more = true; more;) {
            more = false;
            const JsonTree tree{file_, text_};
            const JsonValue* const numbers = tree.root().find("numbers");
            if (numbers == nullptr) return;
            for (const JsonValue* entry : numbers->children()) {
                const Pieces pieces = pointer_pieces(std::string(entry->key())).value_or(Pieces{});
                if (pieces.size() <= changed.size() ||
                    !std::equal(changed.begin(), changed.end(), pieces.begin()))
                    continue;
                text_ = without_member(tree, *numbers, *entry);
                more = true;
                break;
            }
        }
    }

    // Whether what the entry speaks of has the changed value in it.
    static bool covers(const JsonValue& entry, const Pieces& changed) {
        const Pieces pieces = pointer_pieces(std::string(entry.key())).value_or(Pieces{});
        if (pieces.empty() || pieces.size() > changed.size()) return false;
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            if (pieces[i] == changed[i]) continue;
            const std::optional<ElementRange> range = element_range(pieces[i]);
            const std::optional<std::size_t> index = element_index(changed[i]);
            if (!range || !index || *index < range->first || *index > range->last) return false;
        }
        return true;
    }

    std::string file_, text_;
};

// The machine that the text names; empty for one that it describes.
std::string machine_named(const std::string& file, const std::string& text) {
    const JsonTree tree{file, text};
    const JsonValue* machine = tree.root().find("machine");
    if (machine != nullptr && machine->is_object()) machine = machine->find("base");
    return machine != nullptr && machine->is_string() ? std::string(machine->text()) : "";
}

}  // namespace

std::string changed_text(const ScenarioText& original, std::span<const std::string> sets) {
    parse_scenario(original.file, original.text, sets, original.folder);
    ChangedText changed(original.file, JsonTree(original.file, original.text).text());
    for (const std::string& assignment : sets) changed.set(assignment);
    parse_scenario(original.file, changed.text(), {}, original.folder);
    const bool marked = original.text.starts_with(kByteOrderMark);
    return (marked ? std::string(kByteOrderMark) : std::string()) + changed.text();
}

void check_machine_of(const ScenarioText& original, const std::string& text, const std::string& saved) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path folder = fs::path(saved).parent_path();
    const fs::path here = folder.empty() ? fs::path(".") : folder;
    if (!original.folder.empty() && fs::equivalent(original.folder, here, error)) return;
    const std::string name = machine_named(original.file, text);
    if (name.empty()) return;
    const auto file_in = [&](const fs::path& place) { return place / "machines" / (name + ".json"); };
    for (const fs::path& place : {fs::path(original.folder), here}) {
        if (place.empty() || !fs::exists(file_in(place), error)) continue;
        throw ScenarioError(Problem{
            saved, 0, 0, "/machine",
            fmt::format("there it would be another machine: {} describes '{}' for the scenarios beside "
                        "its folder{}",
                        file_in(place).string(), name,
                        place == here ? "" : "; save it beside the original, or copy that file, too")});
    }
}

}  // namespace sim
