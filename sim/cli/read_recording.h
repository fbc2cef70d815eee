// A recording that is read for a command: with the options that importing has, and what is to be said of the
// file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/command.h"
#include "sim/exchange/rt_app.h"
#include "sim/exchange/scenario_maker.h"

namespace sim::cli {

struct ImportOptions {
    std::vector<std::string> files;  // of one recording
    std::string replay = "closed", machine;
};

// FILE..., --replay and --machine.
void add_import_options(CLI::App& command, ImportOptions& options);

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

}  // namespace sim::cli
