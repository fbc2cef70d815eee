#include "tests/faults/trial.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

#include "sim/os/posix/spawn.h"

namespace faults {

namespace fs = std::filesystem;

namespace {

constexpr unsigned kSeconds = 120;  // a run that takes longer counts as hanging

std::string content_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const fs::path& path, const std::string& bytes) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
}

// The current environment plus the variables for the shim.
Words environment_for(const Fault& fault, const fs::path& report) {
    Words all;
    for (char** variable = environ; *variable != nullptr; ++variable) all.emplace_back(*variable);
    all.push_back(fmt::format("{}={}", kReportVariable, report.string()));
    if (fault.first > 0)
        all.push_back(fmt::format("{}={} {} {} {}", kFaultVariable, static_cast<int>(fault.kind), fault.first,
                                  fault.error, fault.last));
#ifndef SWITCHYARD_FAULTS_LINKED
    all.push_back("LD_PRELOAD=" SWITCHYARD_SHIM);
#endif
    return all;
}

// Runs in the child between fork() and execve(). It must not allocate memory, because the driver has
// threads.
[[noreturn]] void become(char* const* words, char* const* environment, const char* folder, const char* in,
                         const char* out, const char* err, const Fault& fault) {
    const int create = O_WRONLY | O_CREAT | O_TRUNC;
    const int streams[] = {open(in, O_RDONLY), open(out, create, 0600), open(err, create, 0600)};
    for (int i = 0; i < 3; ++i)
        if (dup2(streams[i], i) < 0) _exit(127);
    for (const int stream : streams) close(stream);
    if (chdir(folder) != 0) _exit(127);
    if (fault.largest_file > 0) {
        const rlimit limit{fault.largest_file, fault.largest_file};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    alarm(kSeconds);
    execve(words[0], words, environment);
    _exit(127);
}

bool is_whole_beginning(const std::string& bytes, const std::string& all) {
    return all.starts_with(bytes) && (bytes.empty() || bytes.ends_with('\n'));
}

// Describes the first file with an invalid content: neither the old one, nor the new one, nor a valid
// intermediate state. Empty if there is no such file.
std::string torn_file(const Command& command, const Finished& good, const Fault& fault, const Finished& run) {
    for (const auto& [path, bytes] : run.files) {
        const auto before = command.files.find(path), after = good.files.find(path);
        if (before != command.files.end() && before->second == bytes) continue;
        if (after != good.files.end() && after->second == bytes) continue;
        const auto is_that_stage = [&name = path, &now = bytes](const Files& stage) {
            const auto then = stage.find(name);
            return then != stage.end() && then->second == now;
        };
        if (std::any_of(command.stages.begin(), command.stages.end(), is_that_stage)) continue;
        if (after != good.files.end() && command.growing.contains(path) &&
            is_whole_beginning(bytes, after->second))
            continue;
        // A temporary file may remain if the process was killed or files cannot be removed.
        const bool may_stay = fault.kills() || (fault.kind == Kind::removing && fault.first > 0);
        if (may_stay && path.find(".part") != std::string::npos) continue;
        // A kill or a second disk error may leave a partial line, which the next sweep truncates.
        const bool may_be_torn = fault.kills() || (fault.kind == Kind::cutting && fault.first > 0);
        if (may_be_torn && command.growing.contains(path) && good.files.at(path).starts_with(bytes)) continue;
        return fmt::format("{} has {} bytes that are neither those of before nor all those of after", path,
                           bytes.size());
    }
    for (const auto& [path, bytes] : command.files)
        if (!run.files.contains(path)) return fmt::format("{} is gone", path);
    return {};
}

}  // namespace

std::string Fault::text() const {
    if (kill_after > 0) return fmt::format("killed after {:.2f} ms", kill_after * 1e3);
    if (largest_file > 0) return fmt::format("files of at most {} bytes", largest_file);
    return fmt::format("{} {}{}: {}", kNames[static_cast<int>(kind)], first,
                       last > first ? " and all after it" : "",
                       error == kShort  ? "one byte at a time"
                       : error == kKill ? "killed"
                                        : std::strerror(error));
}

Workspace::Workspace() {
    std::string name = fs::temp_directory_path() / "switchyard-faults-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error(name);
    base_ = name;
    folder_ = base_ / "work";
    fs::create_directory(folder_);
}

Workspace::~Workspace() {
    std::error_code error;
    fs::remove_all(base_, error);
}

const fs::path& Workspace::folder(const Files& files) {
    if (read() != files) {
        fs::remove_all(folder_);
        fs::create_directory(folder_);
        for (const auto& [path, bytes] : files) write_file(folder_ / path, bytes);
    }
    return folder_;
}

Files Workspace::read() const {
    Files files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_))
        if (entry.is_regular_file())
            files[entry.path().lexically_relative(folder_).string()] = content_of(entry.path());
    return files;
}

int start(const Command& command, const fs::path& folder, const fs::path& base, const Fault& fault) {
    write_file(base / "in", command.input);
    write_file(base / "report", std::string(sizeof(Report), '\0'));
    const Words environment = environment_for(fault, base / "report");
    const std::string in = base / "in", out = base / "out", err = base / "err";
    const std::vector<char*> words = sim::os::argv_of(command.words),
                             variables = sim::os::argv_of(environment);
    const pid_t child = fork();
    if (child == 0)
        become(words.data(), variables.data(), folder.c_str(), in.c_str(), out.c_str(), err.c_str(), fault);
    if (child < 0) throw std::runtime_error("no process can be made");
    return child;
}

Finished Workspace::run(const Command& command, const Files& files, const Fault& fault) {
    using Clock = std::chrono::steady_clock;
    folder(files);
    const auto begin = Clock::now();
    const pid_t child = start(command, folder_, base_, fault);
    if (fault.kill_after > 0) {
        std::this_thread::sleep_for(std::chrono::duration<double>(fault.kill_after));
        kill(child, SIGKILL);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child) throw std::runtime_error("waitpid");
    Finished finished{.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                      .out = content_of(base_ / "out"),
                      .err = content_of(base_ / "err"),
                      .files = read(),
                      .seconds = std::chrono::duration<double>(Clock::now() - begin).count()};
    const std::string report = content_of(base_ / "report");
    std::memcpy(&finished.report, report.data(), sizeof(Report));
    return finished;
}

std::string find_violation(Workspace& workspace, const Command& command, const Finished& good,
                           const Fault& fault, const Finished& run) {
    constexpr int kExitFailure = 2, kKilled = 128 + SIGKILL;
    const bool killed = fault.kills() && run.exit_code == kKilled;
    if (run.exit_code != good.exit_code && run.exit_code != kExitFailure && !killed)
        return fmt::format("exit code {}: {}", run.exit_code, run.err);
    if (command.draws && fault.kind == Kind::allocation && fault.first > 0 && !killed)
        return run.exit_code == kExitFailure && !run.err.ends_with('\n') ? "no sentence on standard error"
                                                                         : "";
    if (std::string torn = torn_file(command, good, fault, run); !torn.empty()) return torn;
    if (!good.out.starts_with(run.out)) return "it prints something else";
    if (run.exit_code == good.exit_code) {
        if (run.out != good.out) return "exits as if all were well, and does not print all";
        const bool stays = fault.kind == Kind::removing && fault.first > 0;
        if (run.files != good.files && !stays) return "exits as if all were well, and a file is not written";
        return {};
    }
    const bool is_silenced = fault.kind == Kind::writing && fault.last > fault.first;
    // Standard error is a file with the same size limit, so its text may be cut off.
    const bool has_said = fault.largest_file > 0 ? !run.err.empty() : run.err.ends_with('\n');
    if (!killed && !is_silenced && !has_said) return "no sentence on standard error";
    if (run.files == command.files || run.files == good.files) return {};
    // Leftover temporary files are ignored.
    Files left;
    for (const auto& [path, bytes] : run.files)
        if (path.find(".part") == std::string::npos) left[path] = bytes;
    if (left == good.files) return {};
    const Finished again = workspace.run(command, left, {});
    if (again.exit_code != good.exit_code || again.files != good.files || again.out != good.out)
        return "run again, it does not come to the same: " + again.err;
    return {};
}

}  // namespace faults
