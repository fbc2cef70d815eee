// Edits of the table of jobs: only the edited values change, and every result is a valid scenario.
#include "sim/scenario/workload_edit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "sim/base/rng.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/json_edit.h"

namespace sim {
namespace workload_edit_test {

const ScenarioText kTable{"t.json",
                          R"({
    "format": "switchyard-scenario/1", // the format
    "tasks": [
        {"name": "A", "arrival": "0ms", "burst": "8ms"}, // the first
        {"name": "B", "start": "1ms", "program": [{"run": "4ms"}]},
        {"name": "C", "program": [{"run": "1ms"}, "yield", {"run": "2ms"}]}
    ],
    "provenance": {"/tasks/0-2": "chosen: x", "/tasks/1/start": "chosen: y"},
    "expect": [{"pointer": "/switches/voluntary", "equals": 4}, {"pointer": "/tasks/1/user_ns", "equals": 4000000}]
}
)",
                          ""};

std::string refusal(const std::function<void()>& edit) {
    try {
        edit();
    } catch (const ScenarioError& error) {
        return error.problems().front().message;
    }
    return "no refusal";
}

std::string with(const std::string& text, const std::string& from, const std::string& to) {
    std::string changed = text;
    const std::size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return changed.replace(at, from.size(), to);
}

TEST(WorkloadEdit, KnowsTheJobs) {
    const Scenario scenario = parse_scenario(kTable);
    EXPECT_TRUE(has_single_burst(scenario, 0));
    EXPECT_TRUE(has_single_burst(scenario, 1));
    EXPECT_FALSE(has_single_burst(scenario, 2));
    EXPECT_EQ(burst_of(scenario, 0), 8ms);
    EXPECT_EQ(burst_of(scenario, 1), 4ms);
    EXPECT_EQ(unused_job_name(scenario), "D");
}

TEST(WorkloadEdit, AFieldKeepsTheRestOfTheText) {
    const std::string& text = kTable.text;
    const ScenarioText bare{
        "t.json",
        with(text, R"("provenance": {"/tasks/0-2": "chosen: x", "/tasks/1/start": "chosen: y"},)", ""), ""};
    EXPECT_EQ(with_job_field(bare, 2, JobField::name, " Z "),
              with(bare.text, R"("name": "C")", R"("name": "Z")"));
    EXPECT_EQ(with_job_field(bare, 0, JobField::burst, "9"),
              with(bare.text, R"("burst": "8ms")", R"("burst": "9ms")"));
    EXPECT_EQ(with_job_field(bare, 1, JobField::burst, "2.5"),
              with(bare.text, R"({"run": "4ms"})", R"({"run": "2.5ms"})"));
    EXPECT_EQ(with_job_field(bare, 1, JobField::arrival, "30us"),
              with(bare.text, R"("start": "1ms")", R"("start": "30us")"));
    EXPECT_EQ(with_job_field(bare, 2, JobField::arrival, "3"),
              with(bare.text, R"("name": "C", )", R"("name": "C", "arrival": "3ms", )"));
    EXPECT_EQ(with_job_field(bare, 0, JobField::arrival, ""), with(bare.text, R"("arrival": "0ms", )", ""));
    EXPECT_EQ(with_job_field(bare, 0, JobField::priority, "7"),
              with(bare.text, R"("burst": "8ms"})", R"("burst": "8ms", "priority": 7})"));
}

TEST(WorkloadEdit, ProvenanceOfRemovedValuesIsRemoved) {
    const ScenarioText text{"t.json", R"({"format": "switchyard-scenario/1", "tasks": [
        {"name": "A", "count": 1, "nice": 5, "burst": "1ms"}, {"name": "B", "start": "1ms", "count": 1, "burst": "1ms"}],
        "provenance": {"/tasks/0/count": "chosen: a", "/tasks/0-1/count": "chosen: b",
                       "/tasks/1/start": "chosen: c", "/tasks/0/nice": "chosen: n"}})",
                            ""};
    const Scenario cleared = parse_scenario("t.json", with_job_field(text, 1, JobField::arrival, ""));
    EXPECT_EQ(cleared.groups[1].start, 0ns);
    EXPECT_EQ(cleared.provenance.size(), 3u);
    EXPECT_EQ(parse_scenario("t.json", with_job_field(text, 0, JobField::priority, "9")).groups[0].priority,
              9);
    EXPECT_EQ(parse_scenario("t.json", without_job(text, 1)).provenance.size(), 2u)
        << "two entries have one pointer now";
}

TEST(WorkloadEdit, AByteOrderMarkStays) {
    const ScenarioText text{"t.json", "\xef\xbb\xbf" + kTable.text, ""};
    EXPECT_TRUE(without_job(text, 0).starts_with("\xef\xbb\xbf{"));
    EXPECT_TRUE(with_job(text, {"D", 0ns, 1ms, {}}).starts_with("\xef\xbb\xbf{"));
}

TEST(WorkloadEdit, ANiceValueBecomesAPriority) {
    const ScenarioText nice{
        "t.json",
        R"({"format": "switchyard-scenario/1", "tasks": [{"name": "A", "nice": 5, "burst": "1ms"}]})", ""};
    const Scenario scenario = parse_scenario("t.json", with_job_field(nice, 0, JobField::priority, "9"));
    EXPECT_EQ(scenario.groups[0].priority, 9);
    EXPECT_FALSE(scenario.groups[0].has_nice);
}

TEST(WorkloadEdit, InvalidValuesAreRefusedWithAReason) {
    const auto field = [](JobField which, const char* typed, std::size_t group = 0) {
        return refusal([&] { (void)with_job_field(kTable, group, which, typed); });
    };
    EXPECT_EQ(field(JobField::burst, "x"), "expected a time, like 8 (in ms) or 8ms, got 'x'");
    EXPECT_EQ(field(JobField::burst, "1,5"), "'1,5': write a decimal point, not a comma");
    EXPECT_EQ(field(JobField::burst, ""), "a job needs a burst");
    EXPECT_EQ(field(JobField::burst, "0"), "a burst must be above 0");
    EXPECT_EQ(field(JobField::burst, "5", 2),
              "this task has a program of several steps, so it has no burst that can be changed");
    EXPECT_EQ(field(JobField::arrival, "-1"), "'-1' is negative; a time is 0 or more");
    EXPECT_EQ(field(JobField::name, "B"), "duplicate task name 'B'");
    EXPECT_EQ(field(JobField::name, "a b"), "a name must not contain spaces or control characters");
    EXPECT_EQ(field(JobField::name, ""), "a job needs a name");
    EXPECT_EQ(field(JobField::priority, "41"), "expected a whole number from 1 to 40, got '41'");
}

TEST(WorkloadEdit, AJobIsAddedInTheStyleOfTheList) {
    const std::string added = with_job(kTable, {"D", 3ms, 5ms, 2});
    EXPECT_EQ(added, with(kTable.text, "{\"run\": \"2ms\"}]}\n",
                          "{\"run\": \"2ms\"}]},\n        {\"name\": \"D\", \"arrival\": \"3ms\", \"burst\": "
                          "\"5ms\", \"priority\": 2}\n"));
    const std::string first =
        with_job({"t.json", R"({"format": "switchyard-scenario/1", "tasks": []})", ""}, {"D", 0ms, 5ms, {}});
    EXPECT_EQ(
        first,
        R"({"format": "switchyard-scenario/1", "tasks": [{"name": "D", "arrival": "0ms", "burst": "5ms"}]})");
}

// Provenance of later tasks moves with them; assertions about tasks are removed.
TEST(WorkloadEdit, ARemovedJobTakesItsStatementsAlong) {
    EXPECT_EQ(without_job(kTable, 1), R"({
    "format": "switchyard-scenario/1", // the format
    "tasks": [
        {"name": "A", "arrival": "0ms", "burst": "8ms"}, // the first
        {"name": "C", "program": [{"run": "1ms"}, "yield", {"run": "2ms"}]}
    ],
    "provenance": {"/tasks/0-1": "chosen: x"},
    "expect": [{"pointer": "/switches/voluntary", "equals": 4}]
}
)");
    const std::string last = without_job(kTable, 2);
    EXPECT_NE(last.find("[{\"run\": \"4ms\"}]}\n    ],"), std::string::npos) << last;
    EXPECT_NE(last.find("\"/tasks/1/start\": \"chosen: y\""), std::string::npos) << last;
}

TEST(WorkloadEdit, ATaskThatAnotherOneForksStays) {
    const ScenarioText forks{"t.json", R"({"format": "switchyard-scenario/1", "tasks": [
        {"name": "A", "program": [{"fork": "B"}]}, {"name": "B", "burst": "1ms"}]})",
                             ""};
    EXPECT_EQ(refusal([&] { (void)without_job(forks, 1); }), "there is no task 'B'; the tasks here are A");
}

TEST(WorkloadEdit, AllJobsAreReplaced) {
    const std::vector<ListedJob> jobs{{"X", 0ms, 1ms, {}}, {"Y", 2ms, 3ms, 4}};
    const Scenario scenario = parse_scenario("t.json", with_all_jobs(kTable, jobs));
    ASSERT_EQ(scenario.groups.size(), 2u);
    EXPECT_EQ(scenario.groups[1].name, "Y");
    EXPECT_EQ(scenario.groups[1].start, 2ms);
    EXPECT_EQ(scenario.groups[1].priority, 4);
    EXPECT_TRUE(scenario.assertions.empty());
}

// Random edits of every built-in scenario give valid scenarios with the edited values, or are refused.
TEST(WorkloadEdit, EveryBuiltInScenarioCanBeEdited) {
    std::uint64_t random = 7;
    std::size_t done = 0, refused = 0;
    for (const std::string& name : builtin_file_names("")) {
        ScenarioText text = find_scenario(name);
        if (text.text.size() > 200'000) continue;
        SCOPED_TRACE(name);
        for (int i = 0; i < 12; ++i) {
            const Scenario before = parse_scenario(text);
            const std::size_t groups = before.groups.size();
            if (groups == 0) break;
            const std::size_t group = random_below(random, groups);
            try {
                switch (random_below(random, 4)) {
                    case 0:
                        text.text = with_job(text, {unused_job_name(before), 1ms, 2ms, {}});
                        EXPECT_EQ(parse_scenario(text).groups.size(), groups + 1);
                        break;
                    case 1:
                        text.text = without_job(text, group);
                        EXPECT_EQ(parse_scenario(text).groups.size(), groups - 1);
                        break;
                    case 2:
                        text.text = with_job_field(text, group, JobField::arrival, "3.5");
                        EXPECT_EQ(parse_scenario(text).groups[group].start, 3'500us);
                        break;
                    default:
                        text.text = with_job_field(text, group, JobField::priority, "11");
                        EXPECT_EQ(parse_scenario(text).groups[group].priority, 11);
                }
                ++done;
            } catch (const ScenarioError& error) {  // such as a task that another one forks
                EXPECT_FALSE(error.problems().front().message.empty());
                ++refused;
            }
        }
    }
    EXPECT_GT(done, 10 * refused) << done << " edits, " << refused << " refused";
}

TEST(WorkloadEdit, ElementsAreAddedAndRemovedInAnyLayout) {
    const auto appended = [](const char* text) {
        const JsonTree tree("t", text);
        return with_element(tree, tree.root(), "9");
    };
    EXPECT_EQ(appended("[]"), "[9]");
    EXPECT_EQ(appended("[1]"), "[1, 9]");
    EXPECT_EQ(appended("[1,2]"), "[1,2,9]");
    EXPECT_EQ(appended("[\n  1, // one\n  2 // two\n]"), "[\n  1, // one\n  2, // two\n  9\n]");
    const auto removed = [](const char* text, std::size_t index) {
        const JsonTree tree("t", text);
        return without_element(tree, tree.root(), index);
    };
    EXPECT_EQ(removed("[1]", 0), "[]");
    EXPECT_EQ(removed("[1, 2, 3]", 0), "[2, 3]");
    EXPECT_EQ(removed("[1, 2, 3]", 1), "[1, 3]");
    EXPECT_EQ(removed("[1, 2, 3]", 2), "[1, 2]");
    EXPECT_EQ(removed("[\n  1, // one\n  2 // two\n]", 1), "[\n  1 // one\n]");
    EXPECT_EQ(removed("[\n  1, // one\n  2 // two\n]", 0), "[\n  2 // two\n]");
}

}  // namespace workload_edit_test
}  // namespace sim
