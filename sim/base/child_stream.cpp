#include "sim/base/child_stream.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sim/base/atomic_file.h"
#include "sim/base/child_program.h"

extern char** environ;

namespace sim {

ChildStream::ChildStream(const std::vector<std::string>& words) : std::istream(nullptr) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw FileError(fmt::format("{}: {}", words[0], std::strerror(errno)));
    buffer_.out = Descriptor(ends[0]);
    Descriptor its_end(ends[1]);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    int failed = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (failed == 0) failed = posix_spawn_file_actions_adddup2(&actions, its_end.number(), STDOUT_FILENO);
    if (failed == 0) failed = posix_spawn_file_actions_adddup2(&actions, err_.descriptor(), STDERR_FILENO);
    const SpawnAttributes attributes;
    const std::vector<char*> arguments = argv_of(words);
    if (failed == 0)
        failed =
            posix_spawnp(&child_, arguments.front(), &actions, attributes.get(), arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
        child_ = -1;
        throw FileError(failed == ENOENT
                            ? fmt::format("{} is not installed", words[0])
                            : fmt::format("{} cannot be run: {}", words[0], std::strerror(failed)));
    }
    buffer_.name = words[0];
    buffer_.bytes.resize(1 << 16);
    rdbuf(&buffer_);
    exceptions(std::ios::badbit);
}

ChildStream::~ChildStream() {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

int ChildStream::finish() {
    int status = 0;
    while (waitpid(child_, &status, 0) < 0)
        if (errno != EINTR) throw FileError(fmt::format("{}: {}", buffer_.name, std::strerror(errno)));
    child_ = -1;
    complaint_ = err_.read();
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

ChildStream::Buffer::int_type ChildStream::Buffer::underflow() {
    const std::ptrdiff_t n = read_some(out.number(), bytes.data(), bytes.size());
    if (n < 0) throw FileError(fmt::format("{}: {}", name, std::strerror(errno)));
    if (n == 0) return traits_type::eof();
    setg(bytes.data(), bytes.data(), bytes.data() + n);
    return traits_type::to_int_type(bytes[0]);
}

}  // namespace sim
