// Golden test of the output of the commands and of figures, for each scenario.
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/command_line.h"
#include "tests/support/golden_table.h"
#include "tests/support/test_name.h"
#include "tests/support/test_sizes.h"

namespace printed_golden_test {

class GoldenPrints : public CommandLine, public testing::WithParamInterface<std::string> {};

constexpr const char* kViews[] = {"jobs",        "perf-record", "perf-sched",       "perf-stat",
                                  "perf-stat-a", "pidstat",     "pidstat-t",        "pidstat-u",
                                  "pidstat-ut",  "proc-status", "proc-task-status", "sar",
                                  "schedule",    "time-v",      "vmstat",           "vmstat-a"};
// Views that were added later; no golden table contains them.
constexpr const char* kAddedViews[] = {"strace-c", "strace-f", "top", "uptime"};

// Scenarios that were added after the table was created. They come last, so that the other scenarios are
// still printed with the same views as before. Append new scenarios at the end.
constexpr std::string_view kAddedLater[] = {"lesson-9-two-arrays", "lesson-10-fair-shares",
                                            "lesson-11-convoy",    "lesson-11-gaming",
                                            "lesson-12-goodness",  "lesson-13-your-machine"};

std::size_t turn_of(const std::string& name) {
    auto names = sim::builtin_file_names("");
    for (const std::string_view added : kAddedLater) {
        const auto place = std::find(names.begin(), names.end(), added);
        if (place != names.end()) std::rotate(place, place + 1, names.end());
    }
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

TEST_P(GoldenPrints, MatchStoredHashes) {
    const std::string& name = GetParam();
    // Each scenario is printed with four of the views; the next scenario gets the next four.
    const std::size_t turn = turn_of(name);
    if (!kOptimised && turn % 4 != 0) GTEST_SKIP() << "takes long in a build that is not optimised";
    const bool is_crowd = sim::load_scenario(name).shape.tasks > 500;
    const std::string until = is_crowd ? "2ms" : "20ms";
    std::vector<Words> commands{
        {"run", name},
        {"run", name, "--policy", "linux-2.4.22", "--format", "json"},
        {"compare", name, "--policy", "linux-2.0", "--policy", "linux-2.2"},
        {"figure", "costs", name, "--policy", "linux-2.0", "--policy", "linux-2.4.0"}};
    for (Words& words : commands) words.insert(words.end(), {"--until", until});
    for (std::size_t i = 0; i < 4; ++i)
        commands.push_back({"run", name, "--until", "2s", "--switches", "2000", "--view",
                            kViews[(4 * turn + i) % std::size(kViews)]});
    commands.push_back({"figure", "timeline", name, "--from", "0ms", "--to", "200us"});
    std::string text;
    for (const Words& words : commands) {
        const Finished f = switchyard(words);
        EXPECT_EQ(f.exit_code, 0) << joined(words) << f.err;
        text += f.out;
    }
    GoldenTable("print_hashes.txt").expect(name, text);
}

INSTANTIATE_TEST_SUITE_P(Gallery, GoldenPrints, testing::ValuesIn(sim::builtin_file_names("")),
                         name_of_parameter);

const Words kListed{"policies", "scripts",  "scenarios", "machines", "costs", "provenance",
                    "actions",  "measures", "tables",    "topics",   "grades"};

class GoldenLists : public CommandLine, public testing::WithParamInterface<std::string> {};

TEST_P(GoldenLists, MatchStoredHashes) {
    GoldenTable("list_hashes.txt")
        .expect(GetParam(), output({"list", GetParam()}) + output({"list", GetParam(), "--format", "json"}));
}

INSTANTIATE_TEST_SUITE_P(All, GoldenLists, testing::ValuesIn(kListed));

using GoldenListTable = CommandLine;

// The error for an unknown name lists all lists and views.
TEST_F(GoldenListTable, HasEachList) {
    GoldenTable("list_hashes.txt").expect_names(kListed);
    expect_refused({"list", "nothing"}, fmt::format("is not one of {}\n", fmt::join(kListed, ", ")));
    std::set<std::string> views(std::begin(kViews), std::end(kViews));
    views.insert(std::begin(kAddedViews), std::end(kAddedViews));
    expect_refused({"run", "two-hogs", "--view", "nothing"},
                   fmt::format("is not one of {}\n", fmt::join(views, ", ")));
}

using GoldenPages = CommandLine;

TEST_F(GoldenPages, ManualAndSweepMatchStoredHashes) {
    output({"manual", folder().string()});
    std::string all;
    for (const std::string& file : listing()) {
        if (!file.ends_with(".1")) continue;
        const std::string page = content_of(folder() / file);
        all += page.substr(page.find("\n.SH NAME"));  // the first line contains the version
    }
    GoldenTable table("page_hashes.txt");
    table.expect("manual", all);

    std::filesystem::copy(SWITCHYARD_SOURCE_DIR "/docs/figures/sweep.jsonl", folder() / "sweep.jsonl");
    table.expect("figure-sweep", output({"figure", "sweep", "sweep.jsonl"}));
    table.expect("sweep", output({"sweep", "--results-from", "sweep.jsonl"}) +
                              output({"sweep", "--results-from", "sweep.jsonl", "--format", "csv"}) +
                              output({"sweep", "--results-from", "sweep.jsonl", "--format", "json"}));
    table.expect_names({"manual", "figure-sweep", "sweep"});
}

TEST(GoldenPrintTable, HasEachScenario) {
    GoldenTable("print_hashes.txt").expect_names(sim::builtin_file_names(""));
}

}  // namespace printed_golden_test
