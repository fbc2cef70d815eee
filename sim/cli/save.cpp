// `switchyard save`: writes a scenario with some values changed to a new file.

#include <memory>

#include "sim/cli/command.h"
#include "sim/cli/file_arguments.h"
#include "sim/cli/output.h"
#include "sim/cli/policy_on_machine.h"
#include "sim/cli/scenario_input.h"
#include "sim/scenario/json_edit.h"
#include "sim/scenario/scenario_edit.h"

namespace sim::cli {
namespace {

int execute_save(const CommonOptions& o) {
    if (o.policies.size() > 1) throw UsageError("save takes only one --policy, since a scenario has one");
    const std::string asked = o.policies.empty() ? "" : o.policies.front();
    const ScenarioText original = read_scenario(o.scenario);
    PolicyOnMachine side = load_policies_on_machines(o, original, {asked}).front();
    if (!asked.empty()) side.sets.push_back("/policy=" + json_string(side.spec));
    const std::string text = text_with_changes(original, side.sets);
    if (!o.output.empty()) check_machine_unchanged(original, text, o.output);
    write_output_text(text, o.output);
    return kDone;
}

}  // namespace

void add_save_command(Command& program) {
    auto o = std::make_shared<CommonOptions>();
    Command& command =
        program.add_command("save", "write a scenario file with only the specified values changed");
    add_scenario_options(command, *o);
    command.add_repeatable("--policy", o->policies, "POLICY[@MACHINE]",
                           "use this policy instead of the scenario's, optionally on another machine");
    add_output_option(command, o->output);
    command.set_examples({"switchyard save two-hogs --set /machine/hz=1000",
                          "switchyard save yield-processes --set /tasks/0/count=40 --output forty.json",
                          "switchyard save web-server --policy sorted-queue --seed 7 --output mine.json"});
    command.set_action([o] { return execute_save(*o); });
}

}  // namespace sim::cli
