// When each CPU takes its timer interrupts: the rules, written as times, and what depends on them.
#include "sim/core/tick_phases.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "sim/core/scenario.h"
#include "tests/support/simulation.h"

namespace sim {
namespace tick_phases_test {

constexpr const char* kHogs =
    R"({"name": "hog", "count": 9, "program": [{"loop": "forever", "steps": [{"run": "1h"}]}]})";

// The times in ns of the ticks of each CPU until `until`, as the trace states them.
std::map<CpuId, std::vector<std::int64_t>> ticks_of(const std::string& policy, std::uint32_t cpus, int hz,
                                                    const std::string& machine = {}, Nanos until = 25ms) {
    Simulation run(small_scenario(kHogs, {.cpus = cpus, .machine = machine, .hz = hz}), policy);
    run.go(until);
    std::map<CpuId, std::vector<std::int64_t>> ticks;
    for (const TraceRecord& r : run.trace.records)
        if (r.kind == TraceKind::tick) ticks[r.cpu].push_back(r.time.count());
    return ticks;
}

using Times = std::vector<std::int64_t>;

TEST(TickPhases, OneInterruptServesAllCpus) {
    for (const char* policy :
         {"linux-2.0", "linux-2.6.20", "linux-6.6", "nt4", "round-robin", "sorted-queue"})
        for (const auto& [cpu, times] : ticks_of(policy, 3, 100))
            EXPECT_EQ(times, (Times{10'000'000, 20'000'000})) << policy << " cpu" << cpu;
}

// setup_APIC_timer() of 2.2 and 2.4: a tick of 10 ms has four slices for three CPUs.
TEST(TickPhases, SpreadOverTheWholeTick) {
    for (const char* policy : {"linux-2.2", "linux-2.4.0", "linux-2.4.22"}) {
        auto ticks = ticks_of(policy, 3, 100);
        EXPECT_EQ(ticks[0], (Times{12'500'000, 22'500'000})) << policy;
        EXPECT_EQ(ticks[1], (Times{15'000'000})) << policy;
        EXPECT_EQ(ticks[2], (Times{17'500'000})) << policy;
    }
}

// tick_setup_sched_timer() of 2.6.24 and 2.6.32: half a tick of 1 ms is divided among four CPUs.
TEST(TickPhases, SpreadOverHalfATick) {
    for (const char* policy : {"linux-2.6.24", "linux-2.6.32"}) {
        auto ticks = ticks_of(policy, 4, 1000, {}, 2500us);
        EXPECT_EQ(ticks[0], (Times{1'000'000, 2'000'000})) << policy;
        EXPECT_EQ(ticks[1], (Times{1'125'000, 2'125'000})) << policy;
        EXPECT_EQ(ticks[3], (Times{1'375'000, 2'375'000})) << policy;
    }
}

TEST(TickPhases, MachineOverridesTheKernel) {
    auto ticks = ticks_of("linux-2.4.22", 2, 100, R"("tick_phases": "together",)");
    EXPECT_EQ(ticks[1], (Times{10'000'000, 20'000'000}));
    ticks = ticks_of("linux-2.0", 2, 100, R"("tick_phases": "half",)");
    EXPECT_EQ(ticks[1], (Times{12'500'000, 22'500'000}));
    // CPUs 1 and 2 share a time; CPU 3 has none, so it is 0.
    ticks = ticks_of("linux-2.0", 4, 100, R"("tick_phases": ["9ms", "1ms", "1ms"],)");
    EXPECT_EQ(ticks[0], (Times{19'000'000}));
    EXPECT_EQ(ticks[1], (Times{11'000'000, 21'000'000}));
    EXPECT_EQ(ticks[2], ticks[1]);
    EXPECT_EQ(ticks[3], (Times{10'000'000, 20'000'000}));
}

// A kernel for one CPU has no local timers; but the machine may state a phase.
TEST(TickPhases, OneCpuHasPhaseZero) {
    EXPECT_EQ(ticks_of("linux-2.4.22", 1, 100)[0], (Times{10'000'000, 20'000'000}));
    EXPECT_EQ(ticks_of("linux-2.4.22", 1, 100, R"("tick_phases": ["3ms"],)")[0],
              (Times{13'000'000, 23'000'000}));
}

// If HZ does not divide a second, the phases follow the exact ticks.
TEST(TickPhases, FollowTicksThatAreNoWholeNanoseconds) {
    auto ticks = ticks_of("linux-2.4.22", 2, 300, {}, 10ms);
    EXPECT_EQ(ticks[0], (Times{3'333'333 + 1'111'111, 6'666'666 + 1'111'111}));
    EXPECT_EQ(ticks[1], (Times{3'333'333 + 2'222'222, 6'666'666 + 2'222'222}));
}

// Jiffies are counted, and sleeps end, at the start of a tick, whatever the phases are.
TEST(TickPhases, SleepsEndAtTheStartOfATick) {
    for (const char* phases : {"together", "spread", "half"}) {
        Simulation run(
            small_scenario(R"({"name": "a", "program": [{"run": "1ms"}, {"sleep": "5ms"}]})",
                           {.cpus = 2, .machine = fmt::format(R"("tick_phases": "{}",)", phases), .hz = 100}),
            "linux-2.4.22");
        EXPECT_EQ(run.go(), StopReason::all_exited);
        EXPECT_EQ(run.now(), 20'000'000) << phases;  // 5 ms are one tick, and Linux adds one
        EXPECT_EQ(run.m.globals().ticks, 2u) << phases;
    }
}

// Under Linux 2.4, a slice of 6 ticks ends at a tick of the task's own CPU.
TEST(TickPhases, SlicesEndAtTicksOfTheirCpu) {
    Simulation run(small_scenario(kHogs, {.cpus = 2, .hz = 100}), "linux-2.4.22");
    run.go(65ms);
    std::map<CpuId, std::int64_t> first;
    for (const TraceRecord& r : run.trace.records)
        if (r.kind == TraceKind::schedule && r.time > Nanos{}) first.try_emplace(r.cpu, r.time.count());
    EXPECT_EQ(first[0], 60'000'000 + 3'333'333);
    EXPECT_EQ(first[1], 0);  // 66.7 ms, after the end of the run
}

TEST(TickPhases, PausingDoesNotChangeARun) {
    const Scenario scenario = small_scenario(
        kHogs, {.cpus = 4, .machine = R"("tick_phases": ["1ns", "9999999ns", "0ns", "5ms"],)", .hz = 100});
    Simulation whole(scenario, "linux-2.4.22"), paused(scenario, "linux-2.4.22");
    whole.go(200ms);
    for (Nanos t{}; t <= 200ms; t += 999'983ns) paused.go(t);
    paused.go(200ms);
    EXPECT_EQ(whole.m.hash(), paused.m.hash());
    EXPECT_EQ(whole.m.globals().events, paused.m.globals().events);
}

// A policy that takes over in the middle of a tick continues with the next of its own interrupts.
TEST(TickPhases, ChangeWithThePolicy) {
    const Scenario scenario = small_scenario(kHogs, {.cpus = 4, .hz = 100});
    for (const auto& [at, next] : std::vector<std::pair<Nanos, Nanos>>{
             {5ms, 10ms}, {10ms, 10ms}, {11ms, 11250us}, {11250us, 12500us}, {13ms, 13750us}, {14ms, 20ms}}) {
        Simulation run(scenario, "linux-2.0");
        run.go(at);
        const NamedPolicy later = make_policy("linux-2.6.32", 4);
        set_next_timer_interrupt(run.m, run.scenario, *later.policy);
        EXPECT_EQ(run.m.globals().next_interrupt, next) << at.count();
    }
}

// Each CPU takes one interrupt per tick, whatever its phase.
TEST(TickPhases, EveryCpuTakesEveryTick) {
    for (const char* phases : {"together", "spread", "half"}) {
        auto ticks = ticks_of("linux-2.4.22", 5, 100, fmt::format(R"("tick_phases": "{}",)", phases), 1s);
        for (CpuId c = 0; c < 5; ++c) EXPECT_GE(ticks[c].size(), 98u) << phases << " cpu" << c;
        for (CpuId c = 0; c < 5; ++c) EXPECT_LE(ticks[c].size(), 99u) << phases << " cpu" << c;
    }
}

}  // namespace tick_phases_test
}  // namespace sim
