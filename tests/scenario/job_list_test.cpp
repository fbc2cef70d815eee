// Job tables in the forms in which courses write them, and tasks with "arrival" and "burst".
#include "sim/scenario/job_list.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/lab/simulation.h"
#include "sim/scenario/scenario_edit.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/scratch_folder.h"

namespace sim {
namespace job_list_test {

// The exercise of the window's first screen.
const std::vector<ListedJob> kFour{
    {"A", 0ms, 8ms, {}}, {"B", 1ms, 4ms, {}}, {"C", 2ms, 9ms, {}}, {"D", 3ms, 5ms, {}}};

std::string problems_of(const std::string& text) {
    try {
        read_jobs("t", text);
    } catch (const ScenarioError& error) {
        std::string all;
        for (const Problem& problem : error.problems()) all += (all.empty() ? "" : "\n") + problem.text();
        return all;
    }
    return "no problem";
}

TEST(JobList, ReadsTheSameTableInEveryForm) {
    for (const char* text :
         {"A 0 8; B 1 4; C 2 9; D 3 5", "A 0 8, B 1 4, C 2 9, D 3 5", "A 0 8\nB 1 4\nC 2 9\nD 3 5\n",
          "A,0,8\r\nB,1,4\r\nC,2,9\r\nD,3,5\r\n", "A;0;8\nB;1;4\nC;2;9\nD;3;5",
          "A\t0\t8\nB\t1\t4\nC\t2\t9\nD\t3\t5",
          "# the jobs\n\nA: 0ms 8ms\nB: 1ms 4ms\nC 2000us 9ms\nD 3 .005s",
          "Process,Arrival Time,Burst Time\nA,0,8\nB,1,4\nC,2,9\nD,3,5",
          "| Burst | Job | Arrival | Waiting |\n|---|---|---|---|\n| 8 | A | 0 | |\n| 4 | B | 1 | 4 |\n| 9 | "
          "C | 2 | |\n| 5 | D | 3 | |",
          "\xef\xbb\xbf\"name\";\"service time\";\"arrival\"\n\"A\";8;0\n\"B\";4;1\n\"C\";9;2\n\"D\";5;3",
          "Process Arrival Time Burst Time (ms)\nA 0 8\nB 1 4\nC 2 9\nD 3 5\n",
          "job\tarrival (us)\tburst\nA\t0\t8ms\nB\t1000\t4ms\nC\t2000\t9000\nD\t3000\t5000"}) {
        EXPECT_TRUE(looks_like_jobs(text)) << text;
        EXPECT_EQ(read_jobs("t", text), kFour) << text;
    }
}

TEST(JobList, MissingColumnsHaveDefaults) {
    EXPECT_EQ(read_jobs("t", "P1 24, P2 3"),
              (std::vector<ListedJob>{{"P1", 0ms, 24ms, {}}, {"P2", 0ms, 3ms, {}}}));
    EXPECT_EQ(read_jobs("t", "0 24\n5 3"),
              (std::vector<ListedJob>{{"P1", 0ms, 24ms, {}}, {"P2", 5ms, 3ms, {}}}));
    EXPECT_EQ(read_jobs("t", "burst,priority\n24,3\n3,"),
              (std::vector<ListedJob>{{"P1", 0ms, 24ms, 3}, {"P2", 0ms, 3ms, {}}}));
    EXPECT_EQ(read_jobs("t", "1 0 8 2\n2 1 4 1"),
              (std::vector<ListedJob>{{"P1", 0ms, 8ms, 2}, {"P2", 1ms, 4ms, 1}}));
}

TEST(JobList, NamesWithSpacesAreJoined) { EXPECT_EQ(read_jobs("t", "\"Job 1\",0,8").front().name, "Job_1"); }

TEST(JobList, AllProblemsHavePlaces) {
    EXPECT_EQ(problems_of("A 0 8; A 1 x; C -1 4"),
              "t:1:12: burst: expected a time, like 8 (in ms) or 8ms, got 'x'\n"
              "t:1:8: the name 'A' is used twice\n"
              "t:1:17: arrival: '-1' is negative; a time is 0 or more");
    EXPECT_EQ(problems_of("name,arrival,burst,colour\nA,0,8,red"),
              "t:1:20: unknown column 'colour'; the columns are name, arrival, burst, priority");
    EXPECT_EQ(problems_of("name,burst,burst\nA,8,8"), "t:1:12: column 'burst' is named twice");
    EXPECT_EQ(problems_of("A;0;1,5"), "t:1:5: burst: '1,5': write a decimal point, not a comma");
    EXPECT_EQ(problems_of("A 0 0"), "t:1:5: a burst must be above 0");
    EXPECT_EQ(problems_of("A 0 8 41"), "t:1:7: priority: expected a whole number from 1 to 40, got '41'");
    EXPECT_EQ(problems_of("idle 0 8"), "t:1:1: 'idle' is reserved for the idle task");
    EXPECT_EQ(
        problems_of("A 0 8\nB"),
        "t:2:1: expected name, arrival and burst, like A 0 8 (or A 0 8 2 with a priority), got one value");
    EXPECT_EQ(problems_of("name,arrival,burst\nA,0"), "t:2:3: the burst is missing");
    EXPECT_EQ(problems_of("name,burst\n"), "t: there is no job; write one as: A 0 8 (name, arrival, burst)");
    EXPECT_EQ(problems_of("A 0 99999999999999999999"),
              "t:1:5: burst: '99999999999999999999ms' is too long; the maximum is 78h of simulated time");
    std::string many;
    for (std::size_t i = 0; i <= kMostJobs; ++i) many += fmt::format("J{} 0 1\n", i);
    EXPECT_EQ(problems_of(many), "t:1001:1: expected at most 1000 jobs");
}

TEST(JobList, OtherTextsAreNoJobTables) {
    for (const char* text :
         {"", " ", "{\"a\": 1}", "[1 2]", "two hogs", "yield-processes", "A", "8", "ts,dur,cpu\n1,2,3",
          "procs -----------memory----------\n 1 0 0 0 0",
          "           time    cpu  task name                       wait time  sch delay   run time\n",
          "bash-123 [000] 12.345678: sched_switch: prev_comm=bash"})
        EXPECT_FALSE(looks_like_jobs(text)) << text;
}

TEST(JobList, JsonWithAFirstCommentIsNoTable) {
    for (const char* text : {"// 2026\n{}", "/* a 1 */ {}", "\xef\xbb\xbf// Arrival, burst\n{}"}) {
        EXPECT_FALSE(looks_like_jobs(text)) << text;
        EXPECT_FALSE(has_job_row(text)) << text;
    }
}

// Time and memory are proportional to the text, so that no file makes a program stand still.
TEST(JobList, LongRowsAreReadInProportionateTime) {
    const std::string tabs = "A 0 8" + std::string(3'000'000, '\t') + "x";
    EXPECT_NE(problems_of(tabs), "no problem");
    const std::string spaces = std::string(3'000'000, ' ') + "A 0 8; B 1 4; C 2 9";
    EXPECT_EQ(read_jobs("t", spaces).size(), 3u);
    std::string cells = "A";
    for (int i = 0; i < 500'000; ++i) cells += ",1";
    EXPECT_NE(problems_of(cells), "no problem");
}

TEST(JobList, AMistakeInTheFirstRowIsReported) {
    const char* const text = "P1 0 seven; P2 2 4";
    EXPECT_FALSE(looks_like_jobs(text));
    EXPECT_TRUE(has_job_row(text));
    try {
        (void)find_scenario(text);
        FAIL();
    } catch (const ScenarioError& error) {
        EXPECT_STREQ(error.what(),
                     "the job table:1:6: burst: expected a time, like 8 (in ms) or 8ms, got 'seven'");
    }
    EXPECT_FALSE(has_job_row("two hogs"));
}

TEST(JobList, FilesAndCommandLinesAreScenarios) {
    const ScratchFolder folder;
    const std::string file = folder / "jobs.csv";
    std::ofstream(file) << "A,0,8\nB,1,4\nC,2,9\nD,3,5\n";
    for (const std::string& scenario : {file, std::string("A 0 8; B 1 4; C 2 9; D 3 5")}) {
        lab::Simulation run(load_scenario(scenario), "rr:quantum=5");
        run.run_to_end();
        const auto jobs = run.summary().jobs;
        EXPECT_EQ(jobs.mean_waiting, 11e6) << scenario;
    }
}

// A burst is the same run as a program with one step, and a scenario without a machine runs on `ideal`.
TEST(JobList, BurstsAndProgramsGiveTheSameRun) {
    const auto hash = [](const char* text) {
        lab::Simulation run(parse_scenario("t.json", text), "rr:quantum=5");
        run.run_to_end();
        return run.machine().hash();
    };
    EXPECT_EQ(hash(R"({"format": "switchyard-scenario/1", "tasks": [
                        {"name": "A", "burst": "8ms"}, {"name": "B", "arrival": "1ms", "burst": "4ms"}]})"),
              hash(R"({"format": "switchyard-scenario/1", "machine": "ideal", "tasks": [
                        {"name": "A", "program": [{"run": "8ms"}]},
                        {"name": "B", "start": "1ms", "program": [{"run": "4ms"}]}]})"));
}

TEST(JobList, TheDefaultMachineCanBeChanged) {
    const ScenarioText text{
        "t.json", R"({"format": "switchyard-scenario/1", "tasks": [{"name": "A", "burst": "8ms"}]})", ""};
    const std::vector<std::string> sets{"/machine/hz=250", "/tasks/0/burst=9ms"};
    const Scenario scenario = parse_scenario(text, sets);
    EXPECT_EQ(scenario.machine.hz, 250u);
    EXPECT_TRUE(scenario.machine.hrtimers);
    const std::string changed = text_with_changes(text, sets);
    EXPECT_EQ(
        changed,
        R"({"format": "switchyard-scenario/1", "machine": {"base": "ideal", "hz": 250}, "tasks": [{"name": "A", "burst": "9ms"}]})");
    EXPECT_EQ(machine_json_in(text.text, "t.json"), R"("ideal")");
}

}  // namespace job_list_test
}  // namespace sim
