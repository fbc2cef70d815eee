// Fault injection (`./run inject-faults`): every call that requests memory, files, threads or processes fails
// once, and once together with all later calls. Disks fill up, and processes are killed.
// docs/how-to/testing.md lists the rules that must hold.
//
//   switchyard_faults [--runs N] [--jobs J] [WORD...]
//
// Selects the commands whose names contain one of the words. --runs selects N of all faults, evenly spaced.
#include <errno.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <exception>
#include <mutex>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/faults/commands.h"
#include "tests/faults/two_writers.h"

namespace {

using namespace faults;

constexpr int kKills = 200;           // random kills of each command that writes files
constexpr std::uint64_t kSome = 300;  // allocation faults of a command that draws or takes long
constexpr int kMostComplaints = 5;    // complaints printed for each command

struct Options {
    std::uint64_t runs = 0;  // 0: all
    unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::string> words;  // none: all commands

    bool chosen(const std::string& name) const {
        return words.empty() || std::any_of(words.begin(), words.end(), [&](const std::string& word) {
                   return name.find(word) != std::string::npos;
               });
    }
};

// The errors injected into calls of this kind.
std::vector<int> errors_of(Kind kind) {
    switch (kind) {
        case Kind::allocation:
            return {ENOMEM};
        case Kind::opening:
            return {EMFILE, EACCES, EINTR};
        case Kind::reading:
            return {EIO, EINTR, kShort};
        case Kind::writing:
            return {ENOSPC, EIO, EPIPE, EINTR, kShort};
        case Kind::folder:
            return {ENOSPC};
        case Kind::locking:
            return {ENOLCK};
        case Kind::permissions:
            return {EPERM};
        case Kind::listing:
            return {EMFILE};
        case Kind::spawning:
        case Kind::thread:
            return {EAGAIN};
        case Kind::waiting:
            return {EINTR, ECHILD};
        default:
            return {EIO};
    }
}

// Adds two faults for each call and each error of its kind: the call fails alone, and it fails together
// with all later calls. The second fault is left out for EINTR, and for nine of ten allocations.
void add_faults(Kind kind, std::uint64_t calls, std::vector<Fault>& all) {
    for (const int error : errors_of(kind))
        for (std::uint64_t n = 1; n <= calls; ++n) {
            all.push_back({.kind = kind, .first = n, .last = n, .error = error});
            if (error != EINTR && (kind != Kind::allocation || n % 10 == 1))
                all.push_back({.kind = kind, .first = n, .last = ~0ull, .error = error});
        }
}

std::uint64_t largest_file(const Files& files) {
    std::uint64_t most = 0;
    for (const auto& [path, bytes] : files) most = std::max<std::uint64_t>(most, bytes.size());
    return most;
}

// Adds faults in which the disk fills up during the command, and faults in which the process is killed.
void add_disk_and_kill_faults(const Command& command, const Finished& good, std::vector<Fault>& all) {
    if (good.files == command.files) return;
    constexpr std::uint64_t kSizes = 40;
    const std::uint64_t most = largest_file(good.files);
    for (std::uint64_t k = 0; k < kSizes; ++k)
        if (const std::uint64_t size = most * k / kSizes + 1; size < most)
            all.push_back({.largest_file = size});
    // The process is killed after a random time (the position then depends on the load of the machine), at
    // random allocations, and at each system call.
    std::mt19937 random(1);
    std::uniform_real_distribution<double> moment(0, good.seconds);
    for (int k = 0; k < kKills / 4; ++k) all.push_back({.kill_after = std::max(moment(random), 1e-6)});
    const auto kill_at = [&](int kind, std::uint64_t n) {
        all.push_back({.kind = static_cast<Kind>(kind), .first = n, .last = n, .error = kKill});
    };
    constexpr int kAllocation = static_cast<int>(Kind::allocation);
    std::uniform_int_distribution<std::uint64_t> allocation(1, good.report.calls[kAllocation]);
    for (int k = kKills / 4; k < kKills; ++k) kill_at(kAllocation, allocation(random));
    for (int kind = 0; kind < kKinds; ++kind)
        for (std::uint64_t n = 1; kind != kAllocation && n <= good.report.calls[kind]; ++n) kill_at(kind, n);
}

// Reduces the list to `most` evenly spaced faults.
void keep_evenly_spaced(std::vector<Fault>& faults, std::uint64_t most) {
    if (faults.size() <= most) return;
    std::vector<Fault> some;
    for (std::uint64_t k = 0; k < most; ++k) some.push_back(faults[(2 * k + 1) * faults.size() / (2 * most)]);
    faults = std::move(some);
}

struct Tally {
    std::uint64_t system_calls = 0, allocations = 0;
    std::atomic<std::uint64_t> runs = 0, refused = 0, killed = 0, complaints = 0;
};

// All faults to inject into a command, in a deterministic order.
std::vector<Fault> faults_of(const Command& command, const Finished& good, const Options& options,
                             std::uint64_t most, Tally& tally) {
    std::vector<Fault> calls, allocations, disk_and_kill_faults;
    for (int kind = 0; kind < kKinds; ++kind) {
        const std::uint64_t n = good.report.calls[kind];
        const bool is_memory = static_cast<Kind>(kind) == Kind::allocation;
        (is_memory ? tally.allocations : tally.system_calls) += n;
        add_faults(static_cast<Kind>(kind), n, is_memory ? allocations : calls);
    }
    if (command.draws || command.is_long) keep_evenly_spaced(allocations, kSome);
    add_disk_and_kill_faults(command, good, disk_and_kill_faults);
    if (options.runs > 0) {
        keep_evenly_spaced(calls, most / 2);
        keep_evenly_spaced(allocations, most / 3);
        keep_evenly_spaced(disk_and_kill_faults, most / 6);
    }
    for (const std::vector<Fault>* more : {&allocations, &disk_and_kill_faults})
        calls.insert(calls.end(), more->begin(), more->end());
    return calls;
}

class Driver {
  public:
    explicit Driver(const Options& options) : options_(options), workspaces_(options.jobs) {}

    // Returns whether there were no complaints.
    bool run() {
        std::vector<Command> chosen = commands(workspaces_.front());
        std::erase_if(chosen, [&](const Command& command) {
            return !options_.chosen(command.name) || (command.is_long && options_.runs > 0);
        });
        if (chosen.empty()) throw std::runtime_error("no command has such a name");
        fmt::print("{:<27}{:>13}{:>13}{:>9}{:>9}{:>8}\n", "command", "system calls", "allocations", "runs",
                   "refused", "killed");
        for (const Command& command : chosen) run(command, options_.runs / chosen.size() + 1);
        fmt::print("{:<27}{:>13}{:>13}{:>9}{:>9}{:>8}\n", fmt::format("{} commands", chosen.size()),
                   all_.system_calls, all_.allocations, all_.runs.load(), all_.refused.load(),
                   all_.killed.load());
        if (options_.words.empty()) complain(two_writers(workspaces_.front()), all_);
        fmt::print("{}\n", all_.complaints == 0 ? "nothing to complain about"
                                                : fmt::format("{} complaints", all_.complaints.load()));
        return all_.complaints == 0;
    }

  private:
    void run(const Command& command, std::uint64_t most) {
        const Finished good = workspaces_.front().run(command, command.files, {});
        if (good.exit_code > 1) throw std::runtime_error(fmt::format("{}: {}", command.name, good.err));
        Tally tally;
        const std::vector<Fault> faults = faults_of(command, good, options_, most, tally);
        std::atomic<std::size_t> next = 0;
        {
            std::vector<std::jthread> threads;
            for (Workspace& workspace : workspaces_)
                threads.emplace_back([&] {
                    for (std::size_t i; (i = next++) < faults.size();)
                        try_one(workspace, command, good, faults[i], tally);
                });
            while (isatty(STDERR_FILENO) != 0 && next < faults.size()) {
                fmt::print(stderr, "\r{}: {}/{} ", command.name, tally.runs.load(), faults.size());
                std::this_thread::sleep_for(std::chrono::milliseconds(200));
            }
        }
        if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r{:79}\r", "");
        if (tally.refused == 0)
            complain(command.name + ": nothing was made to fail; is the shim there?", tally);
        fmt::print("{:<27}{:>13}{:>13}{:>9}{:>9}{:>8}\n", command.name, tally.system_calls, tally.allocations,
                   tally.runs.load(), tally.refused.load(), tally.killed.load());
        std::fflush(stdout);
        all_.system_calls += tally.system_calls, all_.allocations += tally.allocations;
        all_.runs += tally.runs, all_.refused += tally.refused, all_.killed += tally.killed;
        all_.complaints += tally.complaints;
    }

    void try_one(Workspace& workspace, const Command& command, const Finished& good, const Fault& fault,
                 Tally& tally) {
        std::string what;
        try {
            const Finished run = workspace.run(command, command.files, fault);
            ++tally.runs;
            if (run.exit_code != good.exit_code) ++(fault.kills() ? tally.killed : tally.refused);
            what = find_violation(workspace, command, good, fault, run);
        } catch (const std::exception& problem) {
            what = problem.what();
        }
        if (!what.empty()) complain(fmt::format("{}: {}: {}", command.name, fault.text(), what), tally);
    }

    void complain(const std::string& what, Tally& tally) {
        if (what.empty() || ++tally.complaints > kMostComplaints) return;
        const std::lock_guard lock(mutex_);
        fmt::print(stderr, "{}\n", what);
    }

    const Options& options_;
    std::vector<Workspace> workspaces_;
    std::mutex mutex_;
    Tally all_;
};

std::optional<Options> parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const std::string_view value = i + 1 < argc ? argv[i + 1] : "";
        const auto number = [&](auto& to) {
            ++i;
            return std::from_chars(value.data(), value.data() + value.size(), to).ec == std::errc{} && to > 0;
        };
        if (word == "--runs") {
            if (!number(options.runs)) return {};
        } else if (word == "--jobs") {
            if (!number(options.jobs)) return {};
        } else if (word.starts_with("-") && word != "--help") {
            return {};
        } else {
            options.words.push_back(word);
        }
    }
    return options;
}

}  // namespace

int main(int argc, char** argv) {
    const std::optional<Options> options = parse(argc, argv);
    if (!options) {
        fmt::print(stderr, "usage: switchyard_faults [--runs N] [--jobs J] [WORD...]\n");
        return 2;
    }
    try {
        return Driver(*options).run() ? 0 : 1;
    } catch (const std::exception& problem) {
        fmt::print(stderr, "switchyard_faults: {}\n", problem.what());
        return 2;
    }
}
