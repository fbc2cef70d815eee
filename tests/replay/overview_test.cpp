// Tests of overviews: their samples equal the states of the run at the times of the samples, also after
// some samples have been removed.
#include "sim/replay/overview.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/core/summary.h"
#include "sim/replay/range_samples.h"
#include "sim/replay/vmstat_columns.h"
#include "tests/support/recorded.h"
#include "tests/support/simulation.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace overview_test {

void expect_equal(const Sample& a, const Sample& b) {
    ASSERT_EQ(a.time, b.time);
    ASSERT_EQ(a.parts.user, b.parts.user);
    ASSERT_EQ(a.parts.idle, b.parts.idle);
    ASSERT_EQ(a.parts.overhead.total(), b.parts.overhead.total());
    ASSERT_EQ(a.events, b.events);
    ASSERT_EQ(a.decisions, b.decisions);
    ASSERT_EQ(a.switches, b.switches);
    ASSERT_EQ(a.voluntary, b.voluntary);
    ASSERT_EQ(a.involuntary, b.involuntary);
    ASSERT_EQ(a.yields, b.yields);
    ASSERT_EQ(a.yields_switched, b.yields_switched);
    ASSERT_EQ(a.ticks, b.ticks);
    ASSERT_EQ(a.device_interrupts, b.device_interrupts);
    ASSERT_EQ(a.syscalls, b.syscalls);
    ASSERT_EQ(a.ipis, b.ipis);
    ASSERT_EQ(a.considered, b.considered);
    ASSERT_EQ(a.recalculations, b.recalculations);
    ASSERT_EQ(a.recalculated, b.recalculated);
    ASSERT_EQ(a.forks, b.forks);
    ASSERT_EQ(a.execs, b.execs);
    ASSERT_EQ(a.exits, b.exits);
    ASSERT_EQ(a.queue_sum, b.queue_sum);
    ASSERT_EQ(a.nr_running, b.nr_running);
    ASSERT_EQ(a.nr_tasks, b.nr_tasks);
}

// Runs the engine from sample to sample and compares the state with each sample.
void check(const RunCase& run, const RunHistory& history) {
    const Engine engine(*run.scenario, *run.policy.policy);
    Moment plain{engine.initial_state(), Statistics(run.scenario->shape)};
    const std::span<const Sample> samples = history.overview().samples();
    std::vector<std::uint64_t> lengths = plain.statistics.queue_length;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        SCOPED_TRACE(i);
        if (i + 1 == samples.size())
            plain = history.simulated_end();
        else
            engine.run(plain.machine, {.until = samples[i].time}, {.statistics = &plain.statistics});
        expect_equal(samples[i], sample_of(*run.scenario, plain.statistics, plain.machine));
        if (testing::Test::HasFatalFailure()) return;
        ASSERT_EQ(samples[i].parts.total(), samples[i].time * run.scenario->cpus);
        std::uint32_t longest = 0;
        for (std::size_t n = 0; n < lengths.size(); ++n)
            if (plain.statistics.queue_length[n] != lengths[n]) longest = static_cast<std::uint32_t>(n);
        ASSERT_EQ(samples[i].longest, longest);
        lengths = plain.statistics.queue_length;
        if (i > 0) {
            ASSERT_GE(samples[i].time, samples[i - 1].time);
        }
        if (i > 0 && i + 1 < samples.size()) {
            ASSERT_EQ(samples[i].time - samples[i - 1].time, samples[1].time);
        }
    }

    // The samples of tasks are taken at other times than those of the CPUs.
    plain = {engine.initial_state(), Statistics(run.scenario->shape)};
    for (const Overview::TaskTableSample& row : history.overview().task_samples()) {
        if (row.time == history.simulated_end().machine.globals().now)
            plain = history.simulated_end();
        else
            engine.run(plain.machine, {.until = row.time}, {.statistics = &plain.statistics});
        const std::vector<TaskStatistics> settled =
            elapsed_task_statistics(*run.scenario, plain.statistics, plain.machine);
        ASSERT_EQ(row.tasks.size(), plain.machine.globals().high_row);
        for (TaskId p = 0; p < row.tasks.size(); ++p) {
            ASSERT_EQ(row.tasks[p].user, settled[p].user);
            ASSERT_EQ(row.tasks[p].system, settled[p].system);
            ASSERT_EQ(row.tasks[p].ready, settled[p].ready);
        }
    }
}

TEST(Overview, SamplesMatchPlainRun) {
    for (const RunCase& run : some_runs(rounds(20'000, 1'000, 500), rounds(40, 4, 2), 40'000)) {
        if (!kManyRounds && run.scenario->shape.tasks > 100) continue;
        SCOPED_TRACE(run.name);
        RunHistory history(run.scenario, run.policy);
        history.extend_to_end();
        check(run, history);
        if (HasFatalFailure()) return;
        // If a run has the expected length, no samples are removed.
        const Overview& overview = history.overview();
        if (history.stop_reason() == StopReason::until && *run.scenario->until > 1ms) {
            EXPECT_GT(overview.samples().size(), 900u);
        }
    }
}

TEST(Overview, ThinnedSamplesOfUnboundedRunStayExact) {
    const auto scenario = std::make_shared<const Scenario>(parse_scenario(
        "test.json",
        R"({"format": "switchyard-scenario/1", "machine": {"hz": 100, "costs": {"schedule": "3us"}},
        "tasks": [
          {"name": "a", "count": 3, "program": [{"loop": 300, "steps": [{"run": {"exponential": "500us"}}, {"arrival": {"exponential": "1ms"}}]}]},
          {"name": "b", "program": [{"loop": 10, "steps": [{"run": "1ms"}, {"arrival": "10ms"}]}]}]})"));
    const RunCase run{"", scenario, make_policy("linux-2.0")};
    RunHistory history(run.scenario, run.policy);
    history.extend_to_end();
    ASSERT_EQ(history.stop_reason(), StopReason::all_exited);
    EXPECT_GT(history.overview().samples()[1].time, 10 * 1024ns) << "it was thinned";
    EXPECT_GT(history.overview().samples().size(), 4'000u);
    check(run, history);
}

TEST(Overview, LongRunStaysWithinMemoryLimit) {
    Scenario scenario = load_scenario("web-server");
    if (!kManyRounds) scenario.until = 10min;
    RunHistory history(std::make_shared<const Scenario>(scenario), make_policy("linux-2.0"));
    history.extend_to_end();
    EXPECT_LT(history.overview().bytes(), std::size_t{24} << 20);
    EXPECT_LE(history.keyframe_bytes(), std::size_t{64} << 20);
    EXPECT_EQ(history.overview().samples().back().time, *scenario.until);
}

// Two tasks on two CPUs wake each other in turn. Each wake-up finds the other CPU idle and sends it an IPI.
TEST(Vmstat, CountsInterprocessorInterrupts) {
    const Scenario scenario = parse_scenario("test.json", R"({
        "format": "switchyard-scenario/1", "machine": {"hz": 100, "costs": {"syscall": "1us"}}, "cpus": 2,
        "policy": "linux-2.4.22", "until": "10ms", "tasks": [
            {"name": "a", "affinity": [0],
             "program": [{"loop": "forever", "steps": [{"run": "99us"}, {"unpark": "b"}, "park"]}]},
            {"name": "b", "affinity": [1],
             "program": [{"loop": "forever", "steps": ["park", {"run": "99us"}, {"unpark": "a"}]}]}]})");
    const NamedPolicy policy = make_policy(scenario.policy, scenario.cpus);
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    Statistics s(scenario.shape);
    const Sample before = sample_of(scenario, s, m);
    engine.run(m, {.until = 10ms}, {.statistics = &s});
    const Sample after = sample_of(scenario, s, m);

    // There are no ticks and timers within 10 ms, so all interrupts are IPIs, one per wake-up.
    ASSERT_GT(s.reschedule_ipis, 50u);
    EXPECT_EQ(after.ticks + after.device_interrupts, 0u);
    EXPECT_EQ(after.ipis, s.reschedule_ipis);
    const VmstatLine line = vmstat_line(before, after);
    EXPECT_EQ(line.interrupts, static_cast<std::int64_t>(100 * s.reschedule_ipis));
    EXPECT_NEAR(static_cast<double>(line.switches), 2.0 * static_cast<double>(line.interrupts), 200);
}

TEST(Sample, CountsExecCalls) {
    Simulation run(small_scenario(R"({"name": "a", "program": [{"exec": "b"}, {"exec": "c"}, {"run": "1s"}]},
                                     {"name": "b", "count": 0, "program": [{"run": "1ms"}, {"exec": "c"}]},
                                     {"name": "c", "count": 0, "program": [{"run": "1s"}]})"));
    run.go(100ms);
    EXPECT_EQ(sample_of(run.scenario, run.statistics, run.m).execs, 2u);
}

TEST(Zoom, ManyTasksReduceTaskSamples) {
    for (const std::size_t tasks : {10u, 600u}) {
        const auto scenario = std::make_shared<const Scenario>(small_scenario(
            fmt::format(R"({{"name": "a", "count": {}, "program": [{{"run": "100s"}}]}})", tasks)));
        RunHistory history(scenario, make_policy("linux-2.0"), {}, {.keyframe_spacing = 50});
        while (history.simulated_end().machine.globals().now < 2s) history.extend(1'000);
        RangeSamples zoom(history, 0ns, 2s, 2'000);
        while (zoom.advance(1'000)) {
        }
        ASSERT_EQ(zoom.samples().size(), 2'001u);
        // There are at most 2^19 cells; a cell is one task in one column.
        EXPECT_EQ(zoom.task_samples().size(), tasks < 100 ? 2'001u : 1'001u);
    }
}

}  // namespace overview_test
}  // namespace sim
