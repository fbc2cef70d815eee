#include "sim/base/child_program.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "sim/base/whole_file.h"

extern char** environ;

namespace sim {
namespace {

// A file without a name. Unlike pipes, three of them cannot wait for each other.
class NamelessFile {
  public:
    NamelessFile() : file_(std::tmpfile(), &std::fclose) {
        if (!file_) throw FileError(fmt::format("no temporary file can be made: {}", std::strerror(errno)));
    }

    int descriptor() const { return fileno(file_.get()); }

    void write(std::string_view text) {
        if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() ||
            std::fflush(file_.get()) != 0)
            throw FileError(fmt::format("a temporary file cannot be written: {}", std::strerror(errno)));
        std::rewind(file_.get());
    }

    std::string read() {
        std::rewind(file_.get());
        std::string text;
        char buffer[1 << 16];
        for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, file_.get())) > 0;)
            text.append(buffer, n);
        return text;
    }

  private:
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

}  // namespace

std::optional<ChildProgram> run_child_program(const std::vector<std::string>& words, std::string_view input) {
    NamelessFile in, out, err;
    in.write(input);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in.descriptor(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err.descriptor(), STDERR_FILENO);
    pid_t child = 0;
    const int failed = posix_spawnp(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) return {};

    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    ChildProgram finished;
    finished.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    finished.out = out.read();
    finished.err = err.read();
    return finished;
}

}  // namespace sim
