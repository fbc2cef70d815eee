// Recalculations and switches of N tasks that only call sched_yield() under Linux 2.0, as measured in 1997.
//
// With yield=original each call clears the caller's counter, so that all counters are recalculated after N
// calls. With yield=one_tick, N slices of 20 last for 20 N calls. The last task to reach each of the levels
// 19, ..., 1 is prev, whose bonus makes its goodness the highest, so it keeps the CPU. Thus 19 of 20 N calls
// do not switch.
#include <gtest/gtest.h>

#include <string>

#include "sim/scenario/scenario_json.h"
#include "tests/support/simulation.h"

namespace sim {
namespace yield_counts_test {

constexpr std::uint64_t kTicks = 20;  // per slice

// N spinners and 30 tasks that sleep forever, which the recalculation visits but the search does not.
struct Spinners : Simulation {
    Spinners(std::uint64_t n, const std::string& spec, int hz)
        : Simulation(parse_scenario("spinners.json",
                                    R"({"format": "switchyard-scenario/1", "until": "60s",
            "machine": {"hz": )" + std::to_string(hz) +
                                        R"(, "costs": {"syscall": "1us", "schedule": "1us",
                "considered": "100ns", "recalculated": "10ns", "switch_other_mm": "1us"}},
            "tasks": [{"name": "daemon", "count": 30, "program": [{"wait": "never"}]},
                      {"name": "spinner", "count": )" +
                                        std::to_string(n) +
                                        R"(, "program": [{"loop": "forever", "steps": ["yield"]}]}]})"),
                     spec) {
        // Each daemon blocks once; then the first spinner runs.
        engine.run(m, {.decisions = 31}, {});
    }

    // Continues the run for `calls` calls of sched_yield(), each of which is one decision.
    void yield(std::uint64_t calls) {
        engine.run(m, {.decisions = m.globals().decisions + calls}, {.statistics = &statistics});
    }
};

class YieldCounts : public testing::TestWithParam<std::uint64_t> {};

TEST_P(YieldCounts, OriginalRecalculatesOncePerNCalls) {
    const std::uint64_t n = GetParam();
    Spinners s(n, "linux-2.0", 1);
    for (std::uint64_t calls = 1; calls <= 10 * n; ++calls) {
        s.yield(1);
        ASSERT_EQ(s.statistics.yields, calls);
        ASSERT_EQ(s.statistics.recalculations, calls / n);
        ASSERT_EQ(s.statistics.yields_switched, calls);
        ASSERT_EQ(s.statistics.considered, calls * n);
    }
    EXPECT_EQ(s.statistics.recalculated, 10 * (n + 30));
    EXPECT_EQ(s.m.globals().ticks, 0u);
}

TEST_P(YieldCounts, OneTickRecalculatesEvery20NCalls) {
    const std::uint64_t n = GetParam();
    Spinners s(n, "linux-2.0:yield=one_tick", 1);
    for (std::uint64_t period = 1; period <= 5; ++period) {
        s.yield(kTicks * n - 1);
        ASSERT_EQ(s.statistics.recalculations, period - 1);
        s.yield(1);
        ASSERT_EQ(s.statistics.yields, period * kTicks * n);
        ASSERT_EQ(s.statistics.recalculations, period);
        ASSERT_EQ(s.statistics.yields_switched, period * (kTicks * n - 19));
    }
    EXPECT_EQ(s.m.globals().ticks, 0u);
}

TEST_P(YieldCounts, SortedQueueMatchesLinux20Counts) {
    const std::uint64_t n = GetParam();
    Spinners original(n, "sorted-queue", 1);
    original.yield(10 * n);
    EXPECT_EQ(original.statistics.recalculations, 10u);
    EXPECT_EQ(original.statistics.yields_switched, 10 * n);
    EXPECT_EQ(original.statistics.considered, 2 * 10 * n);

    Spinners one_tick(n, "sorted-queue:yield=one_tick", 1);
    one_tick.yield(2 * kTicks * n);
    EXPECT_EQ(one_tick.statistics.recalculations, 2u);
    EXPECT_EQ(one_tick.statistics.yields_switched, 2 * (kTicks * n - 19));
}

TEST_P(YieldCounts, RoundRobinAlwaysSwitchesAndNeverRecalculates) {
    const std::uint64_t n = GetParam();
    Spinners s(n, "round-robin", 1);
    s.yield(10 * n);
    EXPECT_EQ(s.statistics.yields, 10 * n);
    EXPECT_EQ(s.statistics.yields_switched, 10 * n);
    EXPECT_EQ(s.statistics.recalculations, 0u);
}

TEST_P(YieldCounts, TicksBarelyChangeCounts) {
    const std::uint64_t n = GetParam();
    const auto share = [](std::uint64_t part, std::uint64_t whole) {
        return static_cast<double>(part) / static_cast<double>(whole);
    };
    const auto count = static_cast<double>(n);

    Spinners original(n, "linux-2.0", 100);
    original.yield(200'000);
    EXPECT_GT(original.m.globals().ticks, 30u);
    EXPECT_NEAR(share(original.statistics.recalculations, 200'000) * count, 1, 0.001);
    EXPECT_NEAR(share(original.statistics.yields_switched, 200'000), 1, 0.0005);

    Spinners one_tick(n, "linux-2.0:yield=one_tick", 100);
    one_tick.yield(200'000);
    EXPECT_GT(one_tick.m.globals().ticks, 30u);
    EXPECT_NEAR(share(one_tick.statistics.recalculations, 200'000) * 20 * count, 1, 0.005);
    EXPECT_NEAR(share(one_tick.statistics.yields_switched, 200'000), (20 * count - 19) / (20 * count),
                0.0005);
}

INSTANTIATE_TEST_SUITE_P(Of, YieldCounts, testing::Values(2, 4, 8, 10, 20, 40));

TEST(YieldCountsEarly2_0, MoveLastYieldNeverSwitches) {
    Spinners s(4, "linux-2.0:yield=move_last_only", 1);
    s.engine.run(s.m, {.until = 500ms}, {.statistics = &s.statistics});
    EXPECT_GT(s.statistics.yields, 100'000u);
    EXPECT_EQ(s.statistics.schedule_calls, 0u);
    EXPECT_EQ(s.statistics.yields_switched, 0u);
}

TEST(YieldCountsEarly2_0, TicksSwitchOncePerSlice) {
    Spinners s(2, "linux-2.0:yield=move_last_only", 100);
    s.engine.run(s.m, {.until = 2s}, {.statistics = &s.statistics});
    EXPECT_EQ(s.statistics.switches.involuntary, 9u);  // in 2 s, one switch per 210 ms
}

}  // namespace yield_counts_test
}  // namespace sim
