// Tests of load averages: the ticks of the samples in each kernel, and the fixed-point values.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "sim/core/load_average.h"
#include "tests/support/simulation.h"

namespace sim {
namespace load_average_test {

// The ticks up to `last` at which the averages change while one task runs.
std::vector<std::uint64_t> updates(LoadRule rule, std::uint32_t hz, std::uint64_t last) {
    LoadAverage load;
    std::vector<std::uint64_t> ticks;
    for (std::uint64_t tick = 1; tick <= last; ++tick) {
        const auto before = load.values();
        if (tick >= load.next_tick()) load.tick(tick, hz, rule, 1);
        if (load.values() != before) ticks.push_back(tick);
    }
    return ticks;
}

std::uint64_t one_minute(LoadRule rule, std::uint64_t tasks, int samples) {
    LoadAverage load;
    for (std::uint64_t tick = 1; samples > 0; ++tick) {
        const std::uint64_t due = load.next_tick();
        if (tick < due) continue;
        load.tick(tick, 100, rule, tasks);
        samples -= due != 0;
    }
    return load.values()[0];
}

TEST(LoadAverage, KernelsSampleAtDifferentTicks) {
    using Ticks = std::vector<std::uint64_t>;
    EXPECT_EQ(updates(LoadRule::linux_1_2, 100, 2000), (Ticks{501, 1002, 1503}));
    EXPECT_EQ(updates(LoadRule::linux_2_0, 100, 2000), (Ticks{501, 1001, 1501}));
    EXPECT_EQ(updates(LoadRule::linux_2_6_23, 100, 2000), (Ticks{502, 1003, 1504}));
    EXPECT_EQ(updates(LoadRule::linux_2_6_31, 100, 2000), (Ticks{511, 1012, 1513}));
    EXPECT_EQ(updates(LoadRule::linux_4_7, 1000, 15'020), (Ticks{5011, 10'012, 15'013}));
    EXPECT_EQ(updates(LoadRule::linux_4_7, 1, 19), (Ticks{11, 17})) << "the shortest interval is 6 ticks";
}

// (0 * 1884 + 2048 * 164) >> 11 = 164, (164 * 1884 + 2048 * 164) >> 11 = 314, ...
TEST(LoadAverage, ValuesAreFixedPoint) {
    EXPECT_EQ(one_minute(LoadRule::linux_2_0, 1, 1), 164);
    EXPECT_EQ(one_minute(LoadRule::linux_2_0, 1, 2), 314);
    EXPECT_EQ(one_minute(LoadRule::linux_2_0, 1, 3), 452);
    EXPECT_EQ(LoadAverage::hundredths(164), 8);
    EXPECT_EQ(LoadAverage::hundredths(2048), 100);
    EXPECT_EQ(LoadAverage::hundredths(2037), 99);
    EXPECT_EQ(LoadAverage::hundredths(5 * 2048 + 1024), 550);
}

// Rounding down stops as soon as a step is less than 1/2048.
TEST(LoadAverage, OldKernelsStayBelowConstantLoad) {
    EXPECT_EQ(one_minute(LoadRule::linux_2_0, 1, 1000), 2036);
    EXPECT_EQ(one_minute(LoadRule::linux_4_7, 1, 2000), 2048);
}

TEST(LoadAverage, MinuteAverageFollowsExponential) {
    for (const int samples : {1, 12, 60})
        EXPECT_NEAR(static_cast<double>(one_minute(LoadRule::linux_2_0, 8, samples)) / 2048,
                    8 * (1 - std::exp(-5.0 * samples / 60)), 0.02);
}

std::string load_of(const std::string& policy, const std::string& tasks, const std::string& devices) {
    Simulation run(small_scenario(tasks, {.more = devices, .hz = 100}), policy);
    run.go(6s);
    return std::to_string(run.statistics.load.values()[0]);
}

TEST(LoadAverage, CountsRunningAndUninterruptibleTasks) {
    const std::string hogs = R"({"name": "a", "count": 2, "program": [{"run": "1h"}]})";
    const std::string readers = R"({"name": "a", "count": 3, "program": [{"io": "disk"}]})";
    const std::string sleepers = R"({"name": "a", "count": 3, "program": [{"arrival": "1h"}]})";
    for (const char* policy : {"linux-1.2", "linux-2.4.22", "linux-2.6.20", "linux-2.6.32", "linux-6.6"}) {
        SCOPED_TRACE(policy);
        EXPECT_EQ(load_of(policy, hogs, ""), "328");
        EXPECT_EQ(load_of(policy, readers, R"("devices": {"disk": {"service_time": "1h"}},)"), "492");
        EXPECT_EQ(load_of(policy, readers,
                          R"("devices": {"disk": {"service_time": "1h", "interruptible": true}},)"),
                  "0");
        EXPECT_EQ(load_of(policy, sleepers, ""), "0");
    }
}

// At 5.01 s the tick is handled before the sleepers that it wakes.
TEST(LoadAverage, MissesTasksThatRunBetweenTicks) {
    EXPECT_EQ(load_of("linux-2.0",
                      R"({"name": "a", "program": [{"loop": "forever", "steps": [{"run": "8ms"},
                          {"sleep": "1ns"}]}]})",
                      ""),
              "0");
}

}  // namespace load_average_test
}  // namespace sim
