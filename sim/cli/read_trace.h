// Reads a trace for a command, with the options of `import`, and prints remarks about the file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/command.h"
#include "sim/trace_io/rt_app/rt_app.h"
#include "sim/trace_io/scenario/recorded_run.h"
#include "sim/trace_io/scenario/scenario_maker.h"

namespace sim::cli {

struct ImportOptions {
    std::vector<std::string> files;  // paths of the files, which are parts of one trace
    std::string replay = "closed", affinity = "free", machine;
    std::uint32_t hz = 0;
    std::string name;  // name of the trace in messages; empty: the file's name
};

// Options of commands that write a scenario made from a trace.
struct ScenarioOutputOptions {
    std::string output, policy, title;
    bool no_loops = false, quiet = false;
};

// Adds the argument FILE... and the options --replay, --affinity, --machine and --hz.
void add_import_options(Command& command, ImportOptions& options);
// Adds the options --replay, --affinity, --machine and --hz.
void add_replay_options(Command& command, ImportOptions& options);
// Adds the options --policy, --title, --no-loops, --output and --quiet.
void add_scenario_output_options(Command& command, ScenarioOutputOptions& options);

class ImportedTrace {
  public:
    // Whether the file may also be a workload of rt-app.
    enum class Workloads : bool { refused, read };

    // Reads the entire trace. `extra_sink`, if not null, also receives the trace's events. Prints remarks on
    // standard error unless `quiet`. `options`: the user's options that all commands share. `own`: options
    // that only this command sets, such as the title. Throws ScenarioError and FileError.
    ImportedTrace(const ImportOptions& options, trace_io::EventSink* extra_sink, bool quiet,
                  trace_io::ImportOptions own = {}, Workloads workloads = Workloads::refused);

    trace_io::ScenarioMaker& maker() { return maker_; }
    // The workload, if the file was an rt-app workload. In this case, maker() has received no events.
    const std::optional<trace_io::Workload>& workload() const { return workload_; }

  private:
    trace_io::Notes notes_;
    trace_io::ScenarioMaker maker_;
    std::optional<trace_io::Workload> workload_;
};

// Reads a trace for comparison with runs. Prints remarks on standard error unless `quiet`. Throws UsageError,
// ScenarioError and FileError.
std::unique_ptr<const trace_io::RecordedRun> read_recorded_run(const ImportOptions& options, bool quiet);

// Checks the output file and the policy before a trace is recorded or read. Throws FileError and PolicyError.
void check_scenario_output(const ScenarioOutputOptions& made);
// Reads the trace, writes the scenario and prints a summary. Throws ScenarioError, FileError and OutputError.
void convert_trace_to_scenario(const ImportOptions& options, const ScenarioOutputOptions& made);

}  // namespace sim::cli
