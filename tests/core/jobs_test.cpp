// Job metrics of textbooks (response, turnaround, waiting), compared with published values and with small
// runs computed by hand.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "sim/core/summary.h"
#include "tests/support/simulation.h"

namespace sim {
namespace jobs_test {

Summary summary_of(const Simulation& run) {
    return summarize(run.scenario, run.policy.spec(), run.m, run.statistics, StopReason::until);
}

std::string job(const std::string& name, Nanos start, Nanos length) {
    return fmt::format(R"({{"name": "{}", "start": "{}ns", "program": [{{"run": "{}ns"}}]}})", name,
                       start.count(), length.count());
}

std::vector<double> in_ms(const Summary& s, std::optional<Nanos> Summary::TaskSummary::*what) {
    std::vector<double> times;
    for (const Summary::TaskSummary& t : s.tasks)
        times.push_back(static_cast<double>((t.*what)->count()) / 1e6);
    return times;
}

// W. Stallings, Operating Systems: Internals and Design Principles, 5th to 9th edition, chapter 9: processes
// of table 9.4, results of table 9.5 and figure 9.5. Waiting and response are not printed and are derived
// from the figure. One unit of time is 1 ms and one tick.
struct StallingsRow {
    const char* policy;
    std::vector<double> finish, turnaround, normalised, waiting, response;
    double mean_turnaround, mean_normalised;
};

const std::vector<StallingsRow> kStallings{{"round-robin:quantum=1000000",  // first come, first served
                                            {3, 9, 13, 18, 20},
                                            {3, 7, 9, 12, 12},
                                            {1.00, 1.17, 2.25, 2.40, 6.00},
                                            {0, 1, 5, 7, 10},
                                            {0, 1, 5, 7, 10},
                                            8.60,
                                            2.56},
                                           {"round-robin:quantum=1",
                                            {4, 18, 17, 20, 15},
                                            {4, 16, 13, 14, 7},
                                            {1.33, 2.67, 3.25, 2.80, 3.50},
                                            {1, 10, 9, 9, 5},
                                            {0, 0, 1, 1, 2},
                                            10.80,
                                            2.71},
                                           {"round-robin:quantum=4",
                                            {3, 17, 11, 20, 19},
                                            {3, 15, 7, 14, 11},
                                            {1.00, 2.5, 1.75, 2.80, 5.50},
                                            {0, 9, 3, 9, 9},
                                            {0, 1, 3, 5, 9},
                                            10.00,
                                            2.71}};

TEST(Jobs, StallingsExamplesMatchBook) {
    const std::string tasks = job("A", 0ms, 3ms) + "," + job("B", 2ms, 6ms) + "," + job("C", 4ms, 4ms) + "," +
                              job("D", 6ms, 5ms) + "," + job("E", 8ms, 2ms);
    for (const StallingsRow& row : kStallings) {
        SCOPED_TRACE(row.policy);
        Simulation run(small_scenario(tasks, {.hz = 1000}), row.policy);
        EXPECT_EQ(run.go(), StopReason::all_exited);
        const Summary s = summary_of(run);
        EXPECT_EQ(in_ms(s, &Summary::TaskSummary::arrival), (std::vector<double>{0, 2, 4, 6, 8}));
        EXPECT_EQ(in_ms(s, &Summary::TaskSummary::finish), row.finish);
        EXPECT_EQ(in_ms(s, &Summary::TaskSummary::turnaround), row.turnaround);
        EXPECT_EQ(in_ms(s, &Summary::TaskSummary::waiting), row.waiting);
        EXPECT_EQ(in_ms(s, &Summary::TaskSummary::response), row.response);
        for (std::size_t i = 0; i < row.normalised.size(); ++i)
            EXPECT_NEAR(*s.tasks[i].normalised_turnaround, row.normalised[i], 0.005) << i;
        EXPECT_EQ(s.jobs.finished, 5);
        EXPECT_DOUBLE_EQ(*s.jobs.mean_turnaround / 1e6, row.mean_turnaround);
        EXPECT_NEAR(*s.jobs.mean_normalised_turnaround, row.mean_normalised, 0.005);
        EXPECT_DOUBLE_EQ(*s.jobs.throughput, 250);  // 5 jobs in 20 ms: the run ends with the last job
    }
}

TEST(Jobs, UnreachedMetricsAreEmpty) {
    Simulation run(
        small_scenario(job("runs", 0ns, 5ms) + "," + job("waits", 1ms, 5ms) + "," + job("comes", 3ms, 5ms)),
        "round-robin");
    run.go(2ms);
    const Summary s = summary_of(run);
    EXPECT_EQ(s.tasks[0].first_run, 0ns);
    EXPECT_EQ(s.tasks[0].finish, std::nullopt);
    EXPECT_EQ(s.tasks[0].turnaround, std::nullopt);
    EXPECT_EQ(s.tasks[0].normalised_turnaround, std::nullopt);
    EXPECT_EQ(s.tasks[1].arrival, 1ms);
    EXPECT_EQ(s.tasks[1].waiting, 1ms);
    EXPECT_EQ(s.tasks[1].first_run, std::nullopt);
    EXPECT_EQ(s.tasks[1].response, std::nullopt);
    EXPECT_EQ(s.tasks[2].arrival, std::nullopt);
    EXPECT_EQ(s.tasks[2].waiting, std::nullopt);
    EXPECT_EQ(s.jobs.finished, 0);
    EXPECT_EQ(s.jobs.mean_response, 0);
    EXPECT_EQ(s.jobs.mean_turnaround, std::nullopt);
    EXPECT_EQ(s.jobs.max_waiting, std::nullopt);
    EXPECT_EQ(s.jobs.throughput, 0);
    EXPECT_EQ(s.jobs.jain, 0.5);  // one job got all its CPU time, the other got none
}

TEST(Jobs, SleepDoesNotCountAsWaiting) {
    Simulation run(
        small_scenario(R"({"name": "a", "program": [{"run": "1ms"}, {"arrival": "4ms"}, {"run": "1ms"}]},)" +
                       job("b", 0ns, 8ms)),
        "round-robin:quantum=1000000");
    run.go();
    const Summary s = summary_of(run);
    EXPECT_EQ(s.tasks[0].turnaround, 10ms);
    EXPECT_EQ(s.tasks[0].waiting, 4ms);  // turnaround of 10 ms - 2 ms of work - 4 ms asleep
    EXPECT_EQ(s.tasks[1].waiting, 1ms);
}

TEST(Jobs, FirstRunExcludesSwitchTime) {
    Simulation run(small_scenario(job("a", 0ns, 1ms), {.costs = R"("schedule": "10us", "syscall": "2us")"}),
                   "round-robin");
    run.go();
    const Summary s = summary_of(run);
    EXPECT_EQ(s.tasks[0].first_run, 0ns);
    EXPECT_EQ(s.tasks[0].finish, 1010us);
    EXPECT_DOUBLE_EQ(*s.tasks[0].normalised_turnaround, 1.01);
}

// A wait of no time ends after schedule() has chosen another task, which therefore does not run.
TEST(Jobs, TaskReplacedAtOnceHasNotRun) {
    Simulation run(
        small_scenario(R"({"name": "a", "program": [{"run": "1ms"}, {"arrival": "0ms"}, {"run": "2ms"}]},)" +
                       job("b", 0ns, 5ms)),
        "mlfq:quantum=5,io_bump=yes");
    run.go(2ms);
    EXPECT_EQ(summary_of(run).tasks[1].first_run, std::nullopt);
    EXPECT_EQ(summary_of(run).tasks[1].waiting, 2ms);
    EXPECT_EQ(summary_of(run).jobs.mean_response, 0);
    run.go();
    const Summary s = summary_of(run);
    EXPECT_EQ(s.tasks[1].arrival, 0ms);
    EXPECT_EQ(s.tasks[1].first_run, 3ms);
    EXPECT_EQ(s.tasks[1].waiting, 3ms);
    EXPECT_EQ(s.tasks[1].involuntary, 1);
}

TEST(Jobs, WithoutComputationNormalisedTurnaroundIsEmpty) {
    Simulation run(small_scenario(R"({"name": "a", "program": ["yield"]})", {.costs = R"("syscall": "2us")"}),
                   "round-robin");
    run.go();
    const Summary s = summary_of(run);
    EXPECT_EQ(s.tasks[0].finish.has_value(), true);
    EXPECT_EQ(s.tasks[0].normalised_turnaround, std::nullopt);
    EXPECT_EQ(s.jobs.mean_normalised_turnaround, std::nullopt);
}

// A parent forks three children, each after the previous one has exited. They use the same row, but all are
// counted.
TEST(Jobs, JobsInReusedRowAllCount) {
    Simulation run(
        small_scenario(
            R"({"name": "parent", "program": [{"loop": 3, "steps": [{"fork": "child"}, {"arrival": "10ms"}]}]},
               {"name": "child", "count": 0, "program": [{"run": "2ms"}]})",
            {.more = R"("max_tasks": 2,)"}),
        "round-robin");
    run.go();
    const Summary s = summary_of(run);
    ASSERT_EQ(s.tasks.size(), 2);
    EXPECT_EQ(s.jobs.finished, 4);
    EXPECT_EQ(s.tasks[1].arrival, 20ms);  // arrival of the last child
    EXPECT_EQ(s.tasks[1].finish, 22ms);
    EXPECT_DOUBLE_EQ(*s.jobs.mean_turnaround, (30e6 + 3 * 2e6) / 4);
    EXPECT_EQ(s.jobs.max_turnaround, 30ms);
    EXPECT_DOUBLE_EQ(*s.jobs.mean_normalised_turnaround, 1);
    EXPECT_EQ(s.jobs.jain, 1);
}

// A task woken by hand before its start time arrives at the wake-up.
TEST(Jobs, WakeUpBeforeStartIsArrival) {
    Simulation run(small_scenario(job("a", 10ms, 2ms)), "round-robin");
    run.go(4ms);
    run.intervene({.kind = Intervention::Kind::wake, .task = run.task("a")});
    run.go();
    const Summary s = summary_of(run);
    EXPECT_EQ(s.tasks[0].arrival, 4ms);
    EXPECT_EQ(s.tasks[0].response, 0ns);
    EXPECT_EQ(s.tasks[0].finish, 6ms);
}

TEST(JainIndex, MonopolyGivesInverseTaskCount) {
    Simulation run(small_scenario(job("a", 0ns, 1s) + "," + job("b", 0ns, 1s) + "," + job("c", 0ns, 1s)),
                   "round-robin:quantum=1000000");
    run.go(500ms);
    EXPECT_DOUBLE_EQ(*summary_of(run).jobs.jain, 1.0 / 3);
}

TEST(JainIndex, EqualSharesGive1) {
    Simulation run(small_scenario(job("a", 0ns, 1s) + "," + job("b", 0ns, 1s), {.hz = 1000}),
                   "round-robin:quantum=1");
    run.go(500ms);
    EXPECT_DOUBLE_EQ(*summary_of(run).jobs.jain, 1);
}

}  // namespace jobs_test
}  // namespace sim
