// A recording as one side of a comparison: the scenario that is made of it, and what really happened.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/exchange/scenario_maker.h"
#include "sim/exchange/waits.h"

namespace sim::exchange {

struct RecordedRun {
    std::string scenario;  // its text
    Imported made;         // what it comes to
    Waits waits;
    std::vector<std::string> remarks;  // what was noticed in the files, in sentences
    // The entries of the scenario, and which number `waits` has for each; -1 for one that never had a CPU.
    std::map<std::string, int> numbers;

    // Who of the recording a task is that has this name in a run of the scenario: a number of `waits`, or -1.
    int number_of(const std::string& task) const;
    // The same for each that had a CPU in a run.
    std::vector<int> numbers_of(const Waits& run) const;
};

// Reads the files of one recording; "-" is standard input, which may be one of them. `called` is what the
// file is called in messages when there is one; empty: its path. Throws ScenarioError when nothing in them
// can be used, and FileError when it takes a program to read them that is not there.
std::unique_ptr<const RecordedRun> read_recorded_run(const std::vector<std::string>& paths,
                                                     const ImportOptions& options,
                                                     const std::string& called = "");

}  // namespace sim::exchange
