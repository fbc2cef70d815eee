// Runs a program in the foreground of the terminal, like a shell.
#pragma once

#include <string>
#include <vector>

namespace sim {

struct ForegroundExitStatus {
    // Exit code; 128 + the signal number if killed by a signal, as in the shell.
    int exit_code = 0;
    // True if this process received SIGTERM or SIGHUP while the program ran, and forwarded it to the program.
    bool has_received_signal = false;
};

// Runs a program from PATH with this process's standard streams and waits until it exits. The program's
// output goes to standard error if `stdout_to_stderr`. Ctrl-C affects the program only. Throws FileError if
// the program is not installed or cannot be started. REQUIRES: command is not empty; no other thread waits
// for child processes.
ForegroundExitStatus run_in_foreground(const std::vector<std::string>& command, bool stdout_to_stderr);

}  // namespace sim
