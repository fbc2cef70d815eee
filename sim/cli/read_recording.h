// A recording that is read for a command: with the options that importing has, and what is to be said of the
// file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/command.h"
#include "sim/exchange/recorded_run.h"
#include "sim/exchange/rt_app.h"
#include "sim/exchange/scenario_maker.h"

namespace sim::cli {

struct ImportOptions {
    std::vector<std::string> files;  // of one recording
    std::string replay = "closed", affinity = "free", machine;
    std::uint32_t hz = 0;
    std::string name;  // for messages; empty: the file's
};

// What a command that writes a scenario of a recording asks besides.
struct MadeScenario {
    std::string output, policy, title;
    bool unfolded = false, quiet = false;
};

// FILE..., --replay, --affinity, --machine and --hz.
void add_import_options(Command& command, ImportOptions& options);
// All but the first.
void add_replay_options(Command& command, ImportOptions& options);
// --policy, --title, --unfolded, --output and --quiet.
void add_made_scenario_options(Command& command, MadeScenario& options);

class ReadRecording {
  public:
    // Whether a file may be a workload of rt-app, too.
    enum class Workloads : bool { refused, read };

    // Reads all of it, and tells `beside`, if there is one, too. Says on standard error what was noticed,
    // unless `quiet`. Throws ScenarioError and FileError. `own` is what importing is told besides.
    ReadRecording(const ImportOptions& options, exchange::EventSink* beside, bool quiet,
                  exchange::ImportOptions own = {}, Workloads workloads = Workloads::refused);

    exchange::ScenarioMaker& maker() { return maker_; }
    // Of a file that is one, instead of what the maker has.
    const std::optional<exchange::Workload>& workload() const { return workload_; }

  private:
    exchange::Notes notes_;
    exchange::ScenarioMaker maker_;
    std::optional<exchange::Workload> workload_;
};

// Reads a recording to be set beside runs of it, and says on standard error what was noticed, unless `quiet`.
// Throws UsageError, ScenarioError and FileError.
std::unique_ptr<const exchange::RecordedRun> read_recorded_run(const ImportOptions& options, bool quiet);

// Refuses what can be seen to be wrong before anything is recorded or read. Throws ScenarioError and
// FileError.
void check_made_scenario(const MadeScenario& made);
// Reads the recording, writes the scenario, and says what it is. Throws ScenarioError, FileError and
// OutputError.
void make_scenario(const ImportOptions& recording, const MadeScenario& made);

}  // namespace sim::cli
