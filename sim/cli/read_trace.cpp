#include "sim/cli/read_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "sim/base/atomic_file.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/cli/file_arguments.h"
#include "sim/cli/output.h"
#include "sim/scenario/json_edit.h"
#include "sim/scenario/json_tree.h"
#include "sim/trace_io/import/reader.h"
#include "sim/trace_io/import/trace_files.h"
#include "sim/trace_io/tee_sink.h"

namespace sim::cli {
namespace {

trace_io::ImportOptions import_options(const ImportOptions& o, trace_io::ImportOptions defaults) {
    defaults.replay = o.replay == "open" ? trace_io::ArrivalReplay::open : trace_io::ArrivalReplay::closed;
    defaults.hz = o.hz;
    defaults.keeps_cpus = o.affinity == "recorded";
    if (!o.machine.empty()) defaults.machine = json_string(o.machine);
    return defaults;
}

void check_standard_input_once(const ImportOptions& o) {
    if (std::count(o.files.begin(), o.files.end(), "-") > 1)
        throw UsageError("FILE -: standard input can be read only once");
}

}  // namespace

void add_import_options(Command& command, ImportOptions& options) {
    command
        .add_option("FILE", options.files,
                    "the trace, or - for text on standard input; formats: the trace file of tracefs, output "
                    "of perf script or trace-cmd report, perf.data, trace.dat, files of `switchyard "
                    "export`, JSON of chrome://tracing, tables of Perfetto; several files are parts of one "
                    "trace, such as one file per CPU")
        .type_name("FILE")
        .required();
    add_replay_options(command, options);
}

void add_replay_options(Command& command, ImportOptions& options) {
    command
        .add_option(
            "--replay", options.replay,
            "closed (default): the time from the start of a wait to its external event is as in the trace; "
            "open: an external event occurs at its recorded time")
        .type_name("HOW")
        .check(one_of({"closed", "open"}));
    command
        .add_option("--affinity", options.affinity,
                    "free (default): the scheduler chooses among all CPUs, except for a kernel thread of one "
                    "CPU; recorded: each task may use only the CPUs on which it was recorded")
        .type_name("HOW")
        .check(one_of({"free", "recorded"}));
    command
        .add_option("--machine", options.machine,
                    "machine to simulate (default: the machine of the trace, otherwise a machine without "
                    "costs)")
        .type_name("MACHINE");
    command
        .add_option("--hz", options.hz,
                    "timer interrupts per second, if the trace does not state it: CONFIG_HZ of its kernel")
        .type_name("N")
        .check(in_range(1, 10'000));
}

void add_scenario_output_options(Command& command, ScenarioOutputOptions& options) {
    command.add_option("--policy", options.policy, "policy of the scenario").type_name("POLICY");
    command.add_option("--title", options.title, "title of the scenario").type_name("TEXT");
    command.add_flag("--no-loops", options.no_loops,
                     "write repeated program steps one by one instead of as a loop");
    add_output_option(command, options.output);
    command.add_flag("--quiet", options.quiet,
                     "do not print remarks on the trace or the summary of the written file");
}

ImportedTrace::ImportedTrace(const ImportOptions& o, trace_io::EventSink* extra_sink, bool quiet,
                             trace_io::ImportOptions own, Workloads workloads)
    : maker_(import_options(o, own), notes_) {
    check_standard_input_once(o);
    trace_io::TraceFiles files(o.files, o.name);
    if (workloads == Workloads::read && files.count() == 1 && files.rt_app_file_name() != nullptr) {
        try {
            workload_ = trace_io::read_workload(
                files.name(), files.take_text_of_only_file(),
                {.title = own.title, .machine = import_options(o, own).machine, .policy = own.policy},
                notes_);
        } catch (const ScenarioError&) {
            // read_workload() also throws if it has omitted all events of a thread. The notes name the
            // omitted events, so the notes are printed.
            for (const std::string& remark : note_sentences(files.name(), notes_))
                if (!quiet) print_diagnostic(remark);
            throw;
        }
    } else if (extra_sink != nullptr) {
        trace_io::TeeSink both(maker_, *extra_sink);
        files.read(both);
    } else {
        files.read(maker_);
    }
    if (quiet) return;
    for (const std::string& remark : files.remarks()) print_diagnostic(remark);
    for (const std::string& remark : note_sentences(files.name(), notes_)) print_diagnostic(remark);
}

std::unique_ptr<const trace_io::RecordedRun> read_recorded_run(const ImportOptions& o, bool quiet) {
    check_standard_input_once(o);
    auto run = trace_io::read_recorded_run(o.files, import_options(o, {}), o.name);
    if (!quiet)
        for (const std::string& remark : run->remarks) print_diagnostic(remark);
    return run;
}

void check_scenario_output(const ScenarioOutputOptions& made) {
    if (!made.output.empty()) check_can_be_written(made.output);
    if (!made.policy.empty()) make_policy(made.policy);
}

void convert_trace_to_scenario(const ImportOptions& options, const ScenarioOutputOptions& made) {
    ImportedTrace trace(options, nullptr, made.quiet,
                        {.title = made.title, .policy = made.policy, .folds = !made.no_loops},
                        ImportedTrace::Workloads::read);
    StreamedOutput output(made.output);
    if (const auto& workload = trace.workload()) {
        output.write(workload->scenario);
        output.finish();
        if (output.is_file() && !made.quiet)
            print_immediately(fmt::format("{}: {} of a workload on {}; {}\n", printable(made.output),
                                          pluralize(workload->entries, "task group"),
                                          pluralize(workload->cpus, "CPU"),
                                          pluralize(output.bytes(), "byte")));
        return;
    }
    const trace_io::ImportCounts imported =
        trace.maker().write([&](std::string_view text) { output.write(text); });
    output.finish();
    if (!output.is_file() || made.quiet) return;
    print_immediately(fmt::format("{}: {} on {}, {} and {} in {}; {}, {}\n", printable(made.output),
                                  pluralize(imported.tasks, "task"), pluralize(imported.cpus, "CPU"),
                                  pluralize(imported.switches, "switch", "es"),
                                  pluralize(imported.wake_ups, "wake-up"), human_time(imported.length),
                                  pluralize(imported.steps, "step"), pluralize(output.bytes(), "byte")));
}

}  // namespace sim::cli
