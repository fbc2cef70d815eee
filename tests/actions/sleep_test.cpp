// Compares sleep steps with external arrivals: a sleep ends at a tick, an arrival can occur at any time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "sim/base/units.h"
#include "sim/replay/overview.h"
#include "sim/replay/vmstat_columns.h"
#include "tests/support/simulation.h"

namespace sim {
namespace sleep_test {

// Returns the time at which the first sleep ends. The sleep starts at time 0.
std::string end_of_sleep(const std::string& span, const std::string& policy = "linux-2.0", int hz = 100,
                         const std::string& machine = {}) {
    Simulation run(
        small_scenario(
            fmt::format(R"({{"name": "a", "program": [{{"sleep": "{}"}}, {{"run": "1ms"}}]}})", span),
            {.machine = machine, .hz = hz}),
        policy);
    run.go();
    const std::string woken = run.events(TraceKind::wake_up);
    return woken.empty() ? "never slept" : woken.substr(0, woken.find(' '));
}

TEST(Sleep, RoundsUpToTicksPlusOne) {
    EXPECT_EQ(end_of_sleep("1ns"), "20000000");
    EXPECT_EQ(end_of_sleep("10ms"), "20000000");
    EXPECT_EQ(end_of_sleep("10000001ns"), "30000000");
    EXPECT_EQ(end_of_sleep("28ms"), "40000000");
    EXPECT_EQ(end_of_sleep("1s"), "1010000000");
    for (const char* policy :
         {"linux-1.2", "linux-2.2", "linux-2.4.0", "linux-2.4.22", "sorted-queue", "round-robin"})
        EXPECT_EQ(end_of_sleep("28ms", policy), "40000000") << policy;
}

// According to the documentation of Sleep(), a sleep of more than one and less than two ticks takes between
// one and two ticks.
TEST(Sleep, NtCountsFromPreviousTick) {
    EXPECT_EQ(end_of_sleep("28ms", "nt4"), "30000000");
    EXPECT_EQ(end_of_sleep("10ms", "nt4"), "10000000");
    EXPECT_EQ(end_of_sleep("15ms", "nt4"), "20000000");
}

TEST(Sleep, MidTickStartCountsFromPreviousTick) {
    // The sleep starts after 12 ms of computing, that is, after the first tick.
    Simulation run(
        small_scenario(R"({"name": "a", "program": [{"run": "12ms"}, {"sleep": "28ms"}]})", {.hz = 100}),
        "linux-2.0");
    run.go();
    EXPECT_EQ(run.events(TraceKind::wake_up), "50000000 a");
}

TEST(Sleep, RoundsLikeKernelForUnevenHz) {
    // At 1024 Hz, timespectojiffies() assumes a tick of 976,562 ns. So it rounds 1 ms up to two ticks, and
    // one tick is added.
    EXPECT_EQ(end_of_sleep("1ms", "linux-2.0", 1024), fmt::format("{}", 3 * 1'000'000'000LL / 1024));
    EXPECT_EQ(end_of_sleep("976562ns", "linux-2.0", 1024), fmt::format("{}", 2 * 1'000'000'000LL / 1024));
    EXPECT_EQ(end_of_sleep("1s", "linux-2.0", 1024), fmt::format("{}", 1025 * 1'000'000'000LL / 1024));
}

TEST(Sleep, ZeroLengthDependsOnKernelVersion) {
    EXPECT_EQ(end_of_sleep("0ns"), "never slept");
    EXPECT_EQ(end_of_sleep("0ns", "linux-2.2"), "10000000");
    EXPECT_EQ(end_of_sleep("0ns", "linux-2.4.22"), "10000000");
    Simulation run(small_scenario(R"({"name": "a", "program": [{"sleep": "0ns"}, {"run": "1ms"}]})"),
                   "linux-2.0");
    run.go();
    EXPECT_EQ(run.decisions(), "0 idle>a, 0 a>a, 1000000 a>idle");
    EXPECT_EQ(run.statistics.sleeps.switches, 0u);
}

TEST(Sleep, IsExactWithHrtimers) {
    EXPECT_EQ(end_of_sleep("28ms", "linux-2.0", 100, R"("hrtimers": true,)"), "28000000");
    EXPECT_EQ(end_of_sleep("28ms", "nt4", 100, R"("hrtimers": true,)"), "28000000");
    EXPECT_EQ(end_of_sleep("0ns", "linux-2.2", 100, R"("hrtimers": true,)"), "never slept");
    EXPECT_EQ(end_of_sleep("28ms", "linux-2.0", 100, R"("hrtimers": false,)"), "40000000");
}

TEST(Sleep, EndsNoLaterThanHorizon) {
    Simulation run(small_scenario(
        R"({"name": "a", "count": 40, "program": [{"sleep": {"exponential": "77h"}}, {"run": "1ms"}]},
        {"name": "b", "program": [{"run": "1ms"}]})",
        {.more = R"("seed": 3,)", .hz = 10'000}));
    run.go(1s);
    // The mean of the sleeps is 77 h, so about one sleep in three is longer than the horizon of 78 h.
    int sleeping = 0, limited = 0;
    for (TaskId p = run.m.first_task(); p < run.m.first_task() + 40; ++p) {
        if (run.m.task[p].state != TaskState::on_timer) continue;  // a short sleep is over
        ++sleeping;
        ASSERT_GT(run.m.task[p].wake_at, 1s);
        ASSERT_LE(run.m.task[p].wake_at, kHorizon);
        limited += run.m.task[p].wake_at == kHorizon;
    }
    EXPECT_GT(sleeping, 35);
    EXPECT_GT(limited, 3);
    EXPECT_LT(limited, 30);
}

// --- order at a tick ---

// timer_bh(): update_times() charges the tick to the running task before run_timer_list() wakes sleeping
// tasks.
TEST(Sleep, EndsAfterTickUnlikeArrival) {
    // Three kinds of events coincide at 20 ms: the ends of two sleeps (nap and nap2), an arrival, and a
    // tick, which is charged to the running hog.
    Simulation run(small_scenario(R"({"name": "nap", "program": [{"sleep": "10ms"}, {"run": "1ms"}]},
        {"name": "hog", "priority": 10, "program": [{"run": "25ms"}]},
        {"name": "packet", "program": [{"arrival": "20ms"}, {"run": "1ms"}]},
        {"name": "nap2", "program": [{"sleep": "10ms"}, {"run": "1ms"}]})",
                                  {.hz = 100}),
                   "linux-2.0");
    run.go(20ms + 1ns);
    std::string order;
    for (const TraceRecord& r : run.trace.records) {
        if (r.time != 20ms || (r.kind != TraceKind::tick && r.kind != TraceKind::wake_up)) continue;
        order += (order.empty() ? "" : ", ") + (r.kind == TraceKind::tick ? "tick of " : std::string()) +
                 run.scenario.task_name(run.m, r.task);
    }
    EXPECT_EQ(order, "packet, tick of hog, nap, nap2");
}

TEST(Sleep, HrtimerSleepEndsBeforeTick) {
    Simulation run(small_scenario(R"({"name": "nap", "program": [{"sleep": "20ms"}, {"run": "1ms"}]},
        {"name": "hog", "priority": 10, "program": [{"run": "25ms"}]})",
                                  {.machine = R"("hrtimers": true,)", .hz = 100}),
                   "linux-2.0");
    run.go(20ms + 1ns);
    ASSERT_GE(run.trace.records.size(), 3u);
    std::vector<TraceKind> kinds;
    for (const TraceRecord& r : run.trace.records)
        if (r.time == 20ms) kinds.push_back(r.kind);
    EXPECT_EQ(kinds, (std::vector{TraceKind::wake_up, TraceKind::tick, TraceKind::schedule}));
}

// The tick decrements the hog's counter before that counter is compared with the sleeper's. The sleeper
// preempts the hog because 20 > 16 + 3; 20 > 17 + 3 would be false.
TEST(Sleep, WakeUpComparesCounterAfterTick) {
    const char* tasks = R"({{"name": "nap", "priority": 20, "program": [{{"{}": "{}"}}, {{"run": "1ms"}}]}},
        {{"name": "hog", "program": [{{"run": "1s"}}]}})";
    // At 40 ms, the counter of the hog is 17 after three ticks. The fourth tick lowers it to 16.
    Simulation sleeper(small_scenario(fmt::format(fmt::runtime(tasks), "sleep", "30ms"), {.hz = 100}),
                       "linux-2.0");
    sleeper.go(100ms);
    EXPECT_EQ(sleeper.decisions(), "0 idle>nap, 0 nap>hog, 40000000 hog>nap, 41000000 nap>hog");
    Simulation arrival(small_scenario(fmt::format(fmt::runtime(tasks), "arrival", "40ms"), {.hz = 100}),
                       "linux-2.0");
    arrival.go(100ms);
    EXPECT_EQ(arrival.decisions(), "0 idle>nap, 0 nap>hog");
}

// --- counters ---

TEST(Sleep, CausesInterruptOnlyWithHrtimers) {
    const char* tasks =
        R"({"name": "nap", "program": [{"loop": "forever", "steps": [{"sleep": "28ms"}, {"run": "2ms"}]}]},
        {"name": "srv", "program": [{"loop": "forever", "steps": [{"arrival": "28ms"}, {"run": "2ms"}]}]})";
    const auto second = [&](const char* machine) {
        Simulation run(small_scenario(tasks, {.machine = machine, .hz = 100}), "linux-2.0");
        run.go(1s);
        const Sample before = sample_of(run.scenario, run.statistics, run.m);
        run.go(2s);
        return vmstat_line(before, sample_of(run.scenario, run.statistics, run.m)).interrupts;
    };
    EXPECT_EQ(second(""), 100 + 33);
    EXPECT_GE(second(R"("hrtimers": true,)"), 100 + 2 * 31);
}

// An idle CPU without ticks sets its timer to the end of the sleep. The CPU wakes 24 times in this second.
TEST(Sleep, TicklessCpuTakesTimerInterrupt) {
    const auto interrupts = [](const char* machine) {
        Simulation run(
            small_scenario(
                R"({"name": "nap", "program": [{"loop": "forever", "steps": [{"sleep": "28ms"}, {"run": "2ms"}]}]})",
                {.machine = machine, .hz = 100}),
            "linux-2.0");
        run.go(1s);
        EXPECT_EQ(run.statistics.interrupts_of(Interrupt::device), 0u);
        return std::pair(run.statistics.interrupts[static_cast<std::size_t>(Interrupt::timer)],
                         run.statistics.timer_wake_ups);
    };
    EXPECT_EQ(interrupts(""), (std::pair<std::uint64_t, std::uint64_t>(99, 24)));
    EXPECT_EQ(interrupts(R"("dynticks": true,)"), (std::pair<std::uint64_t, std::uint64_t>(24, 24)));
    const auto exact = interrupts(R"("hrtimers": true,)");
    EXPECT_EQ(exact.first, 99 + exact.second);
}

TEST(Sleep, SummaryCountsSleepsApartFromArrivals) {
    Simulation run(
        small_scenario(R"({"name": "a", "program": [{"sleep": "10ms"}, {"arrival": "7ms"}]})", {.hz = 100}),
        "linux-2.0");
    run.go();
    const Summary s = summarize(run.scenario, "linux-2.0", run.m, run.statistics, StopReason::all_exited);
    ASSERT_EQ(s.waits.size(), 3u);
    EXPECT_EQ(s.waits[0].kind, "arrival");
    EXPECT_EQ(s.waits[0].waited, 7ms);
    EXPECT_EQ(s.waits[1].kind, "sleep");
    EXPECT_EQ(s.waits[1].waited, 20ms);
    EXPECT_EQ(run.statistics.interrupts_of(Interrupt::device), 1u);
    EXPECT_EQ(run.statistics.timer_wake_ups, 1u);
}

TEST(Sleep, InterventionEndsSleepEarly) {
    Simulation run(
        small_scenario(R"({"name": "a", "program": [{"sleep": "1h"}, {"run": "1ms"}]})", {.hz = 100}));
    run.go(5ms);
    run.intervene({.kind = Intervention::Kind::wake, .task = run.task("a")});
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.now(), 6'000'000);
}

}  // namespace sleep_test
}  // namespace sim
