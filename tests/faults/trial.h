// One run of a program with an injected fault, and the checks of its outcome.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/faults/shim.h"

namespace faults {

using Words = std::vector<std::string>;
using Files = std::map<std::string, std::string>;  // contents by path relative to a directory

// A command and its input files.
struct Command {
    std::string name;
    Words words;             // starts with the program's path
    std::string input = {};  // standard input
    Files files = {};
    std::vector<Files> stages = {};  // valid intermediate states of the files
    // Files to which lines are appended. Any number of whole lines from the start is a valid content.
    std::set<std::string> growing = {};
    // The command draws pictures. The graphics library continues after a failed allocation and omits a part
    // of the drawing, so file contents are not checked.
    bool draws = false;
    // Injects only a sample of the allocation faults; skipped with --runs.
    bool is_long = false;
};

struct Fault {
    Kind kind{};
    std::uint64_t first = 0, last = 0;  // the first and the last failing call of the kind, from 1; 0: none
    int error = 0;                      // errno, kShort or kKill
    std::uint64_t largest_file = 0;     // size limit in bytes; 0: unlimited
    double kill_after = 0;              // in seconds; 0: never

    bool kills() const { return kill_after > 0 || error == kKill; }
    std::string text() const;  // for example "write 3: No space left on device"
};

struct Finished {
    int exit_code = -1;  // if killed: 128 + signal number, as in the shell
    std::string out, err;
    Files files;
    double seconds = 0;
    Report report{};
};

// A temporary directory in which commands run one after the other.
class Workspace {
  public:
    Workspace();
    ~Workspace();
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    // Runs the command in a directory that contains exactly `files`.
    Finished run(const Command& command, const Files& files, const Fault& fault);
    // The directory, filled with exactly `files`, for processes started by the caller.
    const std::filesystem::path& folder(const Files& files);
    Files read() const;

  private:
    std::filesystem::path base_, folder_;
};

// Starts the command in `folder` and returns its pid. Standard streams and report are the files `in`, `out`,
// `err` and `report` of `base`.
int start(const Command& command, const std::filesystem::path& folder, const std::filesystem::path& base,
          const Fault& fault);

// Compares the faulty `run` with the fault-free run `good`. Returns the first rule that `run` violates;
// empty if there is none. If `run` left incomplete files, runs the command again.
std::string find_violation(Workspace& workspace, const Command& command, const Finished& good,
                           const Fault& fault, const Finished& run);

}  // namespace faults
