// `switchyard import`: a recording of a real machine, or an export of a run, as a scenario.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/base/whole_file.h"
#include "sim/cli/command.h"
#include "sim/cli/given_files.h"
#include "sim/cli/output.h"
#include "sim/exchange/reader.h"
#include "sim/exchange/recording_file.h"
#include "sim/exchange/scenario_maker.h"

namespace sim::cli {
namespace {

struct ImportCommand {
    std::string file, output, replay = "closed", machine, policy, title;
    bool unfolded = false, quiet = false;
};

// "trace.txt: 12 lines that are no event (lines 3, 9, 17, ...)".
std::string sentence(const std::string& file, const exchange::Notes::Note& note) {
    std::string text = fmt::format("{}: {} {}", printable(file), grouped(note.count), note.what);
    if (note.lines.empty()) return text;
    std::string lines;
    for (const std::uint64_t line : note.lines) lines += (lines.empty() ? "" : ", ") + std::to_string(line);
    return fmt::format("{} (line{} {}{})", text, note.lines.size() > 1 ? "s" : "", lines,
                       note.count > note.lines.size() ? ", ..." : "");
}

int execute_import(const ImportCommand& o) {
    if (!o.output.empty()) check_can_be_written(o.output);
    if (!o.policy.empty()) make_policy(o.policy);  // or else it says why not
    exchange::Notes notes;
    exchange::ScenarioMaker maker(
        {.replay = o.replay == "open" ? exchange::Replay::open : exchange::Replay::closed,
         .title = o.title,
         .machine = o.machine.empty() ? "" : nlohmann::json(o.machine).dump(),
         .policy = o.policy,
         .folds = !o.unfolded},
        notes);
    exchange::RecordingFile file(o.file);
    const std::string name = o.file == "-" ? "standard input" : o.file;
    std::string complaint;
    try {
        read_recording(file.text(), name, maker, notes);
        complaint = file.finish();
    } catch (const ScenarioError&) {
        // Nothing in it: then the program that was to read it knows best why.
        if (complaint = file.finish(); complaint.empty()) throw;
        throw ScenarioError(Problem{name, 0, 0, {}, complaint});
    }

    std::optional<WholeFile> whole;
    if (!o.output.empty()) whole.emplace(o.output);
    std::uint64_t bytes = 0;
    const exchange::Imported imported = maker.write([&](std::string_view text) {
        bytes += text.size();
        if (whole)
            whole->write(text);
        else
            deliver_bytes(text, {});
    });
    if (whole) whole->finish();
    if (o.quiet) return kDone;
    if (!complaint.empty()) complain(fmt::format("{}: {}", printable(name), complaint));
    for (const exchange::Notes::Note& note : notes.notes()) complain(sentence(name, note));
    if (whole)
        say(fmt::format("{}: {} tasks on {}, {} switches and {} wake-ups in {}; {} steps, {} bytes\n",
                        printable(o.output), grouped(imported.tasks),
                        imported.cpus == 1 ? "1 CPU" : fmt::format("{} CPUs", imported.cpus),
                        grouped(imported.switches), grouped(imported.wake_ups), human_time(imported.length),
                        grouped(imported.steps), grouped(bytes)));
    return kDone;
}

}  // namespace

void add_import(CLI::App& app, int& exit_code) {
    auto o = std::make_shared<ImportCommand>();
    CLI::App* command = app.add_subcommand(
        "import", "make a scenario of a recording of a real machine, to run it under other schedulers");
    command
        ->add_option(
            "file", o->file,
            "the recording, or - for text on standard input: the trace file of tracefs, what perf script or "
            "trace-cmd report print, perf.data, trace.dat, an export")
        ->type_name("FILE")
        ->required();
    command
        ->add_option("--replay", o->replay,
                     "closed (the default): what comes from outside comes so long after the task began to "
                     "wait as in the "
                     "recording; open: at the recorded instant")
        ->type_name("HOW")
        ->check(one_of({"closed", "open"}));
    command
        ->add_option("--machine", o->machine,
                     "the machine that it runs on: the recording's, or else one without prices")
        ->type_name("MACHINE");
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
