// One run of a program in which something goes wrong, and what has to hold afterwards.
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
using Files = std::map<std::string, std::string>;  // the bytes, by the path below a folder

// A command, and the files that it finds.
struct Command {
    std::string name;
    Words words;             // the program's path first
    std::string input = {};  // standard input
    Files files = {};
    std::vector<Files> stages = {};      // whole states between before and after
    std::set<std::string> growing = {};  // lines are appended to these: a beginning of them is whole
    // A library goes on where it gets no memory, and leaves out what it would have drawn: what is said of
    // bytes does not hold then.
    bool draws = false;
    bool is_long = false;  // only some of its allocations are failed, evenly, and with --runs it is left out
};

// What goes wrong in a run.
struct Fault {
    Kind kind{};
    std::uint64_t first = 0, last = 0;  // which of these calls fail, from 1; 0: none
    int error = 0;                      // errno, kShort or kKill
    std::uint64_t largest_file = 0;     // in bytes; 0: as large as may be
    double kill_after = 0;              // in seconds; 0: never

    bool kills() const { return kill_after > 0 || error == kKill; }
    std::string text() const;  // "write 3: No space left on device"
};

struct Finished {
    int exit_code = -1;  // 128 and the number of a signal, as the shell counts
    std::string out, err;
    Files files;
    double seconds = 0;
    Report report{};
};

// A folder where one command after the other runs.
class Workspace {
  public:
    Workspace();
    ~Workspace();
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    // Runs it where these files are and no others.
    Finished run(const Command& command, const Files& files, const Fault& fault);
    // The folder, to run something else in it. Holds these files afterwards.
    const std::filesystem::path& folder(const Files& files);
    Files read() const;

  private:
    std::filesystem::path base_, folder_;
};

// Starts it in the folder and returns its process; what it prints goes to the files `out` and `err`.
int start(const Command& command, const std::filesystem::path& folder, const std::filesystem::path& base,
          const Fault& fault);

// What is wrong with a run in which something failed, given one in which nothing did. Runs the command again
// where it left a file that is not complete. Returns nothing when all is as it has to be.
std::string complaint(Workspace& workspace, const Command& command, const Finished& good, const Fault& fault,
                      const Finished& run);

}  // namespace faults
