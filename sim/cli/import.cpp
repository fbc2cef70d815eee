// `switchyard import`: a recording of a real machine, or an export of a run, as a scenario.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "sim/base/text.h"
#include "sim/base/whole_file.h"
#include "sim/cli/command.h"
#include "sim/cli/given_files.h"
#include "sim/cli/output.h"
#include "sim/cli/read_recording.h"

namespace sim::cli {
namespace {

struct ImportCommand {
    ImportOptions import;
    std::string output, policy, title;
    bool unfolded = false, quiet = false;
};

std::string so_many(std::uint64_t number, const char* of_what, const char* plural = "s",
                    const char* singular = "") {
    return fmt::format("{} {}{}", grouped(number), of_what, number == 1 ? singular : plural);
}

int execute_import(const ImportCommand& o) {
    if (!o.output.empty()) check_can_be_written(o.output);
    if (!o.policy.empty()) make_policy(o.policy);  // or else it says why not
    ReadRecording read(o.import, nullptr, o.quiet,
                       {.title = o.title, .policy = o.policy, .folds = !o.unfolded},
                       ReadRecording::Workloads::read);
    StreamedOutput output(o.output);
    if (const auto& workload = read.workload()) {
        output.write(workload->scenario);
        output.finish();
        if (output.is_file() && !o.quiet)
            say(fmt::format("{}: {} of a workload on {}; {}\n", printable(o.output),
                            so_many(workload->entries, "entr", "ies", "y"), so_many(workload->cpus, "CPU"),
                            so_many(output.bytes(), "byte")));
        return kDone;
    }
    const exchange::Imported imported =
        read.maker().write([&](std::string_view text) { output.write(text); });
    output.finish();
    if (output.is_file() && !o.quiet)
        say(fmt::format("{}: {} on {}, {} and {} in {}; {}, {}\n", printable(o.output),
                        so_many(imported.tasks, "task"), so_many(imported.cpus, "CPU"),
                        so_many(imported.switches, "switch", "es"), so_many(imported.wake_ups, "wake-up"),
                        human_time(imported.length), so_many(imported.steps, "step"),
                        so_many(output.bytes(), "byte")));
    return kDone;
}

}  // namespace

void add_import(CLI::App& app, int& exit_code) {
    auto o = std::make_shared<ImportCommand>();
    CLI::App* command = app.add_subcommand(
        "import",
        "make a scenario of a recording of a real machine, or of a workload of rt-app, to run it under other "
        "schedulers");
    add_import_options(*command, o->import);
    command->add_option("--policy", o->policy, "the scheduler that the scenario names")->type_name("POLICY");
    command->add_option("--title", o->title, "the scenario's title")->type_name("TEXT");
    command->add_flag("--unfolded", o->unfolded, "write what repeats step by step, and not as a loop");
    add_output_option(*command, o->output);
    command->add_flag("--quiet", o->quiet, "do not say what was noticed and what was written");
    set_examples(
        *command,
        {"switchyard import tests/recordings/interactive-vs-hog.txt --output mine.json",
         "switchyard import tests/recordings/interactive-vs-hog.txt --replay open --policy linux-6.6",
         "switchyard export two-hogs | switchyard import - | switchyard run - --policy sorted-queue"});
    command->callback([o, &exit_code] { exit_code = execute_import(*o); });
}

}  // namespace sim::cli
