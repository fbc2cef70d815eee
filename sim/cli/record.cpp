// `switchyard record`: records this machine while a program runs, or for a specified time, and makes a
// scenario from the trace.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "sim/base/atomic_file.h"
#include "sim/base/child_program.h"
#include "sim/base/input_file.h"
#include "sim/base/text.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/cli/read_trace.h"
#include "sim/os/linux/tracer.h"
#include "sim/os/streams.h"

namespace sim::cli {
namespace {

struct RecordCommand {
    ImportOptions input;
    ScenarioOutputOptions made;
    std::vector<std::string> command;
    std::string time, tracer, keep;
};

// The requested tracer, or by default the first one that works.
std::unique_ptr<trace_io::Tracer> make_tracer(const std::string& tracer_name) {
    if (tracer_name == "perf") return trace_io::perf_tracer();
    if (tracer_name == "tracefs") return trace_io::tracefs_tracer();
    try {
        return trace_io::perf_tracer();
    } catch (const FileError& no_perf) {
        try {
            return trace_io::tracefs_tracer();
        } catch (const FileError& no_tracefs) {
            throw FileError(fmt::format(
                "{}; {}. Recording needs root, or a lower value in /proc/sys/kernel/perf_event_paranoid",
                no_perf.what(), no_tracefs.what()));
        }
    }
}

// The command to record; with --duration, a sleep of that time.
std::vector<std::string> command_of(const RecordCommand& o) {
    if (o.command.empty() == o.time.empty())
        throw UsageError(o.time.empty()
                             ? "specify a COMMAND to record, or a time with --duration"
                             : "--duration and COMMAND exclude each other, since both end the recording");
    if (!o.time.empty()) {
        const Nanos time = parse_time_option("--duration", o.time);
        if (time <= Nanos{}) throw UsageError("--duration: expected a time above 0");
        return {"sleep", fmt::format("{}.{:09}", time.count() / 1'000'000'000, time.count() % 1'000'000'000)};
    }
    // Checks that the program exists, because a tracer would report this later and less clearly.
    const auto found =
        run_child_program({"sh", "-c", "command -v -- \"$1\" >/dev/null", "sh", o.command[0]}, "");
    if (found && found->exit_code != 0)
        throw FileError(fmt::format("{}: program not found", printable(o.command[0])));
    return o.command;
}

void keep(const std::string& input, const std::string& path) {
    InputFile in(input);
    AtomicFile out(path);
    std::string bytes(1 << 16, '\0');
    while (in.read(bytes.data(), static_cast<std::streamsize>(bytes.size())), in.gcount() > 0)
        out.write(std::string_view(bytes).substr(0, static_cast<std::size_t>(in.gcount())));
    out.finish();
}

int execute_record(RecordCommand& o) {
    if (!trace_io::why_no_tracer().empty()) throw FileError(std::string(trace_io::why_no_tracer()));
    check_scenario_output(o.made);
    if (!o.keep.empty()) check_can_be_written(o.keep);
    const std::vector<std::string> command = command_of(o);
    const auto tracer = make_tracer(o.tracer);
    if (!o.time.empty() && !o.made.quiet && os::is_terminal(os::kStandardError))
        print_diagnostic("recording for " + o.time + "; press Ctrl-C to end it earlier");
    const ForegroundExitStatus end = tracer->record(command, o.made.output.empty());
    if (end.has_received_signal)
        throw UsageError("the recording was terminated by a signal; nothing was saved");
    if (!o.command.empty() && end.exit_code != 0 && !o.made.quiet)
        print_diagnostic(fmt::format("{} ended with exit code {}", printable(o.command[0]), end.exit_code));
    if (!o.keep.empty()) keep(tracer->trace_path(), o.keep);
    o.input.files = {tracer->trace_path()};
    o.input.name = "the trace";
    convert_trace_to_scenario(o.input, o.made);
    if (!o.made.output.empty() && !o.made.quiet)
        print_immediately(
            fmt::format("next: switchyard compare {} --policy linux-2.0\n", printable(o.made.output)));
    return kDone;
}

}  // namespace

void add_record_command(Command& program) {
    auto o = std::make_shared<RecordCommand>();
    Command& command = program.add_command(
        "record", "record this machine while a program runs, and make a scenario from the trace");
    command
        .add_option(
            "COMMAND", o->command,
            "the program and its arguments, after --; other programs that run meanwhile are recorded too")
        .type_name("COMMAND");
    command.add_option("--duration", o->time, "record for this long instead of running COMMAND")
        .type_name("TIME");
    command
        .add_option("--tracer", o->tracer, "perf or tracefs (default: the first one that is permitted here)")
        .type_name("NAME")
        .check(one_of({"perf", "tracefs"}));
    command
        .add_option("--save-trace", o->keep,
                    "also save the trace: perf.data, or the text of tracefs; import can read it")
        .type_name("FILE");
    add_replay_options(command, o->input);
    add_scenario_output_options(command, o->made);
    command.set_examples({"switchyard record --output mine.json -- make -j2",
                          "switchyard record --duration 1s --save-trace perf.data --output mine.json",
                          "switchyard record --quiet -- sleep 0.1 | switchyard run - --policy linux-2.0"});
    command.set_action([o] { return execute_record(*o); });
}

}  // namespace sim::cli
