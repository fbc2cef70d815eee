#include "sim/os/linux/tracers/foreground_program.h"

#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "sim/base/atomic_file.h"
#include "sim/base/text.h"
#include "sim/os/posix/spawn.h"

extern char** environ;

namespace sim {
namespace {

// Global for the signal handler; a process has one terminal and one foreground program.
volatile pid_t foreground_child = 0;
volatile sig_atomic_t has_received_signal = 0;

extern "C" void forward_signal(int signal) {
    has_received_signal = 1;
    if (foreground_child > 0) kill(foreground_child, signal);
}

// Signal handling of this process while another program owns the terminal.
class ForegroundSignals {
  public:
    ForegroundSignals() {
        struct sigaction action = {};
        sigemptyset(&action.sa_mask);
        for (std::size_t s = 0; s < kSignals.size(); ++s) {
            action.sa_handler = kSignals[s] == SIGINT || kSignals[s] == SIGQUIT ? SIG_IGN : forward_signal;
            sigaction(kSignals[s], &action, &before_[s]);
        }
    }
    ~ForegroundSignals() {
        for (std::size_t s = 0; s < kSignals.size(); ++s) sigaction(kSignals[s], &before_[s], nullptr);
    }
    ForegroundSignals(const ForegroundSignals&) = delete;
    ForegroundSignals& operator=(const ForegroundSignals&) = delete;

    // Signals whose handling is reset to the default in the started program. As in a shell, signals that were
    // already ignored (nohup) stay ignored.
    std::vector<int> signals_to_reset() const {
        std::vector<int> list;
        for (std::size_t s = 0; s < kSignals.size(); ++s)
            if (before_[s].sa_handler != SIG_IGN) list.push_back(kSignals[s]);
        return list;
    }

  private:
    static constexpr std::array<int, 4> kSignals{SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    std::array<struct sigaction, 4> before_;
};

}  // namespace

ForegroundExitStatus run_in_foreground(const std::vector<std::string>& command, bool stdout_to_stderr) {
    foreground_child = 0;
    has_received_signal = 0;
    const ForegroundSignals signals;
    const os::SpawnAttributes attributes(signals.signals_to_reset());
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    int failed =
        stdout_to_stderr ? posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO) : 0;
    const std::vector<char*> arguments = os::argv_of(command);
    pid_t child = 0;
    if (failed == 0)
        failed =
            posix_spawnp(&child, arguments.front(), &actions, attributes.get(), arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0)
        throw FileError(fmt::format("{}: {}", printable(command[0]),
                                    failed == ENOENT ? "program not found" : std::strerror(failed)));
    foreground_child = child;
    // The signal arrived before the program had started.
    if (has_received_signal != 0) kill(child, SIGTERM);
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            throw FileError(fmt::format("{}: {}", printable(command[0]), std::strerror(errno)));
    foreground_child = 0;
    return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), has_received_signal != 0};
}

}  // namespace sim
