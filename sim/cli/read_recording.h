// A recording that is read for a command: with the options that importing has, and what is to be said of the
// file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/cli/command.h"
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
    // Reads all of it, and tells `beside`, if there is one, too. Says on standard error what was noticed,
    // unless `quiet`. Throws ScenarioError and FileError. `own` is what importing is told besides.
    ReadRecording(const ImportOptions& options, exchange::EventSink* beside, bool quiet,
                  exchange::ImportOptions own = {});

    exchange::ScenarioMaker& maker() { return maker_; }

  private:
    exchange::Notes notes_;
    exchange::ScenarioMaker maker_;
};

}  // namespace sim::cli
