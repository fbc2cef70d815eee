#include "sim/command_line/pointers.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/scenario/builtin_files.h"
#include "sim/scenario/json_in_order.h"
#include "sim/scenario/json_text.h"
#include "sim/scenario/json_tree.h"

namespace sim::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kHelpWidth = 60;

ordered_json parse_with_comments(std::string_view text) {
    return parse_json_in_order(text, /* allow_comments */ true);
}

// The built-in file of the machine with this name, not merged with its base; an empty object if there is
// none.
ordered_json machine_named(const ordered_json& name) {
    if (!name.is_string()) return ordered_json::object();
    const BuiltinFile* file = find_builtin_file("machines/" + name.get<std::string>() + ".json");
    return file == nullptr ? ordered_json::object() : parse_with_comments(file->text);
}

ordered_json merge_bases(ordered_json machine) {
    constexpr int kMostBases = 16;  // limit, because a machine's file may name itself as its base
    for (int i = 0; machine.contains("base") && i < kMostBases; ++i) {
        ordered_json base = machine_named(machine["base"]);
        machine.erase("base");
        base.merge_patch(machine);
        machine = std::move(base);
    }
    for (const char* about : {"base", "format", "$schema", "title", "source"}) machine.erase(about);
    return machine;
}

std::string shortened(std::string text) {
    if (text.size() > kHelpWidth) text = text.substr(0, kHelpWidth - 3) + "...";
    return text;
}

// Describes a task or program by its name, and any other value by its JSON.
std::string description_of(const ordered_json& value) {
    if (value.is_object() && value.contains("name") && value["name"].is_string())
        return value["name"].get<std::string>();
    return shortened(json_text(value));
}

// The value as --set accepts it; std::nullopt if a shell would split it. print_candidates() omits texts
// that a shell would interpret.
std::optional<std::string> value_on_command_line(const ordered_json& value) {
    std::string text = json_text(value);
    // --set takes text that is not JSON as a string, without quotes.
    if (value.is_string() && parse_with_comments(value.get_ref<const std::string&>()).is_discarded())
        text = value.get<std::string>();
    if (text.find(' ') != std::string::npos) return {};
    return text;
}

}  // namespace

ordered_json settable_scenario_json(const std::string& text) {
    try {
        (void)JsonTree("", text);  // throws if the text is too deeply nested for the code below
    } catch (const ScenarioError&) {
        return {};
    }
    ordered_json scenario = parse_with_comments(text);
    if (!scenario.is_object()) return {};
    for (const char* about : {"format", "$schema", "title", "question", "hint", "watch", "provenance",
                              "numbers", "tour", "expect"})
        scenario.erase(about);
    ordered_json& machine = scenario["machine"];
    if (machine.is_null()) machine = kDefaultMachine;
    machine = merge_bases(machine.is_object() ? machine : ordered_json{{"base", machine}});
    for (const char* member : {"cpus", "seed", "policy", "until"})
        if (!scenario.contains(member)) scenario[member] = nullptr;
    return scenario;
}

std::vector<CompletionCandidate> json_pointer_candidates(const ordered_json& scenario,
                                                         std::string_view partial_word) {
    std::vector<CompletionCandidate> found;
    const std::size_t equals = partial_word.find('=');
    const std::string path(partial_word.substr(0, equals));
    if (equals != std::string_view::npos) {
        const ordered_json::json_pointer pointer(path);
        if (!scenario.contains(pointer) || scenario[pointer].is_null()) return found;
        if (const std::optional<std::string> value = value_on_command_line(scenario[pointer]))
            found.push_back({path + "=" + *value, "current value"});
        return found;
    }
    const std::size_t slash = path.rfind('/');
    const std::string parent = slash == std::string::npos ? "" : path.substr(0, slash);
    const ordered_json::json_pointer pointer(parent);
    if (!scenario.contains(pointer)) return found;
    for (const auto& [key, value] : scenario[pointer].items()) {
        // Skips the member "source", which is not a cost but states where a cost comes from. Skips empty
        // lists and objects, too.
        if (key == "source" || (value.is_structured() && value.empty())) continue;
        found.push_back({parent + "/" + escaped_pointer_segment(key) + (value.is_structured() ? "/" : "="),
                         value.is_null() ? "" : description_of(value)});
    }
    return found;
}

}  // namespace sim::cli
