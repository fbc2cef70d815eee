// `switchyard export`: writes a run in the format of a tracer, for other programs.
#include <fmt/format.h>

#include <memory>

#include "sim/base/text.h"
#include "sim/cli/command.h"
#include "sim/cli/emit_run.h"
#include "sim/cli/file_arguments.h"
#include "sim/cli/output.h"
#include "sim/cli/policy_on_machine.h"
#include "sim/cli/scenario_input.h"
#include "sim/lab/follow_run.h"
#include "sim/scenario/scenario_edit.h"
#include "sim/trace_io/export/export_formats.h"

namespace sim::cli {
namespace {

struct ExportOptions : CommonOptions {
    std::string from;
    std::uint64_t switches = 0;
};

std::vector<std::string> format_names() {
    std::vector<std::string> names;
    for (const trace_io::ExportFormat& format : trace_io::export_formats()) names.emplace_back(format.name);
    return names;
}

// The values of --format, one per line.
std::string format_list_text() {
    std::string text;
    for (const trace_io::ExportFormat& format : trace_io::export_formats())
        text += fmt::format("  {:<10}  {}\n", format.name, format.summary);
    return text;
}

const trace_io::ExportFormat& find_export_format(const std::string& name) {
    for (const trace_io::ExportFormat& format : trace_io::export_formats())
        if (name == format.name) return format;
    throw UsageError("--format: no such format");  // unreachable: the option was checked
}

int execute_export(const ExportOptions& o) {
    if (o.policies.size() > 1)
        throw UsageError("export takes only one --policy, since a file contains one run");
    const trace_io::ExportFormat& format = find_export_format(o.format);
    const ScenarioText original = read_scenario(o.scenario);
    const PolicyOnMachine side =
        load_policies_on_machines(o, original, {o.policies.empty() ? std::string() : o.policies.front()})
            .front();
    const Nanos from = o.from.empty() ? Nanos{} : parse_time_option("--from", o.from);
    Limits limits = lab::limits_of(side.scenario);
    if (o.switches > 0) limits.switches = o.switches;
    if (from >= limits.until)
        throw UsageError(fmt::format("--from {}: the run ends at {}; --until sets another end", o.from,
                                     human_time(limits.until)));

    StreamedOutput output(o.output);
    const auto sink = format.make([&](std::string_view bytes) { output.write(bytes); });
    const trace_io::RunInfo info{
        .title = side.scenario.title,
        .cpus = side.scenario.cpus,
        .hz = side.scenario.machine.hz,
        .policy = side.policy.spec(),
        .machine = machine_json_in(text_with_changes(original, side.sets), original.file),
        .begin = from};
    const RunTotals told = emit_run(side.scenario, *side.policy.policy, limits, info, *sink, o.quiet);
    output.finish();
    if (output.is_file() && !o.quiet)
        print_immediately(fmt::format("{}: {}, {} switches from {} to {}, {} bytes\n", printable(o.output),
                                      format.name, group_digits(told.switches), human_time(from),
                                      human_time(told.end), group_digits(output.bytes())));
    return kDone;
}

}  // namespace

void add_export_command(Command& program) {
    auto o = std::make_shared<ExportOptions>();
    o->format = "ftrace";
    Command& command = program.add_command(
        "export", "write a run in a trace format, for trace viewers and your own programs");
    add_scenario_options(command, *o);
    command.add_repeatable("--policy", o->policies, "POLICY[@MACHINE]",
                           "use this policy instead of the scenario's");
    command.add_option("--format", o->format, "output format (default ftrace):\n" + format_list_text())
        .type_name("FORMAT")
        .check(one_of(format_names()));
    command
        .add_option("--from", o->from, "write only the events from this time on; the run itself starts at 0")
        .type_name("TIME");
    command.add_option("--switches", o->switches, "end the run after N context switches").type_name("N");
    add_output_option(command, o->output);
    command.add_flag("--quiet", o->quiet, "do not show progress or the summary of the written file");
    command.set_examples(
        {"switchyard export two-hogs --format ftrace --output hogs.txt",
         "switchyard export web-server --from 10s --until 11s --format csv --output second.csv",
         "switchyard export two-hogs --policy sorted-queue --format schedule"});
    command.set_action([o] { return execute_export(*o); });
}

}  // namespace sim::cli
