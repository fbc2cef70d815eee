#include "sim/cli/read_recording.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/cli/output.h"
#include "sim/exchange/reader.h"
#include "sim/exchange/recording_file.h"
#include "sim/exchange/two_sinks.h"

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

ReadRecording::ReadRecording(const ImportOptions& o, exchange::EventSink* beside, bool quiet,
                             exchange::ImportOptions own)
    : maker_(with(o, std::move(own)), notes_) {
    const std::string name = o.file == "-" ? "standard input" : o.file;
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

}  // namespace sim::cli
