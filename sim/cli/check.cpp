// `switchyard check`: validates scenarios without running them.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

#include "sim/base/text.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/cli/scenario_input.h"
#include "sim/scenario/json_text.h"
#include "sim/scenario/scenario_json.h"

namespace sim::cli {
namespace {

int execute_check(const CommonOptions& o, const std::vector<std::string>& scenarios) {
    std::string text;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    std::vector<Problem> problems;
    for (const std::string& name : scenarios) {
        try {
            std::vector<Problem> notices;
            const Scenario s = parse_scenario(read_scenario(name), o.sets, &notices);
            o.print_notices(notices);
            std::uint64_t tasks = 0;
            for (const TaskGroup& g : s.groups) tasks += g.count;
            text +=
                fmt::format("{}: valid; {} tasks, machine {}, policy {}, {} assertions\n", printable(name),
                            tasks, s.machine.name.empty() ? "defined in the scenario" : s.machine.name,
                            s.policy, s.assertions.size());
            list.push_back({{"scenario", name}, {"tasks", tasks}, {"policy", s.policy}});
        } catch (const ScenarioError& error) {
            problems.insert(problems.end(), error.problems().begin(), error.problems().end());
        }
    }
    if (!problems.empty()) throw ScenarioError(std::move(problems));
    write_output_text(o.is_json() ? json_text(list, 2) + "\n" : text, o.output);
    return kDone;
}

}  // namespace

void add_check_command(Command& program) {
    auto o = std::make_shared<CommonOptions>();
    auto scenarios = std::make_shared<std::vector<std::string>>();
    Command& command =
        program.add_command("check", "validate scenarios and print every problem with its position");
    command.add_option("SCENARIO", *scenarios, "files, or names from `switchyard list scenarios`")
        .required()
        .type_name("");
    command.add_repeatable("--set", o->sets, "POINTER=VALUE", "change a value before the check; repeatable");
    add_output_options(command, *o);
    command.set_examples({"switchyard check yield-processes", "switchyard check web-server two-hogs",
                          "switchyard check recalc-storm --set /tasks/0/count=100 --format json"});
    command.set_action([o, scenarios] { return execute_check(*o, *scenarios); });
}

}  // namespace sim::cli
