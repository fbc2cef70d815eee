#include "sim/scenario/scenario_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace sim {
namespace {

constexpr std::size_t kMostProblems = 20;  // maximum number of problems in a message
constexpr std::string_view kMachinePointer = "/machine";

// Calls visit() for each value whose pointer matches the pattern; "*" matches any segment.
template <class Visit>
void for_each_match(const JsonValue& value, std::span<const std::string> pattern, const Visit& visit) {
    if (pattern.empty()) {
        visit(value);
    } else if (pattern.front() == "*") {
        for (const JsonValue* child : value.children()) for_each_match(*child, pattern.subspan(1), visit);
    } else if (const JsonValue* const member = value.find(pattern.front()); member != nullptr) {
        for_each_match(*member, pattern.subspan(1), visit);
    }
}

}  // namespace

ScenarioTree::ScenarioTree(std::string file, std::string text, std::vector<Problem>* noted, Kind kind)
    : JsonTree(std::move(file), std::move(text), noted,
               kind == Kind::scenario ? kMaxScenarioBytes : kMaxJsonBytes),
      kind_(kind) {
    std::vector<Problem> problems = rename_old_keys();
    if (noted != nullptr)
        std::move(problems.begin(), problems.end(), std::back_inserter(*noted));
    else if (!problems.empty())
        throw ScenarioError(std::move(problems));
}

void ScenarioTree::set(const std::string& assignment) {
    Assignment change = read_assignment(assignment);
    if (const RenamedKey* const key = replace_old_key(change.pieces); key != nullptr)
        add_notice(Problem{text_of_set_option(assignment), 0, 0, {}, {}}, *key);
    JsonTree::set(assignment, change);
    std::vector<Problem> problems = rename_old_keys();
    if (!problems.empty()) throw ScenarioError(std::move(problems));
}

std::vector<Problem> ScenarioTree::rename_old_keys() {
    std::vector<Problem> problems;
    for (const RenamedKey& key : kRenamedKeys) {
        std::string_view object = key.object;
        if (kind_ == Kind::machine) {
            if (!object.starts_with(kMachinePointer)) continue;
            object.remove_prefix(kMachinePointer.size());
        }
        const std::vector<std::string> pattern = *json_pointer_segments(std::string(object));
        const JsonValue* first = nullptr;
        for_each_match(root(), pattern, [&](const JsonValue& value) {
            const JsonValue* const member = value.find(key.old);
            if (member == nullptr) return;
            const bool is_earlier = first != nullptr && member->option_that_set() == nullptr &&
                                    member->key_begin() < first->key_begin();
            if (first == nullptr || is_earlier) first = member;
            if (!rename(*member, key.now) && problems.size() < kMostProblems)
                problems.push_back(problem_at(
                    *member, fmt::format("specify \"{}\" or its old name \"{}\", not both", key.now, key.old),
                    /*at_key=*/true));
        });
        if (first != nullptr) add_notice(problem_at(*first, {}, /*at_key=*/true), key);
    }
    return problems;
}

void ScenarioTree::add_notice(Problem place, const RenamedKey& key) {
    place.pointer.clear();
    place.message = notice_of(key);
    const bool is_known = std::any_of(notices_.begin(), notices_.end(),
                                      [&](const Problem& p) { return p.message == place.message; });
    if (!is_known) notices_.push_back(std::move(place));
}

}  // namespace sim
