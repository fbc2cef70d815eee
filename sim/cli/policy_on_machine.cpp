#include "sim/cli/policy_on_machine.h"
#include "sim/cli/scenario_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/join.h"
#include "sim/base/suggest.h"
#include "sim/base/text.h"
#include "sim/cli/output.h"
#include "sim/explain/explain.h"
#include "sim/os/files.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/json_tree.h"

namespace sim::cli {
namespace {

void check_machine_exists(const std::string& spec, const std::string& machine, const std::string& folder) {
    namespace fs = std::filesystem;
    if (machine.empty())
        throw UsageError(fmt::format("--policy {}: expected the name of a machine after '@'", spec));
    const std::vector<std::string> names = builtin_file_names("machines/");
    std::error_code error;
    const bool is_file =
        os::is_plain_name(machine) && fs::exists(fs::path(folder) / "machines" / (machine + ".json"), error);
    if (is_file || std::find(names.begin(), names.end(), machine) != names.end()) return;
    throw UsageError(
        fmt::format("--policy {}: unknown machine '{}'{} (`switchyard list machines` lists them)", spec,
                    machine, did_you_mean(machine, names)));
}

// The machine after '@' replaces a --set of the whole machine. A --set of one of the machine's costs still
// applies.
std::vector<std::string> replace_machine_setting(std::vector<std::string> sets, const std::string& machine) {
    const auto whole = std::find_if(sets.rbegin(), sets.rend(), [](const std::string& set) {
        return set.starts_with("/machine=") || set.starts_with("machine=");
    });
    sets.insert(whole.base(), "/machine=" + machine);
    return sets;
}

const char* name_of(const std::string& system) {
    for (const OperatingSystemInfo& info : kSystems)
        if (info.word == system) return info.name;
    return "";
}

// The built-in machines whose costs are those of this operating system.
std::vector<std::string> machines_of_system(const std::string& system) {
    std::vector<std::string> names;
    for (const std::string& name : builtin_file_names("machines/")) {
        const BuiltinFile& file = *find_builtin_file("machines/" + name + ".json");
        const JsonTree json{std::string(file.name), std::string(file.text)};
        const JsonValue* const value = json.root().find("system");
        if (value != nullptr && value->equals(system)) names.push_back(name);
    }
    return names;
}

void warn_of_foreign_costs(const PolicyOnMachine& side) {
    const std::string &wanted = side.policy.system, &there = side.scenario.machine.system;
    if (wanted.empty() || there.empty() || wanted == there) return;
    const std::string& machine = side.scenario.machine.name;
    print_diagnostic(fmt::format(
        "switchyard: warning: {} is a policy of {}, but the costs of {} are those of {}, so the "
        "times match neither system (for the costs of {}: --policy {}@{})",
        side.policy.spec(), name_of(wanted), machine.empty() ? "this machine" : machine, name_of(there),
        name_of(wanted), side.policy.spec(), join(machines_of_system(wanted), " or @")));
}

}  // namespace

std::vector<PolicyOnMachine> load_policies_on_machines(const CommonOptions& options,
                                                       const std::vector<std::string>& policies) {
    return load_policies_on_machines(options, read_scenario(options.scenario), policies);
}

std::vector<PolicyOnMachine> load_policies_on_machines(const CommonOptions& options, const ScenarioText& text,
                                                       const std::vector<std::string>& policies) {
    std::vector<PolicyOnMachine> sides;
    std::vector<Problem> notices;
    for (const std::string& spec : policies) {
        const std::size_t at = spec.rfind('@');
        std::vector<std::string> sets = options.scenario_settings();
        if (at != std::string::npos) {
            const std::string machine = spec.substr(at + 1);
            check_machine_exists(spec, machine, text.folder);
            sets = replace_machine_setting(std::move(sets), machine);
        }
        Scenario scenario = parse_scenario(text, sets, sides.empty() ? &notices : nullptr);
        std::string asked = spec.empty() ? scenario.policy : spec.substr(0, at);
        NamedPolicy policy = make_policy(asked, scenario.cpus);
        std::string label = policy.spec() + (at == std::string::npos ? "" : spec.substr(at));
        sides.push_back(
            {std::move(scenario), std::move(sets), std::move(policy), std::move(asked), std::move(label)});
        warn_of_foreign_costs(sides.back());
    }
    options.print_notices(notices);
    return sides;
}

std::string decision_text(const PolicyOnMachine& side, const DecisionView& view) {
    const auto name = [&](TaskId p) { return side.scenario.task_name(view.after, p); };
    return fmt::format("  under {}, at {}:\n{}", side.label, human_time(view.record.time),
                       explain_decision(view.log, side.policy, name, "    "));
}

}  // namespace sim::cli
