// A program that has our terminal while it runs, as a shell gives it.
#pragma once

#include <string>
#include <vector>

namespace sim {

struct ForegroundEnd {
    int exit_code = 0;        // 128 and the number of the signal that ended it, as the shell counts
    bool was_called = false;  // SIGTERM or SIGHUP came for us meanwhile, and was passed on to it
};

// Runs a program that is searched for in PATH, with our standard streams, to its end; what it prints goes to
// standard error where `out_to_error`. Ctrl-C is for the program alone. Throws FileError when it is not there
// or cannot be started. REQUIRES: words is not empty; no other thread waits for programs.
ForegroundEnd run_in_foreground(const std::vector<std::string>& words, bool out_to_error);

}  // namespace sim
