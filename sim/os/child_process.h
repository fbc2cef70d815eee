// Starts other programs. Functions that return int return 0, or an errno value on failure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/os/descriptor.h"

namespace sim::os {

// Descriptors that a started program uses as its standard streams. -1 means: `in` is empty, `out` is
// discarded, `err` goes to this program's standard error.
struct ChildStreams {
    int in = -1, out = -1, err = -1;
};

struct ChildExitStatus {
    int exit_code = 0;  // 128 + the signal number if a signal killed the program, as in the shell
    int signal = 0;     // 0: no signal
};

class ChildProcess {
  public:
    ChildProcess() = default;
    // Kills the program if it is still running.
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    // Starts a program from PATH, without a window of its own. ENOENT: not installed. REQUIRES: `command` is
    // not empty; called once.
    int start(const std::vector<std::string>& command, const ChildStreams& streams);
    bool is_running() const { return is_running_; }

    // Waits until the program ends. REQUIRES: is_running().
    int wait(ChildExitStatus& exit_status);
    // Asks the program to end (SIGTERM) or, on Windows, kills it. REQUIRES: is_running().
    void terminate();

  private:
    void kill_and_wait() noexcept;

    std::ptrdiff_t process_ = 0;  // process id; on Windows, process handle
    bool is_running_ = false;
};

// A pipe that a started program writes and this program reads.
int make_child_output_pipe(Descriptor& our_end, Descriptor& child_end);
// A pipe that this program writes by send_all() and a started program reads.
int make_child_input_pipe(Descriptor& our_end, Descriptor& child_end);
// Writes to an input pipe. EPIPE: the program no longer reads; no signal is raised.
int send_all(const Descriptor& our_end, std::string_view bytes);

}  // namespace sim::os
