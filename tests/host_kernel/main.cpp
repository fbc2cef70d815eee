// `./run compare-host`: runs a few programs on this machine's kernel and simulates them under linux-6.6. CPU
// shares must agree within 5 % of the CPU; switches and their order are only printed.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <tuple>

#include "tests/host_kernel/host_kernel.h"

namespace host_kernel {
namespace {

constexpr double kMost = 0.05;
constexpr int kSeconds = 3;

const std::vector<Case> kCases{
    {"two that compute", {{}, {}}},
    {"nice 0 and 5", {{.nice = 0}, {.nice = 5}}},
    {"four that compute, nice 0, 0, 3, 10", {{}, {}, {.nice = 3}, {.nice = 10}}},
    {"one computes, one is awake for 2 of some 7 ms", {{}, {.run_us = 2'000, .sleep_us = 5'000}}},
    {"one computes, two are awake for 0.3 of some 1.3 ms",
     {{}, {.run_us = 300, .sleep_us = 1'000}, {.run_us = 300, .sleep_us = 1'000}}},
    {"three that yield every 0.2 ms",
     {{.run_us = 200, .yields = true}, {.run_us = 200, .yields = true}, {.run_us = 200, .yields = true}}},
    {"one that yields every 0.2 ms, and one that computes", {{.run_us = 200, .yields = true}, {}}},
    {"eight of all kinds",
     {{},
      {.nice = 5},
      {.nice = 10},
      {.run_us = 1'000, .sleep_us = 3'000},
      {.run_us = 500, .sleep_us = 9'000},
      {.run_us = 200, .yields = true},
      {.nice = 5, .run_us = 200, .yields = true},
      {.nice = 3, .run_us = 4'000, .sleep_us = 20'000}}},
};

struct Version {
    std::string release;
    int major = 0, minor = 0, patch = 0;

    bool is_at_least(int a, int b, int c = 0) const {
        return std::tie(major, minor, patch) >= std::tie(a, b, c);
    }
};

Version version_here() {
    utsname name{};
    Version version;
    if (uname(&name) != 0) return version;
    version.release = name.release;
    if (std::sscanf(name.release, "%d.%d.%d", &version.major, &version.minor, &version.patch) < 2)
        version.major = 0;
    return version;
}

std::string describe(const Program& p) {
    std::string text = fmt::format("nice {:>2}, runs {} us", p.nice, p.run_us);
    if (p.sleep_us > 0) text += fmt::format(", sleeps {} us", p.sleep_us);
    if (p.yields) text += ", yields";
    return text;
}

// Returns the percentage of the switches between tasks that are from `before` to `after`.
double share_of(const std::vector<std::vector<std::uint64_t>>& follows, std::size_t before,
                std::size_t after) {
    std::uint64_t all = 0;
    for (const auto& row : follows)
        for (const std::uint64_t n : row) all += n;
    return all == 0 ? 0 : 100 * static_cast<double>(follows[before][after]) / static_cast<double>(all);
}

// Returns true if all CPU shares agree.
bool compare_case(const Case& which, const Place& place, const std::string& policy) {
    const RunResult here = run_here(which, place, kSeconds);
    const RunResult there = simulate(which, place, kSeconds, policy, here.others);
    fmt::print("\n{}\n  {:<44}{:>8}{:>11}{:>8}{:>16}{:>18}\n", which.name, "", "here", "simulated", "off",
               "switches here", "simulated");
    bool good = true;
    for (std::size_t i = 0; i < which.tasks.size(); ++i) {
        const RunResult::Task &a = here.tasks[i], &b = there.tasks[i];
        const double off = b.share - a.share;
        good = good && std::abs(off) <= kMost;
        fmt::print("  {} {:<42}{:>6.1f} %{:>9.1f} %{:>+6.1f} %{:>8} + {:<6}{:>9} + {:<6}{}\n", i,
                   describe(which.tasks[i]), 100 * a.share, 100 * b.share, 100 * off, a.voluntary,
                   a.involuntary, b.voluntary, b.involuntary,
                   std::abs(off) <= kMost ? "" : "  <- more than 5 %");
    }
    if (here.others.turns > 0)
        fmt::print("  beside others of this machine, here and simulated: {} turns, {:.2f} % of the CPU\n",
                   here.others.turns, 100 * here.others.seconds / kSeconds);
    if (here.follows.empty()) {
        fmt::print("  who comes after whom: not seen, perf cannot record switches here\n");
        return good;
    }
    fmt::print("  who comes after whom, of all switches between them, here and simulated:\n");
    for (std::size_t i = 0; i < which.tasks.size(); ++i) {
        std::string row;
        for (std::size_t k = 0; k < which.tasks.size(); ++k)
            if (const double a = share_of(here.follows, i, k), b = share_of(there.follows, i, k);
                a >= 3 || b >= 3)
                row += fmt::format("  {}->{} {:.0f} {:.0f} %", i, k, a, b);
        if (!row.empty()) fmt::print("  {}\n", row);
    }
    return good;
}

int compare_all(std::string policy) {
    const Version version = version_here();
    if (!version.is_at_least(6, 6)) {
        fmt::print(
            "compare-host: this machine runs Linux {}, which does not schedule by EEVDF (6.6 or later): "
            "skipped\n",
            version.release);
        return 0;
    }
    // Kernels of distributions correspond to group_sched=yes. sched_yield() changed in 6.18.2, and in late
    // versions of 6.6.y and 6.12.y.
    if (policy.empty())
        policy = version.is_at_least(6, 18, 2) ? "linux-6.6:group_sched=yes,yield=forfeit"
                                               : "linux-6.6:group_sched=yes";
    const Place place = place_here();
    fmt::print(
        "Linux {} on CPU {} of {}, {} ticks a second, beside {} at those of server-2020's prices; {} s "
        "each.\n"
        "Switches are voluntary + involuntary.\n",
        version.release, place.cpu, place.cpus, place.hz, policy, kSeconds);
    std::size_t good = 0;
    for (const Case& which : kCases) good += compare_case(which, place, policy);
    fmt::print("\nShares within 5 % of the CPU in {} of {} cases.\n", good, kCases.size());
    return good == kCases.size() ? 0 : 1;
}

}  // namespace
}  // namespace host_kernel

int main(int argc, char** argv) {
    try {
        return host_kernel::compare_all(argc > 1 ? argv[1] : "");
    } catch (const std::exception& error) {
        fmt::print(stderr, "compare-host: {}\n", error.what());
        return 2;
    }
}
