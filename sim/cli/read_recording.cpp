#include "sim/cli/read_recording.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
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
#include "sim/scenario/json_tree.h"

namespace sim::cli {
namespace {

// "trace.txt: 12 lines that are no event (lines 3, 9, 17, ...)".
std::string sentence(const std::string& file, const exchange::Notes::Note& note) {
    std::string text = fmt::format("{}: {} {}", printable(file), grouped(note.count), note.what());
    if (note.lines.empty()) return text;
    std::string lines;
    for (const std::uint64_t line : note.lines) lines += (lines.empty() ? "" : ", ") + std::to_string(line);
    return fmt::format("{} (line{} {}{})", text, note.lines.size() > 1 ? "s" : "", lines,
                       note.count > note.lines.size() ? ", ..." : "");
}

// Of a file that has to fit into the memory.
std::string all_of(std::istream& in) {
    std::string text(kMaxJsonBytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    return text;
}

exchange::ImportOptions with(const ImportOptions& o, exchange::ImportOptions own) {
    own.replay = o.replay == "open" ? exchange::Replay::open : exchange::Replay::closed;
    own.hz = o.hz;
    own.keeps_cpus = o.affinity == "recorded";
    if (!o.machine.empty()) own.machine = nlohmann::json(o.machine).dump();
    return own;
}

std::string so_many(std::uint64_t number, const char* of_what, const char* plural = "s",
                    const char* singular = "") {
    return fmt::format("{} {}{}", grouped(number), of_what, number == 1 ? singular : plural);
}

}  // namespace

void add_import_options(CLI::App& command, ImportOptions& options) {
    command
        .add_option(
            "FILE", options.files,
            "the recording, or - for text on standard input: the trace file of tracefs, what perf script or "
            "trace-cmd report print, perf.data, trace.dat, an export, JSON of chrome://tracing, tables of "
            "Perfetto; of several all are parts of one recording, like a file for each CPU")
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
        .add_option(
            "--affinity", options.affinity,
            "free (the default): the scheduler chooses among all CPUs, but for a kernel thread of one CPU; "
            "recorded: each task may use those alone on which it was recorded")
        ->type_name("HOW")
        ->check(one_of({"free", "recorded"}));
    command
        .add_option("--machine", options.machine,
                    "the machine that it runs on: the recording's, or else one without prices")
        ->type_name("MACHINE");
    command
        .add_option("--hz", options.hz,
                    "timer interrupts a second, where the recording does not say it: CONFIG_HZ of its kernel")
        ->type_name("N")
        ->check(CLI::Range(1, 10'000));
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
                             exchange::ImportOptions own, Workloads workloads)
    : maker_(with(o, own), notes_) {
    if (std::count(o.files.begin(), o.files.end(), "-") > 1)
        throw UsageError("FILE -: standard input can be read only once");
    // What is known of each of them.
    struct Open {
        Open(const std::string& path, const std::string& called)
            : name(!called.empty() ? called
                   : path == "-"   ? "standard input"
                                   : path),
              file(path),
              text(file.text()) {}
        std::string name;
        exchange::RecordingFile file;
        exchange::PeekedStream text;
        exchange::Notes notes;
    };
    std::vector<std::unique_ptr<Open>> open;
    std::vector<exchange::RecordingPart> parts;
    for (const std::string& path : o.files) {
        open.push_back(std::make_unique<Open>(path, o.name));
        Open& one = *open.back();
        parts.push_back({one.text, one.name, one.notes});
        if (!exchange::is_rt_app(one.text.beginning())) continue;
        if (workloads == Workloads::refused || o.files.size() > 1)
            throw ScenarioError(
                Problem{one.name,
                        1,
                        1,
                        {},
                        "a workload of rt-app, of which nothing was recorded: 'switchyard import' "
                        "makes a scenario of it alone"});
        workload_ = exchange::read_workload(
            one.name, all_of(one.text),
            {.title = own.title, .machine = with(o, own).machine, .policy = own.policy}, notes_);
        if (!quiet)
            for (const exchange::Notes::Note& note : notes_.notes()) complain(sentence(one.name, note));
        return;
    }
    std::optional<exchange::TwoSinks> both;
    if (beside != nullptr) both.emplace(maker_, *beside);
    exchange::EventSink* const sink = both ? static_cast<exchange::EventSink*>(&*both) : &maker_;
    std::vector<std::string> complaints;
    const auto finish = [&] {
        for (const auto& one : open) complaints.push_back(one->file.finish());
    };
    try {
        read_recordings(parts, *sink);
        finish();
    } catch (const ScenarioError&) {
        // Nothing in it: then the program that was to read it knows best why.
        if (open.size() > 1) throw;
        finish();
        if (complaints.front().empty()) throw;
        throw ScenarioError(Problem{open.front()->name, 0, 0, {}, complaints.front()});
    }
    if (quiet) return;
    for (std::size_t i = 0; i < open.size(); ++i) {
        const std::string& name = open[i]->name;
        if (!complaints[i].empty()) complain(fmt::format("{}: {}", printable(name), complaints[i]));
        for (const exchange::Notes::Note& note : open[i]->notes.notes()) complain(sentence(name, note));
    }
    const std::string all = open.size() == 1 ? open.front()->name : "the recording";
    for (const exchange::Notes::Note& note : notes_.notes()) complain(sentence(all, note));
}

void check_made_scenario(const MadeScenario& made) {
    if (!made.output.empty()) check_can_be_written(made.output);
    if (!made.policy.empty()) make_policy(made.policy);
}

void make_scenario(const ImportOptions& recording, const MadeScenario& made) {
    ReadRecording read(recording, nullptr, made.quiet,
                       {.title = made.title, .policy = made.policy, .folds = !made.unfolded},
                       ReadRecording::Workloads::read);
    StreamedOutput output(made.output);
    if (const auto& workload = read.workload()) {
        output.write(workload->scenario);
        output.finish();
        if (output.is_file() && !made.quiet)
            say(fmt::format("{}: {} of a workload on {}; {}\n", printable(made.output),
                            so_many(workload->entries, "entr", "ies", "y"), so_many(workload->cpus, "CPU"),
                            so_many(output.bytes(), "byte")));
        return;
    }
    const exchange::Imported imported =
        read.maker().write([&](std::string_view text) { output.write(text); });
    output.finish();
    if (!output.is_file() || made.quiet) return;
    say(fmt::format("{}: {} on {}, {} and {} in {}; {}, {}\n", printable(made.output),
                    so_many(imported.tasks, "task"), so_many(imported.cpus, "CPU"),
                    so_many(imported.switches, "switch", "es"), so_many(imported.wake_ups, "wake-up"),
                    human_time(imported.length), so_many(imported.steps, "step"),
                    so_many(output.bytes(), "byte")));
}

}  // namespace sim::cli
