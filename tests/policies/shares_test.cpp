// The shares of tasks that compute without a pause, one more than CPUs: the two tables of
// docs/reference/run_queues.md.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "sim/policies/policies.h"
#include "tests/support/simulation.h"

namespace sim {
namespace shares_test {

constexpr const char* kHog =
    R"({{"name": "hog", "count": {}, "program": [{{"loop": "forever", "steps": [{{"run": "1h"}}]}}]}})";
constexpr const char* kShort =
    R"(, {"name": "short", "program": [{"loop": "forever",
          "steps": [{"sleep": {"exponential": "50ms"}}, {"run": {"exponential": "1ms"}}]}]})";

// "76 62 62": the shares of a CPU in percent, rounded, the largest first.
std::string shares(const std::string& policy, std::uint32_t cpus, bool disturbed) {
    const std::string text = fmt::format(
        R"({{"format": "switchyard-scenario/1", "machine": "pentium-mmx-200", "cpus": {}, "until": "600s",
             "tasks": [{}{}]}})",
        cpus, fmt::format(kHog, cpus + 1), disturbed ? kShort : "");
    Simulation run(parse_scenario("shares.json", text), policy);
    run.engine.run(run.m, {.until = 600s}, {&run.statistics, nullptr, nullptr});
    std::vector<std::int64_t> percent;
    for (const TaskStatistics& task : run.tasks())
        if (task.user > 100s) percent.push_back((task.user.count() + 3'000'000'000) / 6'000'000'000);
    std::sort(percent.rbegin(), percent.rend());
    EXPECT_EQ(percent.size(), cpus + 1) << policy;
    return fmt::format("{}", fmt::join(percent, " "));
}

std::string rows(bool disturbed) {
    std::string table;
    std::string names, cells;
    for (const PolicyInfo& info : policies()) {
        if (make_policy(info.name, 1).policy->most_cpus() == 1) continue;
        const std::string now = fmt::format("{} | {} | {}", shares(info.name, 2, disturbed),
                                            shares(info.name, 3, disturbed), shares(info.name, 4, disturbed));
        if (now != cells) {
            if (!names.empty()) table += fmt::format("| {} | {} |\n", names, cells);
            names.clear();
            cells = now;
        }
        names += fmt::format("{}`{}`", names.empty() ? "" : ", ", info.name);
    }
    return table + fmt::format("| {} | {} |\n", names, cells);
}

std::string page() {
    std::ifstream in(SWITCHYARD_SOURCE_DIR "/docs/reference/run_queues.md");
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Shares, TableOfUndisturbedTasks) {
    const std::string table = rows(false);
    EXPECT_NE(page().find("|---|---|---|---|\n" + table + "\n"), std::string::npos) << "expected:\n" << table;
}

TEST(Shares, TableWithAShortTask) {
    const std::string table = rows(true);
    EXPECT_NE(page().find("|---|---|---|---|\n" + table + "\n"), std::string::npos) << "expected:\n" << table;
}

}  // namespace shares_test
}  // namespace sim
