// `switchyard run --view`: what the tools of administrators would print, and that it agrees with the summary
// of the run.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>

#include "tests/support/command_line.h"

namespace {

using nlohmann::json;

class Views : public CommandLine {};

Words columns_of(const std::string& line) {
    std::istringstream in(line);
    return {std::istream_iterator<std::string>(in), {}};
}

constexpr const char* kVmstatHeader =
    "procs -------------------memory------------------ ---swap-- -----io---- --system-- -----cpu-------\n"
    " r  b       swpd       free       buff      cache   si   so    bi    bo   in   cs  us sy  id wa st\n";

TEST_F(Views, VmstatHasTheColumnsOfTheToolAndItsContextSwitchesAreThoseOfTheRun) {
    for (const char* name : {"interactive-vs-hog", "web-server", "two-hogs", "recalc-storm"}) {
        SCOPED_TRACE(name);
        const std::string text = output({"run", name, "--until", "5s", "--view", "vmstat"});
        ASSERT_TRUE(text.starts_with(kVmstatHeader)) << text;
        const Words lines = lines_of(text);
        ASSERT_EQ(lines.size(), 2u + 5u) << text;
        std::int64_t switches = 0;
        for (std::size_t i = 2; i < lines.size(); ++i) {
            const Words row = columns_of(lines[i]);
            ASSERT_EQ(row.size(), 17u) << lines[i];
            // Columns stand under their names; one that is too wide moves the rest, as with the tool.
            constexpr std::array<std::size_t, 17> kWidths{2, 2, 10, 10, 10, 10, 4, 4, 5,
                                                          5, 4, 4,  3,  2,  3,  2, 2};
            std::size_t length = kWidths.size() - 1;
            for (std::size_t column = 0; column < row.size(); ++column)
                length += std::max(kWidths[column], row[column].size());
            EXPECT_EQ(lines[i].size(), length) << lines[i];
            const auto number = [&](std::size_t column) { return std::stoll(row[column]); };
            switches += number(11);
            EXPECT_GE(number(10), 99) << "the timer alone interrupts 100 times a second";
            EXPECT_NEAR(static_cast<double>(number(12) + number(13) + number(14)), 100, 1) << lines[i];
            for (const std::size_t column : {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16}) EXPECT_EQ(number(column), 0);
        }
        EXPECT_EQ(switches,
                  json_output({"run", name, "--until", "5s"})["switches"]["total"].get<std::int64_t>());
    }
}

TEST_F(Views, VmstatSaysWhatIsRunningAndWhereTheTimeGoes) {
    const Words rows = lines_of(output({"run", "two-hogs", "--until", "3s", "--view", "vmstat"}));
    ASSERT_EQ(rows.size(), 5u);
    EXPECT_EQ(
        rows[3],
        " 2  0          0          0          0          0    0    0     0     0  100    5 100  0   0  0  0");
    const Words storm = columns_of(lines_of(output({"run", "recalc-storm", "--view", "vmstat"})).at(2));
    EXPECT_EQ(storm.at(13), "100") << "all of it is the kernel's time";
    const Words idle =
        columns_of(lines_of(output({"run", "two-hogs", "--set", R"(/tasks/0/program=[{"sleep": "30s"}])",
                                    "--view", "vmstat"}))
                       .at(4));
    EXPECT_EQ(idle.at(0), "0");
    EXPECT_EQ(idle.at(14), "100");
}

TEST_F(Views, PidstatHasTheColumnsOfTheToolAndAddsUpToTheSwitchesOfEachTask) {
    for (const char* name : {"interactive-vs-hog", "web-server"}) {
        SCOPED_TRACE(name);
        const std::string text = output({"run", name, "--until", "12s", "--view", "pidstat"});
        const Words lines = lines_of(text);
        ASSERT_GT(lines.size(), 10u) << text;
        EXPECT_EQ(lines[0], "12:00:00 AM       PID   cswch/s nvcswch/s  Command");
        const std::regex row(
            "12:00:([0-9]{2}) AM {1,9}([0-9]+) +([0-9]+\\.[0-9]{2}) +([0-9]+\\.[0-9]{2})  (\\S+)");
        std::map<std::string, std::pair<double, double>> switches;
        for (std::size_t i = 1; i < lines.size(); ++i) {
            std::smatch match;
            ASSERT_TRUE(std::regex_match(lines[i], match, row)) << lines[i];
            EXPECT_EQ(lines[i].find(match[5]), lines[0].find("Command")) << lines[i];
            switches[match[5]].first += std::stod(match[3]);
            switches[match[5]].second += std::stod(match[4]);
            EXPECT_GT(std::stod(match[3]) + std::stod(match[4]), 0) << lines[i];
        }
        std::size_t busy = 0;
        const json summary = json_output({"run", name, "--until", "12s"});
        for (const json& task : summary["tasks"]) {
            if (task["voluntary"] == 0 && task["involuntary"] == 0) continue;
            ++busy;
            const auto& [voluntary, involuntary] = switches[task["name"]];
            EXPECT_NEAR(voluntary, task["voluntary"].get<double>(), 1e-6) << task;
            EXPECT_NEAR(involuntary, task["involuntary"].get<double>(), 1e-6) << task;
        }
        EXPECT_EQ(switches.size(), busy);
    }
}

TEST_F(Views, PidstatCountsATaskFromItsOwnBeginningWhenItHasTheRowOfOneThatExited) {
    // A child a second, always in the same row; each sleeps five times, the exit included.
    write_file(folder() / "forks.json", R"({"format": "switchyard-scenario/1", "machine": {}, "until": "4s",
        "max_tasks": 2, "tasks": [
        {"name": "parent", "program": [{"loop": "forever", "steps": [{"fork": "child"}, {"sleep": "1s"}]}]},
        {"name": "child", "count": 0, "program": [{"loop": 4, "steps": [{"sleep": "1ms"}]}]}]})");
    const std::string text = output({"run", "forks.json", "--view", "pidstat"});
    std::size_t children = 0;
    for (const std::string& line : lines_of(text)) {
        if (line.find("child") == std::string::npos) continue;
        ++children;
        EXPECT_EQ(columns_of(line).at(3), "5.00") << line;
    }
    EXPECT_EQ(children, 4u) << text;
}

TEST_F(Views, TheIntervalOfAViewIsSimulatedTime) {
    const auto rows = [&](const char* interval) {
        return lines_of(
                   output({"run", "two-hogs", "--until", "3s", "--view", "vmstat", "--interval", interval}))
                   .size() -
               2;
    };
    EXPECT_EQ(rows("1s"), 3u);
    EXPECT_EQ(rows("500ms"), 6u);
    EXPECT_EQ(rows("2s"), 2u);
    expect_refused({"run", "two-hogs", "--view", "vmstat", "--interval", "1us"}, "--interval");
    expect_refused({"run", "two-hogs", "--view", "vmstat", "--interval", "often"}, "--interval");
}

}  // namespace
