#include "tests/support/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string_view>

#include "sim/os/posix/spawn.h"

extern char** environ;

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// The inherited environment with `changes` applied.
Words environment_with(const Words& changes) {
    Words all = changes;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view ours = *variable;
        const std::string_view name = ours.substr(0, ours.find('=') + 1);
        const bool changed = std::any_of(changes.begin(), changes.end(),
                                         [&](const std::string& change) { return change.starts_with(name); });
        if (!changed) all.emplace_back(ours);
    }
    return all;
}

}  // namespace

std::ostream& operator<<(std::ostream& stream, const Finished& f) {
    return stream << "exit code " << f.exit_code << "\n--- standard output\n"
                  << f.out << "--- standard error\n"
                  << f.err;
}

Finished run_program(const Words& words, const ProgramSetup& start) {
    std::string base = testing::TempDir() + "/switchyard-program-XXXXXX";
    EXPECT_NE(mkdtemp(base.data()), nullptr) << base;
    const std::string in = base + "/in", out = base + "/out", err = base + "/err";
    std::ofstream(in, std::ios::binary) << start.input;

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, in.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addchdir_np(&actions, start.folder.c_str());
    const Words environment = environment_with(start.environment);
    pid_t child = 0;
    const int failed = posix_spawnp(&child, words[0].c_str(), &actions, nullptr,
                                    sim::os::argv_of(words).data(), sim::os::argv_of(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    EXPECT_EQ(failed, 0) << words[0];
    Finished finished;
    if (failed == 0) {
        int status = 0;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        finished = {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content_of(out),
                    content_of(err)};
    }
    fs::remove_all(base);
    return finished;
}

std::string content_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    EXPECT_TRUE(in) << path;
    return {std::istreambuf_iterator<char>(in), {}};
}
