#include "sim/cli/read_recording.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/base/whole_file.h"
#include "sim/cli/given_files.h"
#include "sim/cli/output.h"
#include "sim/exchange/reader.h"
#include "sim/exchange/recording_file.h"
#include "sim/exchange/two_sinks.h"

namespace sim::cli {
namespace {

// "trace.txt: 12 lines that are no event (lines 3, 9, 17, ...)".
std::string sentence(const std::string& file, const exchange::Notes::Note& note) {
    std::string text = fmt::format("{}: {} {}", printable(file), grouped(note.count), note.what);
    if (note.lines.empty()) return text;
    std::string lines;
    for (const std::uint64_t line : note.lines) lines += (lines.empty() ? "" : ", ") + std::to_string(line);
    return fmt::format("{} (line{} {}{})", text, note.lines.size() > 1 ? "s" : "", lines,
                       note.count > note.lines.size() ? ", ..." : "");
}

exchange::ImportOptions with(const ImportOptions& o, exchange::ImportOptions own) {
    own.replay = o.replay == "open" ? exchange::Replay::open : exchange::Replay::closed;
    if (!o.machine.empty()) own.machine = nlohmann::json(o.machine).dump();
    return own;
}

}  // namespace

void add_import_options(CLI::App& command, ImportOptions& options) {
    command
        .add_option(
            "FILE", options.file,
            "the recording, or - for text on standard input: the trace file of tracefs, what perf script or "
            "trace-cmd report print, perf.data, trace.dat, an export")
        ->type_name("FILE")
        ->required();
    add_replay_options(command, options);
}

void add_replay_options(CLI::App& command, ImportOptions& options) {
    command
        .add_option(
            "--replay", options.replay,
            "closed (the default): what comes from outside comes so long after the task began to wait as in "
            "the recording; open: at the recorded instant")
        ->type_name("HOW")
        ->check(one_of({"closed", "open"}));
    command
        .add_option("--machine", options.machine,
                    "the machine that it runs on: the recording's, or else one without prices")
        ->type_name("MACHINE");
}

void add_made_scenario_options(CLI::App& command, MadeScenario& options) {
    command.add_option("--policy", options.policy, "the scheduler that the scenario names")
        ->type_name("POLICY");
    command.add_option("--title", options.title, "the scenario's title")->type_name("TEXT");
    command.add_flag("--unfolded", options.unfolded, "write what repeats step by step, and not as a loop");
    add_output_option(command, options.output);
    command.add_flag("--quiet", options.quiet, "do not say what was noticed and what was written");
}

ReadRecording::ReadRecording(const ImportOptions& o, exchange::EventSink* beside, bool quiet,
                             exchange::ImportOptions own)
    : maker_(with(o, std::move(own)), notes_) {
    const std::string name = !o.name.empty() ? o.name : o.file == "-" ? "standard input" : o.file;
    exchange::RecordingFile file(o.file);
    std::optional<exchange::TwoSinks> both;
    if (beside != nullptr) both.emplace(maker_, *beside);
    exchange::EventSink* const sink = both ? static_cast<exchange::EventSink*>(&*both) : &maker_;
    std::string complaint;
    try {
        read_recording(file.text(), name, *sink, notes_);
        complaint = file.finish();
    } catch (const ScenarioError&) {
        // Nothing in it: then the program that was to read it knows best why.
        if (complaint = file.finish(); complaint.empty()) throw;
        throw ScenarioError(Problem{name, 0, 0, {}, complaint});
    }
    if (quiet) return;
    if (!complaint.empty()) complain(fmt::format("{}: {}", printable(name), complaint));
    for (const exchange::Notes::Note& note : notes_.notes()) complain(sentence(name, note));
}

void check_made_scenario(const MadeScenario& made) {
    if (!made.output.empty()) check_can_be_written(made.output);
    if (!made.policy.empty()) make_policy(made.policy);
}

void make_scenario(const ImportOptions& recording, const MadeScenario& made) {
    ReadRecording read(recording, nullptr, made.quiet,
                       {.title = made.title, .policy = made.policy, .folds = !made.unfolded});
    StreamedOutput output(made.output);
    const exchange::Imported imported =
        read.maker().write([&](std::string_view text) { output.write(text); });
    output.finish();
    if (!output.is_file() || made.quiet) return;
    say(fmt::format("{}: {} tasks on {}, {} switches and {} wake-ups in {}; {} steps, {} bytes\n",
                    printable(made.output), grouped(imported.tasks),
                    imported.cpus == 1 ? "1 CPU" : fmt::format("{} CPUs", imported.cpus),
                    grouped(imported.switches), grouped(imported.wake_ups), human_time(imported.length),
                    grouped(imported.steps), grouped(output.bytes())));
}

}  // namespace sim::cli
