// `switchyard record`: records this machine while a program runs, or for a time, as a scenario.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <optional>

#include "sim/base/atomic_file.h"
#include "sim/base/child_program.h"
#include "sim/base/input_file.h"
#include "sim/base/text.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/cli/read_recording.h"
#include "sim/exchange/tracer.h"

namespace sim::cli {
namespace {

struct RecordCommand {
    ImportOptions recording;
    ScenarioOutputOptions made;
    std::vector<std::string> command;
    std::string time, tracer, keep;
};

// The requested tracer, or the first one that works.
std::unique_ptr<exchange::Tracer> make_tracer(const std::string& asked) {
    if (asked == "perf") return exchange::perf_tracer();
    if (asked == "tracefs") return exchange::tracefs_tracer();
    try {
        return exchange::perf_tracer();
    } catch (const FileError& no_perf) {
        try {
            return exchange::tracefs_tracer();
        } catch (const FileError& no_tracefs) {
            throw FileError(
                fmt::format("{}; {}. Recording is for root, or for whom "
                            "/proc/sys/kernel/perf_event_paranoid lets",
                            no_perf.what(), no_tracefs.what()));
        }
    }
}

// With --for, a sleep of that time.
std::vector<std::string> command_of(const RecordCommand& o) {
    if (o.command.empty() == o.time.empty())
        throw UsageError(o.time.empty() ? "a COMMAND to record is missing, or how long with --for"
                                        : "--for and a COMMAND: which of them says when the recording ends?");
    if (!o.time.empty()) {
        const Nanos time = time_option("--for", o.time);
        if (time <= Nanos{}) throw UsageError("--for: a time above 0 is expected");
        return {"sleep", fmt::format("{}.{:09}", time.count() / 1'000'000'000, time.count() % 1'000'000'000)};
    }
    // A tracer would report this later and in its own words.
    const auto found =
        run_child_program({"sh", "-c", "command -v -- \"$1\" >/dev/null", "sh", o.command[0]}, "");
    if (found && found->exit_code != 0)
        throw FileError(fmt::format("{}: there is no such program", printable(o.command[0])));
    return o.command;
}

void keep(const std::string& recording, const std::string& path) {
    InputFile in(recording);
    AtomicFile out(path);
    std::string bytes(1 << 16, '\0');
    while (in.read(bytes.data(), static_cast<std::streamsize>(bytes.size())), in.gcount() > 0)
        out.write(std::string_view(bytes).substr(0, static_cast<std::size_t>(in.gcount())));
    out.finish();
}

int execute_record(RecordCommand& o) {
    check_made_scenario(o.made);
    if (!o.keep.empty()) check_can_be_written(o.keep);
    const std::vector<std::string> command = command_of(o);
    const auto tracer = make_tracer(o.tracer);
    if (!o.time.empty() && !o.made.quiet && isatty(STDERR_FILENO) != 0)
        complain("recording for " + o.time + "; Ctrl-C ends it earlier");
    const ForegroundEnd end = tracer->record(command, o.made.output.empty());
    if (end.was_called) throw UsageError("ended from outside: nothing is kept");
    if (!o.command.empty() && end.exit_code != 0 && !o.made.quiet)
        complain(fmt::format("{} ended with exit code {}", printable(o.command[0]), end.exit_code));
    if (!o.keep.empty()) keep(tracer->path(), o.keep);
    o.recording.files = {tracer->path()};
    o.recording.name = "the recording";
    make_scenario(o.recording, o.made);
    return kDone;
}

}  // namespace

void add_record(Command& program) {
    auto o = std::make_shared<RecordCommand>();
    Command& command = program.add_command(
        "record", "record what this machine does while a program runs, and make a scenario of it");
    command
        .add_option("COMMAND", o->command,
                    "the program, and its arguments, after --; what else runs meanwhile is recorded, too")
        .type_name("COMMAND");
    command.add_option("--for", o->time, "record for so long, and no program of yours").type_name("TIME");
    command
        .add_option("--tracer", o->tracer, "perf or tracefs; without it, the first one that may be used here")
        .type_name("NAME")
        .check(one_of({"perf", "tracefs"}));
    command
        .add_option("--save", o->keep,
                    "keep the recording, too: perf.data, or the text of tracefs; import reads it again")
        .type_name("FILE");
    add_replay_options(command, o->recording);
    add_made_scenario_options(command, o->made);
    command.set_examples({"switchyard record --output mine.json -- make -j2",
                          "switchyard record --for 1s --save perf.data --output mine.json",
                          "switchyard record --quiet -- sleep 0.1 | switchyard run - --policy linux-2.0"});
    command.set_action([o] { return execute_record(*o); });
}

}  // namespace sim::cli
