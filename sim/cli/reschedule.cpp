// `switchyard reschedule`: compares a trace with runs of its workload under other schedulers.

#include <memory>
#include <utility>

#include "sim/cli/command.h"
#include "sim/cli/file_arguments.h"
#include "sim/cli/output.h"
#include "sim/cli/read_trace.h"
#include "sim/cli/trace_comparison.h"
#include "sim/scenario/json_text.h"

namespace sim::cli {
namespace {

struct RescheduleOptions {
    ImportOptions import;
    std::vector<std::string> policies;
    std::string format = "text", output;
    TraceComparisonOptions beside;
};

int execute_reschedule(RescheduleOptions o) {
    if (o.policies.empty()) o.policies = {"linux-2.0", "linux-6.6"};
    // Throws if the specification of a policy is invalid.
    for (const std::string& policy : o.policies) make_policy(policy);
    const auto trace = read_recorded_run(o.import, o.beside.quiet);
    const std::vector<PolicyOnMachine> sides =
        load_policies_on_machines({}, scenario_text_of(*trace), o.policies);
    const TraceComparison beside = compare_with_trace(*trace, sides, o.beside);
    write_output_text(o.format == "json" ? json_text(beside.json, 2) + "\n" : beside.text, o.output);
    return kDone;
}

}  // namespace

void add_reschedule_command(Command& program) {
    auto o = std::make_shared<RescheduleOptions>();
    Command& command = program.add_command(
        "reschedule",
        "show how long the tasks of a trace waited, and how long they would have waited under "
        "other schedulers");
    add_import_options(command, o->import);
    command.add_repeatable("--policy", o->policies, "POLICY",
                           "policy to compare with; repeatable (default: linux-2.0 and linux-6.6)");
    command.add_option("--tasks", o->beside.tasks, "number of tasks to show (default 10)").type_name("N");
    command.add_flag("--explain-first-difference", o->beside.explains_differences,
                     "explain the first switch of each run that differs from the trace, as compare does");
    command.add_option("--format", o->format, "text or json")
        .type_name("FORMAT")
        .check(one_of({"text", "json"}));
    add_output_option(command, o->output);
    command.add_flag("--quiet", o->beside.quiet, "do not print remarks on the trace");
    command.set_examples({"switchyard reschedule tests/recordings/tracefs.txt --quiet",
                          "switchyard reschedule tests/recordings/interactive-vs-hog.txt --policy "
                          "sorted-queue --policy linux-2.4.22",
                          "switchyard reschedule tests/recordings/three-on-one-cpu.txt --quiet --affinity "
                          "recorded --hz 10000 --policy linux-6.6 --explain-first-difference"});
    command.set_action([o] { return execute_reschedule(*o); });
}

}  // namespace sim::cli
