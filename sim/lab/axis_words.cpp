#include "sim/lab/axis_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

namespace sim::lab {
namespace {

constexpr std::string_view kTimes = " \u00d7";  // text between a group's name and its count

std::vector<std::string> members_of(std::string_view pointer) {
    std::vector<std::string> members;
    while (!pointer.empty()) {
        pointer.remove_prefix(1);
        const std::size_t end = std::min(pointer.find('/'), pointer.size());
        members.emplace_back(pointer.substr(0, end));
        pointer.remove_prefix(end);
    }
    return members;
}

std::optional<std::size_t> index_of(const std::string& member) {
    std::size_t index = 0;
    const char* const end = member.data() + member.size();
    const auto [behind, error] = std::from_chars(member.data(), end, index);
    if (error != std::errc{} || behind != end) return std::nullopt;
    return index;
}

// The segments of a JSON pointer as words: "working_set" becomes "working set". "program" and indices are
// omitted.
std::string joined(const std::vector<std::string>& members, std::size_t first) {
    std::string text;
    for (std::size_t i = first; i < members.size(); ++i) {
        if (members[i].empty() || members[i] == "program" || index_of(members[i])) continue;
        text += (text.empty() ? "" : " ") + members[i];
    }
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string words_of_machine(const std::vector<std::string>& members) {
    if (members.size() == 2 && members[1] == "hz") return "HZ";
    if (members.size() == 3 && members[1] == "costs") {
        // The window's what-if pane uses the same terms.
        if (members[2] == "considered") return "cost of the search";
        if (members[2] == "recalculated") return "cost of the recalculation";
        if (members[2] == "switch_other_mm") return "cost of a switch";
        return "cost: " + joined(members, 2);
    }
    return joined(members, 1);
}

}  // namespace

std::string axis_words(std::string_view pointer, const Scenario& scenario) {
    if (!pointer.starts_with('/')) return {};
    const std::vector<std::string> members = members_of(pointer);
    if (members[0] == "machine") return words_of_machine(members);
    if (members[0] != "tasks") return joined(members, 0);
    const std::optional<std::size_t> group = members.size() < 3 ? std::nullopt : index_of(members[1]);
    if (!group || *group >= scenario.groups.size()) return {};
    const std::string& name = scenario.groups[*group].name;
    if (members.size() == 3 && members[2] == "count") return name + std::string(kTimes);
    const std::string what = joined(members, 2);
    return what.empty() ? std::string{} : name + " " + what;
}

std::string name_of(const Axis& axis) { return axis.words.empty() ? axis.pointer : axis.words; }

std::string axis_value_text(const Axis& axis, const std::string& value) {
    return fmt::format("{}{}{}", name_of(axis), axis.words.ends_with(kTimes) ? " " : " = ", value);
}

}  // namespace sim::lab
