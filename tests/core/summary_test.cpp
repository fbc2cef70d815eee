// Summaries of runs. Costs and programs are those of engine_test.cpp, which computes the times.
#include "sim/core/summary.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>

#include "sim/scenario/scenario_json.h"
#include "tests/support/simulation.h"

namespace sim {
namespace summary_test {

Scenario scenario_of(const std::string& tasks) {
    return parse_scenario("folder/small.json",
                          R"({"format": "switchyard-scenario/1", "seed": 7, "until": "10s",
        "machine": {"hz": 1, "costs": {"syscall": "2us", "schedule": "5us", "considered": "1us", "recalculated": "10ns",
                    "queue_step": "100ns", "switch_same_mm": "20us", "switch_other_mm": "50us"}},
        "tasks": [)" + tasks + "]}");
}

struct SummarizedRun : Simulation {
    explicit SummarizedRun(const std::string& tasks)
        : Simulation(scenario_of(tasks), "linux-2.0:yield=original") {}

    void go(Nanos until) { reason = Simulation::go(until); }
    Summary summary() const { return summarize(scenario, policy.spec(), m, statistics, reason); }

    // Formats times in ns: "user idle system select recalc switch address_space".
    std::string parts() const {
        const TimeParts t = elapsed_time_parts(scenario, statistics, m);
        EXPECT_EQ(t.total().count(), m.globals().now.count());
        return fmt::format("{} {} {} {} {} {} {}", t.user.count(), t.idle.count(), t.overhead.system.count(),
                           t.overhead.select.count(), t.overhead.recalculation.count(),
                           t.overhead.context_switch.count(), t.overhead.address_space.count());
    }

    StopReason reason = StopReason::until;
};

const char* const kTwoYields = R"({"name": "a", "program": ["yield"]}, {"name": "b", "program": ["yield"]})";

TEST(SettledTime, ScheduleInProgressCountsElapsedPart) {
    // schedule(): 6 us selection, 20 us switch, 30 us address space; then 100 us in user mode.
    SummarizedRun run(R"({"name": "a", "program": [{"run": "100us"}, {"arrival": "1ms"}]})");
    run.go(0us);
    EXPECT_EQ(run.parts(), "0 0 0 0 0 0 0");
    run.go(1us);
    EXPECT_EQ(run.parts(), "0 0 0 1000 0 0 0");
    run.go(6us);
    EXPECT_EQ(run.parts(), "0 0 0 6000 0 0 0");
    run.go(10us);
    EXPECT_EQ(run.parts(), "0 0 0 6000 0 4000 0");
    run.go(30us);
    EXPECT_EQ(run.parts(), "0 0 0 6000 0 20000 4000");
    run.go(56us);
    EXPECT_EQ(run.parts(), "0 0 0 6000 0 20000 30000");
    run.go(57us);
    EXPECT_EQ(run.parts(), "1000 0 0 6000 0 20000 30000");
    // The sleep starts at 156 us with a system call of 2 us. The schedule() that follows ends at 213 us,
    // when the CPU is idle.
    run.go(156us);
    EXPECT_EQ(run.parts(), "100000 0 0 6000 0 20000 30000");
    run.go(157us);
    EXPECT_EQ(run.parts(), "100000 0 1000 6000 0 20000 30000");
    run.go(160us);
    EXPECT_EQ(run.parts(), "100000 0 2000 8000 0 20000 30000");
    run.go(213us);
    EXPECT_EQ(run.parts(), "100000 0 2000 11000 0 40000 60000");
    run.go(500us);
    EXPECT_EQ(run.parts(), "100000 287000 2000 11000 0 40000 60000");
    run.go(1157us);
    EXPECT_EQ(run.parts(), "100000 943000 2000 12000 0 40000 60000");
}

TEST(SettledTime, RecalculationFollowsSelectionBeforeSwitch) {
    // From 116 us on: system call 2 us, selection 7 us, recalculation 20 ns, then the switch.
    SummarizedRun run(kTwoYields);
    run.go(116us + 9'010ns);
    EXPECT_EQ(run.parts(), "0 0 4000 21000 10 40000 60000");
    run.go(116us + 9'021ns);
    EXPECT_EQ(run.parts(), "0 0 4000 21000 20 40001 60000");
}

TEST(SettledTime, SystemCallInProgressCountsElapsedPart) {
    SummarizedRun run(R"({"name": "a", "program": [{"wake": "c"}, {"run": "1ms"}]})");
    run.go(57us);
    EXPECT_EQ(run.parts(), "0 0 1000 6000 0 20000 30000");
    EXPECT_EQ(elapsed_task_statistics(run.scenario, run.statistics, run.m)[1].system.count(), 1'000);
    run.go(58us);
    EXPECT_EQ(run.parts(), "0 0 2000 6000 0 20000 30000");
}

TEST(SettledTasks, WorkInProgressIsChargedToCaller) {
    SummarizedRun run(
        R"({"name": "a", "program": [{"run": "100us"}]}, {"name": "b", "program": [{"run": "100us"}]})");
    run.go(10us);  // a time within the first schedule(), which the idle task calls
    auto tasks = elapsed_task_statistics(run.scenario, run.statistics, run.m);
    EXPECT_EQ(tasks[0].system.count(), 10'000);
    EXPECT_EQ(tasks[1].user.count(), 0);
    EXPECT_EQ(tasks[1].ready.count(), 0);
    EXPECT_EQ(tasks[2].ready.count(), 10'000);
    run.go(60us);  // a has been running since 57 us
    tasks = elapsed_task_statistics(run.scenario, run.statistics, run.m);
    EXPECT_EQ(tasks[0].system.count(), 57'000);
    EXPECT_EQ(tasks[1].user.count(), 3'000);
    EXPECT_EQ(tasks[2].ready.count(), 60'000);
    run.go(170us);  // a has been in its exit since 157 us; b has been chosen
    tasks = elapsed_task_statistics(run.scenario, run.statistics, run.m);
    EXPECT_EQ(tasks[1].user.count(), 100'000);
    EXPECT_EQ(tasks[1].system.count(), 13'000);
    EXPECT_EQ(tasks[2].ready.count(), 157'000);
    EXPECT_EQ(tasks[2].user.count(), 0);
}

TEST(Summary, StatesRunParametersAndStopReason) {
    SummarizedRun run(kTwoYields);
    run.go(1s);
    const Summary s = run.summary();
    EXPECT_EQ(s.scenario, "small");
    EXPECT_EQ(s.policy, "linux-2.0");
    EXPECT_EQ(s.seed, 7u);
    EXPECT_EQ(s.cpus, 1u);
    EXPECT_EQ(s.simulated, 233'020ns);
    EXPECT_EQ(s.stop_reason, StopReason::all_exited);
    EXPECT_EQ(s.hash, run.m.hash());
}

TEST(Summary, CountsSwitchesByCauseAndAddressSpace) {
    SummarizedRun run(kTwoYields);
    run.go(1s);
    const Summary s = run.summary();
    const SwitchCounts& switches = s.switches;
    EXPECT_EQ(switches.total(), 5u);
    EXPECT_EQ(switches.voluntary, 2u);    // the exits
    EXPECT_EQ(switches.involuntary, 2u);  // the yields
    EXPECT_EQ(switches.from_idle, 1u);
    EXPECT_EQ(switches.to_idle, 1u);
    EXPECT_EQ(switches.same_mm, 0u);
    EXPECT_EQ(switches.other_mm, 4u);
    EXPECT_EQ(switches.kernel_thread, 0u);
    EXPECT_EQ(s.yields.calls, 2u);
    EXPECT_EQ(s.yields.switched, 2u);
    EXPECT_EQ(s.tlb.flushes, 5u);
    EXPECT_EQ(s.tlb.same_mm_avoided, 0u);
}

TEST(Summary, CountsSchedulerWork) {
    SummarizedRun run(kTwoYields);
    run.go(1s);
    const Summary s = run.summary();
    EXPECT_EQ(s.schedule.calls, 5u);
    EXPECT_EQ(s.schedule.considered, 7u);
    EXPECT_EQ(s.schedule.recalculations, 1u);
    EXPECT_EQ(s.schedule.recalculated, 2u);
    EXPECT_EQ(s.schedule.queue_steps, 0u);
}

TEST(Summary, SplitsTheTimeWithoutARemainder) {
    SummarizedRun run(kTwoYields);
    run.go(1s);
    const Summary s = run.summary();
    EXPECT_EQ(s.time.user, 0ns);
    EXPECT_EQ(s.time.overhead.system, 6'000ns);
    EXPECT_EQ(s.time.overhead.select, 27'000ns);
    EXPECT_EQ(s.time.overhead.recalculation, 20ns);
    EXPECT_EQ(s.time.overhead.context_switch, 80'000ns);
    EXPECT_EQ(s.time.overhead.address_space, 120'000ns);
    EXPECT_EQ(s.time.idle, 0ns);
    EXPECT_EQ(s.time.total(), s.simulated);
}

TEST(Summary, RunqueueHistogramCountsQueueLengths) {
    SummarizedRun run(kTwoYields);
    run.go(1s);
    const Summary s = run.summary();
    EXPECT_EQ(s.runqueue.histogram, (std::vector<std::uint64_t>{1, 1, 3}));  // queue lengths 2, 2, 2, 1, 0
    EXPECT_EQ(s.runqueue.max, 2u);
    EXPECT_DOUBLE_EQ(s.runqueue.mean, 1.4);
    EXPECT_DOUBLE_EQ(s.runqueue.share_over_10, 0);
}

TEST(Summary, LongQueueSharesUseBothThresholds) {
    // 21 exits: schedule() finds 21, 20, ..., 1, 0 tasks.
    SummarizedRun run(R"({"name": "a", "count": 21, "program": []})");
    run.go(1s);
    const Summary s = run.summary();
    EXPECT_DOUBLE_EQ(s.runqueue.share_over_10, 11.0 / 22);
    EXPECT_DOUBLE_EQ(s.runqueue.share_20_or_more, 2.0 / 22);
    EXPECT_EQ(s.runqueue.max, 21u);
    EXPECT_DOUBLE_EQ(s.runqueue.mean, 10.5);
}

TEST(Summary, HasARowForEachTask) {
    SummarizedRun run(
        R"({"name": "a", "program": [{"run": "1ms"}]}, {"name": "s", "program": [{"arrival": "1s"}]},
                      {"name": "w", "program": [{"wait": "c"}]}, {"name": "b", "program": [{"run": "1ms"}]},
                      {"name": "x", "count": 2, "program": [{"run": "1ms"}]})");
    run.go(2ms);  // a has exited, s and w block immediately, b runs
    const Summary s = run.summary();
    ASSERT_EQ(s.tasks.size(), 6u);
    const char* expected[][2] = {{"a", "exited"},  {"s", "sleeping"}, {"w", "waiting"},
                                 {"b", "running"}, {"x.1", "ready"},  {"x.2", "ready"}};
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(s.tasks[i].pid, i + 1);
        EXPECT_EQ(s.tasks[i].name, expected[i][0]);
        EXPECT_EQ(s.tasks[i].state, expected[i][1]);
    }
    EXPECT_EQ(s.tasks[0].user, 1ms);
    EXPECT_EQ(s.tasks[0].voluntary, 1u);
    EXPECT_EQ(s.tasks[4].ready, 2ms);
    EXPECT_EQ(s.stop_reason, StopReason::until);
}

TEST(Summary, OnlyChannelWaitsListWakers) {
    // w waits immediately; a waits for an arrival, wakes w, and both exit.
    SummarizedRun run(R"({"name": "w", "program": [{"wait": "c"}]},
                      {"name": "a", "program": [{"arrival": "1ms"}, {"wake": "c"}]})");
    run.go(1s);
    const Summary s = run.summary();
    ASSERT_EQ(s.waits.size(), 3u);
    EXPECT_EQ(s.waits[0].kind, "arrival");
    EXPECT_EQ(s.waits[0].switches, 1u);
    EXPECT_FALSE(s.waits[0].ended_by.has_value());
    EXPECT_EQ(s.waits[1].kind, "exit");
    EXPECT_EQ(s.waits[1].switches, 2u);
    EXPECT_FALSE(s.waits[1].ended_by.has_value());
    EXPECT_EQ(s.waits[2].kind, "channel");
    EXPECT_EQ(s.waits[2].name, "c");
    ASSERT_EQ(s.waits[2].ended_by->size(), 1u);
    const Summary::WaitsEndedBy& by = s.waits[2].ended_by->front();
    EXPECT_EQ(by.waiter, "w");
    EXPECT_EQ(by.waker, "a");
    EXPECT_EQ(by.waits, 1u);
    EXPECT_EQ(by.waited, s.waits[2].waited);
}

TEST(Summary, UnstartedRunIsAllZero) {
    SummarizedRun run(kTwoYields);
    const Summary s = run.summary();
    EXPECT_EQ(s.switches.total(), 0u);
    EXPECT_DOUBLE_EQ(s.runqueue.mean, 0);
    EXPECT_TRUE(s.runqueue.histogram.empty());
}

}  // namespace summary_test
}  // namespace sim
