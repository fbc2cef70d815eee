// The shares of tasks that compute without a pause, one more than CPUs: the table of
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

// "76-62": the largest and the smallest share of a CPU in percent, rounded. One number: all are equal.
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
    EXPECT_EQ(percent.size(), cpus + 1) << policy;
    const auto [least, most] = std::minmax_element(percent.begin(), percent.end());
    return *least == *most ? fmt::format("{}", *most) : fmt::format("{}-{}", *most, *least);
}

std::string table() {
    std::string table, names, cells;
    for (const PolicyInfo& info : policies()) {
        if (make_policy(info.name, 1).policy->max_cpus() == 1) continue;
        std::string now;
        for (const bool disturbed : {false, true})
            for (std::uint32_t cpus = 2; cpus <= 4; ++cpus)
                now += fmt::format(" {} |", shares(info.name, cpus, disturbed));
        if (now != cells) {
            if (!names.empty()) table += fmt::format("| {} |{}\n", names, cells);
            names.clear();
            cells = now;
        }
        names += fmt::format("{}`{}`", names.empty() ? "" : ", ", info.name);
    }
    return table + fmt::format("| {} |{}\n", names, cells);
}

TEST(Shares, TableOfThePage) {
    std::ifstream in(SWITCHYARD_SOURCE_DIR "/docs/reference/run_queues.md");
    const std::string page{std::istreambuf_iterator<char>(in), {}};
    const std::string expected = table();
    EXPECT_NE(page.find("|---|---|---|---|---|---|---|\n" + expected + "\n"), std::string::npos)
        << "expected:\n"
        << expected;
}

}  // namespace shares_test
}  // namespace sim
