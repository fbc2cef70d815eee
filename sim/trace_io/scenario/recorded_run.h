// A trace as one side of a comparison: the scenario made from it, and the waits measured in it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/trace_io/scenario/scenario_maker.h"
#include "sim/trace_io/wait_analyzer.h"

namespace sim::trace_io {

struct RecordedRun {
    std::string scenario;  // JSON text
    ImportCounts made;     // numbers that describe the imported trace
    WaitAnalyzer waits;
    std::vector<std::string> remarks;  // observations about the files, as sentences
    // Indices in waits.identities(), by task group of the scenario; -1: the task group never had a CPU.
    std::map<std::string, int> numbers;

    // Index in waits.identities() for the task of this name in a run of the scenario; -1: none.
    int task_index(const std::string& task) const;
    // Results of task_index() for each element of run.identities().
    std::vector<int> task_indices(const WaitAnalyzer& run) const;
};

// Reads the files of one trace. `paths`, `name_in_messages`: as for TraceFiles. Throws FileError like
// TraceFiles, and ScenarioError like TraceFiles::read().
std::unique_ptr<const RecordedRun> read_recorded_run(const std::vector<std::string>& paths,
                                                     const ImportOptions& options,
                                                     const std::string& name_in_messages = "");

}  // namespace sim::trace_io
