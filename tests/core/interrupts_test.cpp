// Interrupts that take time: exact times in scenarios computed by hand, and invariants in random scenarios.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/check/invariants.h"
#include "tests/support/random_scenario.h"
#include "tests/support/simulation.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace interrupts_test {

std::uint64_t count(const Simulation& s, Interrupt kind) {
    return s.statistics.interrupts[static_cast<std::size_t>(kind)];
}

const std::string kHog = R"({"name": "hog", "program": [{"run": "25ms"}]})";
const std::string kDaemon = R"({"name": "daemon", "program": [{"arrival": "4ms"}, {"run": "1ms"}]})";

TEST(Interrupts, WithoutCostTakeNoTime) {
    Simulation s(small_scenario(kHog, {.hz = 100}));
    s.go();
    EXPECT_EQ(s.now(), 25'000'000);
    EXPECT_EQ(count(s, Interrupt::timer), 2u);
    EXPECT_EQ(s.time().overhead.interrupts, 0ns);
}

TEST(Interrupts, TimerInterruptDelaysRunningTask) {
    Simulation s(small_scenario(kHog, {.costs = R"("timer_interrupt": "100us")", .hz = 100}));
    s.go();
    EXPECT_EQ(s.now(), 25'200'000);  // ticks at 10 and 20 ms
    EXPECT_EQ(s.time().user, 25ms);
    EXPECT_EQ(s.time().overhead.interrupts, 200us);
    EXPECT_EQ(s.events(TraceKind::interrupt), "10000000 hog, 20000000 hog");
}

TEST(Interrupts, AreChargedToNoTask) {
    Simulation s(small_scenario(kHog, {.costs = R"("timer_interrupt": "100us")", .hz = 100}));
    s.go(22ms);
    const TaskStatistics hog = s.tasks()[s.task("hog")];
    EXPECT_EQ(hog.user, 22ms - 200us);
    EXPECT_EQ(hog.system, 0ns);
}

TEST(Interrupts, UnfinishedHandlerCountsElapsedTime) {
    Simulation s(small_scenario(kHog, {.costs = R"("timer_interrupt": "100us")", .hz = 100}));
    s.go(10ms + 30us);
    EXPECT_EQ(s.time().user, 10ms);
    EXPECT_EQ(s.time().overhead.interrupts, 30us);
}

// The daemon preempts the hog after the handler, whose time is taken from the hog.
TEST(Interrupts, DeviceHandlerPrecedesReschedule) {
    Simulation s(small_scenario(
        kHog + R"(, {"name": "daemon", "nice": -10, "start": "4ms", "program": [{"run": "1ms"}]})",
        {.costs = R"("device_interrupt": "50us")"}));
    s.go();
    EXPECT_EQ(s.decisions(), "0 idle>hog, 4050000 hog>daemon, 5050000 daemon>hog, 26050000 hog>idle");
    EXPECT_EQ(s.now(), 26'050'000);
    EXPECT_EQ(count(s, Interrupt::device), 1u);
}

// The tick at 10 ms occurs 20 us after the start of a system call of 100 us.
TEST(Interrupts, TickWaitsForSystemCallEnd) {
    Simulation s(small_scenario(R"({"name": "a", "program": [{"run": "9980us"}, "yield", {"run": "1ms"}]})",
                                {.costs = R"("syscall": "100us", "timer_interrupt": "7us")", .hz = 100}));
    s.go(10ms + 81us);
    EXPECT_EQ(s.time().overhead.system, 100us);
    EXPECT_EQ(s.time().overhead.interrupts, 1us);
    s.go();
    EXPECT_EQ(s.time().user, 10ms + 980us);
    EXPECT_EQ(s.time().overhead.interrupts, 7us);
}

// unpark() on CPU 0 wakes the idle CPU 1: 5 us until the IPI arrives, 3 us in the handler.
const std::string kTwo =
    R"({"name": "waker", "affinity": [0], "program": [{"run": "1ms"}, {"unpark": "b"}, {"run": "1ms"}]},
    {"name": "b", "affinity": [1], "program": ["park", {"run": "100us"}]})";

TEST(Interrupts, IpiHandlerRunsOnTargetCpu) {
    Simulation s(small_scenario(kTwo, {.cpus = 2, .costs = R"("reschedule_ipi": "5us", "ipi": "3us")"}));
    s.go();
    EXPECT_NE(s.decisions().find("1008000 cpu1 idle>b"), std::string::npos) << s.decisions();
    EXPECT_EQ(s.time().overhead.interrupts, 3us);
    EXPECT_EQ(s.statistics.reschedule_ipis, 1u);
}

TEST(Interrupts, IdleMwaitCpuNeedsNoIpi) {
    Simulation s(small_scenario(
        kTwo,
        {.cpus = 2, .costs = R"("reschedule_ipi": "5us", "ipi": "3us")", .machine = R"("idle": "mwait",)"}));
    s.go();
    EXPECT_NE(s.decisions().find("1005000 cpu1 idle>b"), std::string::npos) << s.decisions();
    EXPECT_EQ(s.time().overhead.interrupts, 0us);
    EXPECT_EQ(s.statistics.reschedule_ipis, 0u);
}

// A busy CPU does not monitor need_resched, so it is interrupted even with mwait.
TEST(Interrupts, BusyMwaitCpuGetsIpi) {
    Simulation s(small_scenario(
        R"({"name": "waker", "affinity": [0], "program": [{"run": "1ms"}, {"unpark": "b"}, {"run": "1ms"}]},
           {"name": "low", "nice": 10, "affinity": [1], "program": [{"run": "5ms"}]},
           {"name": "b", "affinity": [1], "class": "fifo", "rt_priority": 1, "program": ["park", {"run": "100us"}]})",
        {.cpus = 2, .costs = R"("reschedule_ipi": "5us", "ipi": "3us")", .machine = R"("idle": "mwait",)"}));
    s.go();
    EXPECT_NE(s.decisions().find("1008000 cpu1 low>b"), std::string::npos) << s.decisions();
    EXPECT_EQ(s.statistics.reschedule_ipis, 1u);
    EXPECT_EQ(s.time().overhead.interrupts, 3us);
}

TEST(Interrupts, DynticksSkipTimerOnIdleCpus) {
    for (const bool dynticks : {false, true}) {
        Simulation s(small_scenario(
            kHog, {.cpus = 4,
                   .costs = R"("timer_interrupt": "100us")",
                   .machine = fmt::format(R"("dynticks": {}, "tick_phases": "together",)", dynticks),
                   .hz = 100}));
        s.go(25ms);
        EXPECT_EQ(count(s, Interrupt::timer), dynticks ? 2u : 8u);
        EXPECT_EQ(s.time().overhead.interrupts, dynticks ? 200us : 800us);
    }
}

// The host must run the virtual CPU before the CPU can take the interrupt.
TEST(Interrupts, HaltedCpuWaitsForHost) {
    Simulation s(small_scenario(
        kDaemon, {.costs = R"("steal_time": "20us", "device_interrupt": "5us", "idle_exit": "1us")"}));
    s.go();
    EXPECT_EQ(s.decisions(), "0 idle>daemon, 1000 daemon>idle, 4026000 idle>daemon, 5027000 daemon>idle");
    EXPECT_EQ(s.time().overhead.stolen, 20us);
    EXPECT_EQ(s.time().overhead.interrupts, 5us);
    EXPECT_EQ(s.time().idle, 4ms);
}

// The CPU is already awake for another interrupt when the IPI arrives, so it waits for the host only once.
TEST(Interrupts, AwakeCpuDoesNotWaitForHost) {
    Simulation s(small_scenario(
        R"({"name": "waker", "affinity": [0], "program": [{"run": "1ms"}, {"unpark": "b"}, {"run": "1ms"}]},
           {"name": "b", "affinity": [1], "program": ["park", {"run": "100us"}]},
           {"name": "c", "affinity": [1], "program": [{"arrival": "990us"}, {"run": "10us"}]})",
        {.cpus = 2, .costs = R"("reschedule_ipi": "50us", "ipi": "3us", "device_interrupt": "5us",
                      "steal_time": "20us")"}));
    s.go();
    EXPECT_EQ(s.statistics.steals, 1u);
    EXPECT_EQ(s.time().overhead.stolen, 20us);
}

// From the first tick on, interrupts use the entire CPU time. Nothing else runs, but every nanosecond is
// accounted for.
TEST(Interrupts, CanTakeAllTheTime) {
    Simulation s(small_scenario(kHog, {.costs = R"("timer_interrupt": "1ms")", .hz = 1000}));
    s.go(100ms);
    EXPECT_EQ(s.time().user, 1ms);
    EXPECT_EQ(s.time().overhead.interrupts, 99ms);
}

// Random machines with costs for all interrupts, in all combinations of dynticks and mwait.
TEST(Interrupts, InvariantsHoldInRandomScenarios) {
    constexpr std::uint64_t kScenarios = rounds(400, 400, 25);
    std::uint64_t interrupts = 0, steals = 0;
    for (std::uint64_t number = 1; number <= kScenarios; ++number) {
        Scenario scenario = random_smp_scenario(number);
        CostModel& costs = scenario.machine.costs;
        for (std::size_t kind = 0; kind < kInterrupts; ++kind)
            costs.interrupt[kind].time = Nanos{static_cast<std::int64_t>(number * (kind + 3) % 5 * 700)};
        costs.steal.time = number % 3 == 0 ? 4us : 0us;
        scenario.machine.dynticks = number % 2 == 0;
        scenario.machine.idle = number % 4 < 2 ? MachineSpec::IdleMode::hlt : MachineSpec::IdleMode::mwait;
        const NamedPolicy policy = make_policy(number % 5 < 3 ? "linux-2.4.22" : "linux-2.0", scenario.cpus);
        const Engine engine(scenario, *policy.policy);
        Machine m = engine.initial_state();
        Statistics statistics(m.shape());
        const Nanos until = scenario.until.value_or(kHorizon);
        std::string problem;
        for (int event = 0; problem.empty() && event < 2'000; ++event) {
            if (!engine.step(m, until, {.statistics = &statistics})) break;
            problem = check_invariants(m, scenario, *policy.policy, &statistics);
        }
        ASSERT_EQ(problem, "") << "scenario " << number << " at " << m.globals().now.count();
        for (const std::uint64_t n : statistics.interrupts) interrupts += n;
        steals += statistics.steals;
    }
    EXPECT_GT(interrupts, 20 * kScenarios);
    EXPECT_GT(steals, kScenarios);
}

}  // namespace interrupts_test
}  // namespace sim
