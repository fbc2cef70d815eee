// Tests of the grader: built-in tests distinguish right from wrong solutions, and scripts cannot do harm.
#include "sim/grade/grader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/problem.h"
#include "sim/grade/tests_file.h"
#include "sim/scenario/builtin_files.h"
#include "tests/support/program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/test_sizes.h"

namespace sim::grade {
namespace grader_test {

const Tests& first_scheduler() {
    static const Tests tests = load_tests("first-scheduler");
    return tests;
}
const Tests& goodness() {
    static const Tests tests = load_tests("goodness");
    return tests;
}

std::string builtin_script(const std::string& name) {
    return std::string(find_builtin_file("policies/" + name + ".lua")->text);
}

std::string replaced(std::string text, const std::string& part, const std::string& other) {
    const std::size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    if (at != std::string::npos) text.replace(at, part.size(), other);
    return text;
}

// Names of the failed tests.
std::vector<std::string> lost(const Tests& tests, const GradingResult& graded) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < tests.tests.size(); ++i)
        if (!graded.results[i].passed()) names.push_back(tests.tests[i].name);
    return names;
}

const TestResult& result_of(const Tests& tests, const GradingResult& graded, std::string_view begin) {
    for (std::size_t i = 0; i < tests.tests.size(); ++i)
        if (tests.tests[i].name.starts_with(begin)) return graded.results[i];
    ADD_FAILURE() << "no test " << begin;
    return graded.results.front();
}

// A feedback queue as a student might write it at the end of lesson 11, with ticks instead of slices.
const std::string kPlainFeedbackQueue = R"(
options { quantum = 10, boost = 100 }
fields { at = 1, left = 0 }
machine_fields { boosts = 0 }
level = queues(3)

local function renew(p, at)
    p.at = at
    p.left = option.quantum
end
local function boosts() return now() // (option.boost * ms) end

function start(p) renew(p, 1) end
function fork(parent, child) renew(child, 1) end
function enqueue(p) level[p.at]:add_last(p) end
function preempts(p, current) return p.at < current.at end
function tick(p)
    p.left = p.left - 1
    if p.left == 0 then
        renew(p, min(p.at + 1, #level))
        return true
    end
    return boosts() > machine.boosts
end
function pick_next()
    if boosts() > machine.boosts then
        machine.boosts = boosts()
        for i = 2, #level do level[1]:append(level[i]) end
        for p in tasks() do renew(p, 1) end
    end
    for i = 1, #level do
        if not level[i]:empty() then return level[i]:first() end
    end
end
)";

class Grading : public testing::Test {
  protected:
    GradingResult grade_text(const Tests& tests, const std::string& text,
                             std::int64_t instructions = kInstructions) const {
        return grade(tests, folder_.write("mine.lua", text), instructions);
    }
    Tests tests_of(const std::string& text) const { return load_tests(folder_.write("tests.json", text)); }

    ScratchFolder folder_;
};

// --- built-in tests ---

TEST_F(Grading, BuiltinTestsTotal100Points) {
    EXPECT_EQ(builtin_test_names(), (std::vector<std::string>{"first-scheduler", "goodness"}));
    for (const std::string& name : builtin_test_names()) {
        const Tests tests = load_tests(name);
        EXPECT_EQ(tests.max_points(), 100u) << name;
        for (const grade::Test& test : tests.tests) EXPECT_FALSE(test.hint.empty()) << test.name;
    }
}

TEST_F(Grading, ReferenceSolutionsGetAllPoints) {
    EXPECT_EQ(lost(first_scheduler(), grade(first_scheduler(), "mlfq")), std::vector<std::string>{});
    EXPECT_EQ(lost(goodness(), grade(goodness(), "linux_2_0")), std::vector<std::string>{});
    EXPECT_EQ(lost(goodness(), grade(goodness(), "linux-2.0")), std::vector<std::string>{}) << "in C++";
}

TEST_F(Grading, CorrectSubmissionGetsAllPoints) {
    const GradingResult graded = grade_text(first_scheduler(), kPlainFeedbackQueue);
    EXPECT_EQ(lost(first_scheduler(), graded), std::vector<std::string>{});
    EXPECT_EQ(graded.earned_points(), 100u);
}

TEST_F(Grading, PartialSolutionGetsPartialPoints) {
    const GradingResult fifo = grade(first_scheduler(), "fcfs"), rr = grade(first_scheduler(), "rr");
    EXPECT_EQ(fifo.earned_points(), 10u);
    EXPECT_TRUE(fifo.results.front().passed());
    for (std::size_t i = 0; i < first_scheduler().tests.size(); ++i) {
        const std::string& name = first_scheduler().tests[i].name;
        EXPECT_EQ(rr.results[i].passed(), !name.starts_with("mlfq")) << name;
    }
}

TEST_F(Grading, MissingBoostGetsNoPoints) {
    const GradingResult graded = grade_text(first_scheduler(), R"(
options { quantum = 10, boost = 100 }
function enqueue(p)
    p.slice = option.quantum * ms
    ready:add_last(p)
end
)");
    EXPECT_EQ(result_of(first_scheduler(), graded, "mlfq: with a boost no task starves").points, 0u);
    EXPECT_TRUE(result_of(first_scheduler(), graded, "gaming").passed()) << "nobody gains by a sleep here";
}

TEST_F(Grading, RoundRobinWithoutSliceResetFails) {
    const GradingResult graded = grade_text(first_scheduler(), R"(
options { quantum = 20 }
fields { left = 0 }
function start(p) p.left = option.quantum end
function enqueue(p) ready:add_last(p) end
function tick(p)
    p.left = p.left - 1
    return p.left <= 0
end
)");
    const TestResult& four = result_of(first_scheduler(), graded, "round robin: quantum=4");
    EXPECT_EQ(four.points, 0u);
    EXPECT_NE(four.difference.find("three, from 13ms on: B runs under "), std::string::npos)
        << four.difference;
    EXPECT_NE(four.difference.find("rr:quantum=4 at 13ms: schedule() was not requested\n"), std::string::npos)
        << four.difference;
    EXPECT_TRUE(result_of(first_scheduler(), graded, "first come").passed());
}

TEST_F(Grading, FeedbackQueueErrorFailsMatchingTest) {
    using Names = std::vector<std::string>;
    const auto lost_by = [&](const std::string& part, const std::string& other) {
        return lost(first_scheduler(),
                    grade_text(first_scheduler(), replaced(kPlainFeedbackQueue, part, other)));
    };
    EXPECT_EQ(lost_by("now() // (option.boost * ms)", "0"),
              (Names{"mlfq: with a boost no task starves",
                     "mlfq: a boost every 25 ms: the same tasks at the same times"}));
    EXPECT_EQ(lost_by("return boosts() > machine.boosts", "return false"),
              Names{"mlfq: a boost every 25 ms: the same tasks at the same times"})
        << "late";
    EXPECT_EQ(lost_by("function enqueue(p) ", "function enqueue(p) renew(p, p.at) "),
              Names{"gaming: a task that sleeps just before the end of its slice gains nothing"});
    EXPECT_EQ(result_of(first_scheduler(), grade(first_scheduler(), "feedback"), "gaming").points, 0u)
        << "a new slice after each sleep";
    EXPECT_EQ(lost_by("return p.at < current.at", "return false").size(), 2u) << "newcomers wait";
    EXPECT_FALSE(lost_by("min(p.at + 1, #level)", "p.at").empty()) << "nobody goes down";
    EXPECT_FALSE(lost_by("p.left = option.quantum", "p.left = 10").empty());
}

TEST_F(Grading, GoodnessErrorFailsMatchingTest) {
    using Names = std::vector<std::string>;
    const auto lost_by = [&](const std::string& part, const std::string& other) {
        Names names =
            lost(goodness(), grade_text(goodness(), replaced(builtin_script("linux_2_0"), part, other)));
        for (std::string& name : names) name.resize(std::min(name.find(':'), name.size()));
        std::erase(names, "all rules, in the scenarios of lesson 2");
        return names;
    };
    const std::string kPatch = "the patch of 1997, and the 1 that goodness() adds for prev";
    EXPECT_EQ(lost_by("weight = weight + 1", "weight = weight"), Names{kPatch});
    EXPECT_EQ(lost_by("return p.counter > current.counter + 3", "return p.counter > current.counter"),
              (Names{"preemption at a wake-up", "fork", "real time"}))
        << "those behind it need it, too";
    EXPECT_EQ(lost_by("if option.rt_wake_preempts and p.class", "if false and p.class"), Names{"real time"});
    EXPECT_TRUE(lost_by("child.counter = parent.counter", "child.counter = child.priority").front() ==
                "fork");
    EXPECT_EQ(lost_by("(p.counter >> 1) + p.priority", "p.priority").front(), "recalculation");
    EXPECT_EQ(
        lost_by("option.yield == \"original\" and 0 or", "option.yield == \"original\" and 1 or").front(),
        "sched_yield()");
    EXPECT_EQ(lost_by("if weight > most then", "if weight >= most then").front(), "counters");
}

// The built-in recorded decisions are prefixes of those in tests/decisions/.
TEST_F(Grading, BuiltinDecisionsArePrefixesOfRecordedDecisions) {
    std::map<std::string, std::vector<nlohmann::json>> whole;
    for (const char* name : {"linux-2.0", "linux-2.0-yield-one-tick"}) {
        std::ifstream in(std::string(SWITCHYARD_SOURCE_DIR "/tests/decisions/") + name + ".jsonl");
        for (std::string line; std::getline(in, line);)
            whole[nlohmann::json::parse(line).at("yield")].push_back(nlohmann::json::parse(line));
    }
    std::size_t bytes = 0, cases = 0;
    for (const BuiltinFile& file : builtin_files()) {
        if (!file.name.starts_with("grades/") || !file.name.ends_with(".jsonl")) continue;
        bytes += file.text.size();
        std::istringstream in{std::string(file.text)};
        for (std::string line; std::getline(in, line); ++cases) {
            const nlohmann::json part = nlohmann::json::parse(line);
            const nlohmann::json& all = whole.at(part.at("yield")).at(part.at("case").get<std::size_t>());
            for (const char* key : {"tasks", "start", "policy"}) EXPECT_EQ(part.at(key), all.at(key));
            ASSERT_LE(part.at("events").size(), all.at("events").size());
            for (std::size_t i = 0; i < part.at("events").size(); ++i)
                EXPECT_EQ(part.at("events")[i], all.at("events")[i]) << file.name << " " << i;
        }
    }
    EXPECT_GT(cases, 50u);
    EXPECT_LE(bytes, 60u << 10) << "they are built into the program, and into the page";
}

// --- points ---

constexpr const char* kOneScenario =
    R"("scenarios": {"one": {"format": "switchyard-scenario/1", "machine": "ideal", "tasks": [
        {"name": "A", "program": [{"run": "5ms"}]}, {"name": "B", "program": [{"run": "7ms"}]}]},
        "endless": {"format": "switchyard-scenario/1", "machine": "ideal", "until": "1h", "tasks": [
        {"name": "A", "program": [{"loop": "forever", "steps": [{"run": "1us"}, "yield"]}]}]}})";

std::string with_tests(const std::string& tests) {
    return std::string(R"({"format": "switchyard-grade/1", )") + kOneScenario + R"(, "tests": [)" + tests +
           "]}";
}

TEST_F(Grading, PointsPerPartAreRoundedDown) {
    const std::string claims = R"("scenario": "one", "claims": [
        {"pointer": "/simulated_ns", "equals": 12000000}, {"pointer": "/jobs/finished", "equals": 2},
        {"pointer": "/jobs/finished", "equals": 3}]})";
    const Tests tests =
        tests_of(with_tests(R"({"name": "all", "points": 10, )" + claims +
                            R"(, {"name": "each", "points": 10, "points_by": "each", )" + claims));
    const GradingResult graded = grade(tests, "fcfs");
    EXPECT_EQ(graded.results[0].points, 0u);
    EXPECT_EQ(graded.results[1].points, 6u) << "of two parts in three";
    EXPECT_EQ(graded.results[1].said, "2 of 3 assertions about one hold");
    EXPECT_EQ(graded.results[1].difference, "one: /jobs/finished is 2, expected 3\n");
}

TEST_F(Grading, DecisionsCountUntilFirstMismatch) {
    const Tests tests = tests_of(
        R"({"format": "switchyard-grade/1", "tests": [
            {"name": "d", "points": 100, "decisions": "linux-2.0-one-tick", "points_by": "decisions"}]})");
    const TestResult right = grade(tests, "linux_2_0:yield=one_tick").results.front();
    EXPECT_TRUE(right.passed()) << right.said;
    EXPECT_EQ(right.points, 100u);
    const TestResult wrong = grade(tests, "linux_2_0:yield=original").results.front();
    EXPECT_EQ(wrong.parts, right.parts);
    EXPECT_GT(wrong.agreed, 0u);
    EXPECT_LT(wrong.agreed, wrong.parts);
    EXPECT_EQ(wrong.points, 100 * wrong.agreed / wrong.parts);
}

TEST_F(Grading, TestOptionsConfigurePolicy) {
    const Tests tests = tests_of(with_tests(
        R"({"name": "a", "options": "quantum=3", "agrees_with": "rr:quantum=3", "in": "decisions", "scenarios": ["one"]},
           {"name": "b", "agrees_with": "rr:quantum=3", "scenarios": ["one"]},
           {"name": "c", "agrees_with": "rr:quantum=3", "set": ["/tasks/0/program/0/run=\"3ms\"", "/tasks/1/program/0/run=\"2ms\""], "scenarios": ["one"]})"));
    const GradingResult graded = grade(tests, "rr");
    EXPECT_TRUE(graded.results[0].passed()) << graded.results[0].difference;
    EXPECT_FALSE(graded.results[1].passed());
    EXPECT_TRUE(graded.results[2].passed()) << "set makes every job shorter than any quantum";
    const GradingResult without = grade(tests, "fcfs");
    EXPECT_EQ(without.results[0].said, "policy 'fcfs' has no option 'quantum' (options: none)");
}

TEST_F(Grading, EqualSchedulesMayDifferInDecisions) {
    // If no task waits, the script reschedules the running task at every tick. fcfs never does.
    const Tests tests = tests_of(with_tests(
        R"({"name": "s", "agrees_with": "fcfs", "scenarios": ["one"]},
           {"name": "d", "agrees_with": "fcfs", "in": "decisions", "scenarios": ["one"]})"));
    const GradingResult graded =
        grade_text(tests, "options { q = 2 }\nfunction tick(p) return ready:empty() end");
    EXPECT_TRUE(graded.results[0].passed()) << graded.results[0].difference;
    EXPECT_FALSE(graded.results[1].passed());
}

TEST_F(Grading, DifferenceNamesAffectedCpu) {
    const Tests tests = tests_of(
        R"({"format": "switchyard-grade/1", "scenarios": {"two": {"format": "switchyard-scenario/1",
            "machine": "ideal", "cpus": 2, "tasks": [
            {"name": "A", "program": [{"run": "5ms"}]}, {"name": "B", "program": [{"run": "9ms"}]},
            {"name": "C", "program": [{"run": "4ms"}]}, {"name": "D", "program": [{"run": "1ms"}]}]}},
            "tests": [{"name": "a", "agrees_with": "fcfs", "scenarios": ["two"]}]})");
    EXPECT_TRUE(grade(tests, "fcfs").results[0].passed());
    const std::string difference = grade(tests, "rr:quantum=3").results[0].difference;
    EXPECT_EQ(difference.substr(0, difference.find('\n')),
              "two, from 3ms on on CPU 0: C runs under rr:quantum=3, and A runs under fcfs");
}

// --- misbehaving scripts ---

TEST_F(Grading, ScriptErrorFailsOnlyAffectedTests) {
    const GradingResult graded = grade_text(
        first_scheduler(), replaced(kPlainFeedbackQueue, "function fork",
                                    "function exit(p) error(\"no\\27[31m\\nway\") end\nfunction fork"));
    ASSERT_EQ(graded.results.size(), first_scheduler().tests.size());
    EXPECT_EQ(graded.results[0].points, 0u);
    EXPECT_NE(graded.results[0].said.find("mine.lua:14: no\\x1b[31m\\x0away, in exit() at 5ms"),
              std::string::npos)
        << graded.results[0].said;
    EXPECT_TRUE(result_of(first_scheduler(), graded, "gaming").passed()) << "nobody exits there";
}

TEST_F(Grading, InstructionLimitIsSharedBetweenTests) {
    // In this script, only a yield executes many instructions.
    const std::string script = "function yield(p) for i = 1, 400000 do local t = i end return true end";
    const Tests tests = tests_of(with_tests(
        R"({"name": "burns", "scenario": "endless", "set": ["/until=\"1s\""], "claims": [{"pointer": "/ticks", "equals": 999}]},
           {"name": "fine", "agrees_with": "fcfs", "scenarios": ["one"]})"));
    const GradingResult graded = grade_text(tests, script, 20'000'000);
    EXPECT_NE(graded.results[0].said.find(
                  "mine.lua:1: the script's calls have used up the limit of instructions for all calls, "
                  "in yield()"),
              std::string::npos)
        << graded.results[0].said;
    EXPECT_TRUE(graded.results[1].passed());
    EXPECT_EQ(graded.instructions, 10'000'100) << "half of them, and what loading takes";
    const GradingResult again = grade_text(tests, script, 20'000'000);
    EXPECT_EQ(again.instructions, graded.instructions);
    // Instructions that are executed while the script is loaded count, too.
    EXPECT_THROW(grade_text(tests, "for i = 1, 2000000 do local t = i end", 4'000'000), PolicyError);
}

TEST_F(Grading, EndlessRunStopsAtEventLimit) {
    if (!kOptimised) GTEST_SKIP() << "millions of events take long without optimisation";
    const Tests tests = tests_of(with_tests(
        R"({"name": "a", "scenario": "endless", "claims": [{"pointer": "/ticks", "equals": 1}]},
           {"name": "b", "agrees_with": "rr", "scenarios": ["endless"]},
           {"name": "c", "agrees_with": "rr", "in": "decisions", "scenarios": ["endless"]})"));
    const GradingResult graded = grade(tests, "rr");
    for (const TestResult& result : graded.results) {
        EXPECT_EQ(result.points, 0u);
        EXPECT_TRUE(result.said.starts_with("endless: after 2000000 events, at ")) << result.said;
    }
}

TEST_F(Grading, BadScriptsStayWithinInstructionLimit) {
    std::size_t usable = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(SWITCHYARD_SOURCE_DIR "/tests/bad/scripts")) {
        if (entry.path().extension() != ".lua") continue;
        try {
            const GradingResult graded = grade(first_scheduler(), entry.path().string(), 40'000'000);
            EXPECT_LT(graded.earned_points(), 100u) << entry.path();
            EXPECT_LE(graded.instructions, 40'000'000) << entry.path();
            ++usable;
        } catch (const PolicyError& error) {
            EXPECT_NE(std::string(error.what()), "");
        }
    }
    EXPECT_GT(usable, 10u);
}

// --- invalid tests files ---

TEST_F(Grading, InvalidTestFilesGiveExpectedErrors) {
    const std::filesystem::path folder = SWITCHYARD_SOURCE_DIR "/tests/bad/grades";
    std::map<std::string, std::string> expected;
    std::ifstream in(folder / "expected.txt");
    std::string name;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("    "))
            expected[name] += line.substr(4) + "\n";
        else
            name = line;
    }
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder);
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string file = entry.path().filename().string();
        if (!file.ends_with(".json")) continue;
        ++files;
        std::string said;
        try {
            (void)load_tests(file);
        } catch (const ScenarioError& error) {
            for (const Problem& problem : error.problems()) said += problem.text() + "\n";
        }
        EXPECT_EQ(said, expected[file]) << file;
        EXPECT_NE(said, "") << file;
    }
    std::filesystem::current_path(before);
    EXPECT_EQ(files, expected.size());
    EXPECT_GE(files, 40u);
}

TEST_F(Grading, FindsFilesNextToTests) {
    std::filesystem::create_directory(folder_.path() / "week 3");
    folder_.write("week 3/solution.lua", "options { q = 1 }\nfunction enqueue(p) ready:add_first(p) end");
    folder_.write("week 3/own.json", R"({"format": "switchyard-scenario/1", "machine": "ideal", "tasks": [
        {"name": "A", "count": 3, "program": [{"run": "5ms"}]}]})");
    folder_.write("week 3/cases.jsonl", std::string(find_builtin_file("grades/linux-2.0-yield.jsonl")->text));
    const Tests tests =
        load_tests(folder_.write("week 3/tests.json", R"({"format": "switchyard-grade/1", "tests": [
        {"name": "a", "agrees_with": "solution.lua:q=2", "scenarios": ["own.json"]},
        {"name": "b", "decisions": "cases.jsonl"}]})"));
    const GradingResult graded = grade(tests, "linux-2.0");
    EXPECT_FALSE(graded.results[0].passed());
    EXPECT_NE(graded.results[0].difference.find("under solution.lua:q=2"), std::string::npos)
        << graded.results[0].difference;
    EXPECT_TRUE(graded.results[1].passed()) << graded.results[1].said;
    EXPECT_TRUE(grade(tests, folder_ / "week 3/solution.lua").results[0].passed());
}

}  // namespace grader_test
}  // namespace sim::grade
