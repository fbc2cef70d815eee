#include "sim/os/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "sim/os/posix/spawn.h"
#include "sim/os/streams.h"

extern char** environ;

namespace sim::os {
namespace {

// Specifies which files are the standard streams of a started program.
class StreamRedirections {
  public:
    explicit StreamRedirections(const ChildStreams& streams) {
        posix_spawn_file_actions_init(&actions_);
        redirect(streams.in, kStandardInput, O_RDONLY);
        redirect(streams.out, kStandardOutput, O_WRONLY);
        if (streams.err >= 0) redirect(streams.err, kStandardError, O_WRONLY);
    }
    ~StreamRedirections() { posix_spawn_file_actions_destroy(&actions_); }
    StreamRedirections(const StreamRedirections&) = delete;
    StreamRedirections& operator=(const StreamRedirections&) = delete;

    int error() const { return error_; }
    const posix_spawn_file_actions_t* get() const { return &actions_; }

  private:
    void redirect(int descriptor, int stream, int open_flags) {
        if (error_ != 0) return;
        error_ = descriptor >= 0
                     ? posix_spawn_file_actions_adddup2(&actions_, descriptor, stream)
                     : posix_spawn_file_actions_addopen(&actions_, stream, "/dev/null", open_flags, 0);
    }

    posix_spawn_file_actions_t actions_;
    int error_ = 0;
};

// macOS cannot create a pipe or socket that no child process inherits; prevent_inheritance() sets FD_CLOEXEC
// afterwards.
#ifdef __APPLE__
constexpr int kSocketType = SOCK_STREAM, kSendFlags = 0;
int make_pipe(int (&ends)[2]) { return pipe(ends); }
int prevent_inheritance(const int (&ends)[2]) {
    const int on = 1;
    for (const int end : ends)
        if (fcntl(end, F_SETFD, FD_CLOEXEC) != 0) return errno;
    // Prevents SIGPIPE when this program writes to a socket. The call fails for a pipe, which does no harm,
    // because this program only reads from pipes.
    setsockopt(ends[1], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
    return 0;
}
#else
constexpr int kSocketType = SOCK_STREAM | SOCK_CLOEXEC, kSendFlags = MSG_NOSIGNAL;
int make_pipe(int (&ends)[2]) { return pipe2(ends, O_CLOEXEC); }
int prevent_inheritance(const int (&)[2]) { return 0; }
#endif

}  // namespace

SpawnAttributes::SpawnAttributes(std::span<const int> also) {
    posix_spawnattr_init(&attributes_);
    sigset_t ignored;
    sigemptyset(&ignored);
    for (const int ours : {SIGPIPE, SIGXFSZ}) sigaddset(&ignored, ours);
    for (const int signal : also) sigaddset(&ignored, signal);
    posix_spawnattr_setsigdefault(&attributes_, &ignored);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
}

SpawnAttributes::~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }

ChildProcess::~ChildProcess() {
    if (is_running_) kill_and_wait();
}

int ChildProcess::start(const std::vector<std::string>& command, const ChildStreams& streams) {
    const StreamRedirections actions(streams);
    if (actions.error() != 0) return actions.error();
    const SpawnAttributes attributes;
    const std::vector<char*> arguments = argv_of(command);
    pid_t child = 0;
    const int failed =
        posix_spawnp(&child, arguments.front(), actions.get(), attributes.get(), arguments.data(), environ);
    process_ = child;
    is_running_ = failed == 0;
    return failed;
}

int ChildProcess::wait(ChildExitStatus& exit_status) {
    int status = 0;
    while (waitpid(static_cast<pid_t>(process_), &status, 0) < 0)
        if (errno != EINTR) {
            const int error = errno;
            is_running_ = false;  // ECHILD: the process id may belong to another process by now
            return error;
        }
    is_running_ = false;
    exit_status.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    exit_status.exit_code = exit_status.signal != 0 ? 128 + exit_status.signal : WEXITSTATUS(status);
    return 0;
}

void ChildProcess::terminate() { kill(static_cast<pid_t>(process_), SIGTERM); }

void ChildProcess::kill_and_wait() noexcept {
    kill(static_cast<pid_t>(process_), SIGKILL);
    while (waitpid(static_cast<pid_t>(process_), nullptr, 0) < 0 && errno == EINTR) {
    }
}

int make_child_output_pipe(Descriptor& our_end, Descriptor& child_end) {
    int ends[2];
    if (make_pipe(ends) != 0) return errno;
    our_end = Descriptor(ends[0]);
    child_end = Descriptor(ends[1]);
    return prevent_inheritance(ends);
}

int make_child_input_pipe(Descriptor& our_end, Descriptor& child_end) {
    // Creates a socket instead of a pipe: if the program has ended, sending to a socket returns an error and
    // raises no signal.
    int ends[2];
    if (socketpair(AF_UNIX, kSocketType, 0, ends) != 0) return errno;
    child_end = Descriptor(ends[0]);
    our_end = Descriptor(ends[1]);
    return prevent_inheritance(ends);
}

int send_all(const Descriptor& our_end, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(our_end.number(), bytes.data(), bytes.size(), kSendFlags);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return errno;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return 0;
}

}  // namespace sim::os
