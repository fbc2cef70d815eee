#include "tests/faults/two_writers.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <filesystem>

namespace faults {
namespace {

namespace fs = std::filesystem;

constexpr int kTimes = 20;

// Runs both commands at the same time in one directory. Returns their exit codes.
std::pair<int, int> at_once(Workspace& workspace, const Command& a, const Command& b) {
    const fs::path folder = workspace.folder({});
    pid_t children[2];
    int codes[2];
    for (int i = 0; i < 2; ++i) {
        const fs::path base = folder.parent_path() / (i == 0 ? "a" : "b");
        fs::create_directories(base);
        children[i] = start(i == 0 ? a : b, folder, base, {});
    }
    for (int i = 0; i < 2; ++i) {
        int status = 0;
        waitpid(children[i], &status, 0);
        codes[i] = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return {codes[0], codes[1]};
}

// Two sweeps write the same results file. One of them must write it. The other one must be refused, or
// start so late that it only reads the file.
std::string two_sweeps(Workspace& workspace) {
    const Command sweep{"sweep",
                        {SWITCHYARD_FAULTY, "sweep", "two-hogs", "--vary", "/machine/hz=100..1000*2",
                         "--seeds", "4", "--until", "200ms", "--results", "r.jsonl"},
                        "",
                        {}};
    const Finished good = workspace.run(sweep, {}, {});
    for (int k = 0; k < kTimes; ++k) {
        const auto [a, b] = at_once(workspace, sweep, sweep);
        const bool refused = (a == 0 && b == 2) || (a == 2 && b == 0);
        if (!refused && (a != 0 || b != 0)) return fmt::format("two sweeps: exit codes {} and {}", a, b);
        if (workspace.read() != good.files) return "two sweeps: the results are not those of one";
    }
    return {};
}

// Each save writes its own temporary file; the last rename wins.
std::string two_saves(Workspace& workspace) {
    const auto save = [](const char* seed) {
        return Command{
            "save", {SWITCHYARD_FAULTY, "save", "two-hogs", "--seed", seed, "--output", "mine.json"}, "", {}};
    };
    const Files one = workspace.run(save("1"), {}, {}).files, two = workspace.run(save("2"), {}, {}).files;
    for (int k = 0; k < kTimes; ++k) {
        if (at_once(workspace, save("1"), save("2")) != std::pair(0, 0)) return "two saves: not both succeed";
        const Files files = workspace.read();
        if (files != one && files != two) return "two saves: the file is neither of them";
    }
    return {};
}

}  // namespace

std::string two_writers(Workspace& workspace) {
    const std::string what = two_sweeps(workspace);
    return what.empty() ? two_saves(workspace) : what;
}

}  // namespace faults
