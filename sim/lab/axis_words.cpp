#include "sim/lab/axis_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

namespace sim::lab {
namespace {

constexpr std::string_view kTimes = " \u00d7";  // text between a group's name and its count

std::vector<std::string> pointer_segments(std::string_view pointer) {
    std::vector<std::string> segments;
    while (!pointer.empty()) {
        pointer.remove_prefix(1);
        const std::size_t end = std::min(pointer.find('/'), pointer.size());
        segments.emplace_back(pointer.substr(0, end));
        pointer.remove_prefix(end);
    }
    return segments;
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
std::string joined(const std::vector<std::string>& segments, std::size_t first) {
    std::string text;
    for (std::size_t i = first; i < segments.size(); ++i) {
        if (segments[i].empty() || segments[i] == "program" || index_of(segments[i])) continue;
        text += (text.empty() ? "" : " ") + segments[i];
    }
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string machine_value_name(const std::vector<std::string>& segments) {
    if (segments.size() == 2 && segments[1] == "hz") return "HZ";
    if (segments.size() == 3 && segments[1] == "costs") {
        // These terms are the same as in the window's what-if pane.
        if (segments[2] == "considered") return "cost of the search";
        if (segments[2] == "recalculated") return "cost of the recalculation";
        if (segments[2] == "switch_other_mm") return "cost of a switch";
        return "cost: " + joined(segments, 2);
    }
    return joined(segments, 1);
}

}  // namespace

std::string axis_display_name(std::string_view pointer, const Scenario& scenario) {
    if (!pointer.starts_with('/')) return {};
    const std::vector<std::string> segments = pointer_segments(pointer);
    if (segments[0] == "machine") return machine_value_name(segments);
    if (segments[0] != "tasks") return joined(segments, 0);
    const std::optional<std::size_t> group = segments.size() < 3 ? std::nullopt : index_of(segments[1]);
    if (!group || *group >= scenario.groups.size()) return {};
    const std::string& name = scenario.groups[*group].name;
    if (segments.size() == 3 && segments[2] == "count") return name + std::string(kTimes);
    const std::string what = joined(segments, 2);
    return what.empty() ? std::string{} : name + " " + what;
}

std::string axis_display_name(const Axis& axis) { return axis.words.empty() ? axis.pointer : axis.words; }

std::string axis_value_text(const Axis& axis, const std::string& value) {
    return fmt::format("{}{}{}", axis_display_name(axis), axis.words.ends_with(kTimes) ? " " : " = ", value);
}

}  // namespace sim::lab
