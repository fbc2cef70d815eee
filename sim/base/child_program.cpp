#include "sim/base/child_program.h"

#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sim/base/atomic_file.h"
#include "sim/base/temp_file.h"

extern char** environ;

namespace sim {
namespace {

// Starts a program with these files as its standard streams.
class Start {
  public:
    Start(const TempFile& in, const TempFile& out, const TempFile& err) {
        posix_spawn_file_actions_init(&actions_);
        int stream = STDIN_FILENO;
        for (const TempFile* file : {&in, &out, &err})
            if (error_ == 0)
                error_ = posix_spawn_file_actions_adddup2(&actions_, file->descriptor(), stream++);
    }
    ~Start() { posix_spawn_file_actions_destroy(&actions_); }
    Start(const Start&) = delete;
    Start& operator=(const Start&) = delete;

    // Returns 0, or the error number if the program cannot be started.
    int run(const std::vector<std::string>& words, pid_t& child) const {
        if (error_ != 0) return error_;
        const std::vector<char*> arguments = argv_of(words);
        return posix_spawnp(&child, arguments.front(), &actions_, attributes_.get(), arguments.data(),
                            environ);
    }

  private:
    posix_spawn_file_actions_t actions_;
    SpawnAttributes attributes_;
    int error_ = 0;
};

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

std::optional<ChildProgram> run_child_program(const std::vector<std::string>& words, std::string_view input) {
    TempFile in, out, err;  // temporary files, because three pipes could deadlock
    in.write(input);
    in.rewind();
    pid_t child = 0;
    const int failed = Start(in, out, err).run(words, child);
    if (failed == ENOENT || failed == EACCES) return {};
    if (failed != 0) throw FileError(fmt::format("{} cannot be run: {}", words[0], std::strerror(failed)));

    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) throw FileError(fmt::format("{}: {}", words[0], std::strerror(errno)));
    ChildProgram finished;
    finished.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    finished.out = out.read();
    finished.err = err.read();
    return finished;
}

}  // namespace sim
