// Event times to the nanosecond, in scenarios small enough to compute by hand.
//
// Costs in us: schedule() 5 + 1 per runnable task (linux-2.0 visits all), switch 50, or 20 within an address
// space (the idle task uses the kernel's), system call 2. Sums in us:
// idle -> task, one runnable: 56; two: 57.   exit -> next task, one runnable: 2 + 56 = 58; -> idle: 57.
#include "sim/core/engine.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/check/invariants.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/simulation.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace engine_test {

const std::string kCosts =
    R"({"syscall": "2us", "schedule": "5us", "considered": "1us", "recalculated": "10ns",
    "queue_step": "100ns", "switch_same_mm": "20us", "switch_other_mm": "50us"})";
const std::string kFree = "{}";

// With the default of 1 Hz, the run ends before the first tick.
Scenario scenario_of(const std::string& tasks, const std::string& costs = kCosts, int hz = 1,
                     const std::string& more = "") {
    return parse_scenario("test.json", R"({"format": "switchyard-scenario/1", "machine": {"hz": )" +
                                           std::to_string(hz) + R"(, "costs": )" + costs + "}, " + more +
                                           R"("tasks": [)" + tasks + "]}");
}

// --- bursts, system calls and schedule() ---

TEST(Engine, TaskRunsBurstAndExits) {
    Simulation run(scenario_of(R"({"name": "a", "program": [{"run": "1ms"}]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.decisions(), "0 idle>a, 1056000 a>idle");
    EXPECT_EQ(run.now(), 1'056'000);
    EXPECT_EQ(run.m.globals().nr_tasks, 0u);

    // The run ends when the last task exits. The time of the exit's schedule() does not elapse and is not
    // counted.
    EXPECT_EQ(run.time().user.count(), 1'000'000);
    EXPECT_EQ(run.time().idle.count(), 0);
    EXPECT_EQ(run.time().overhead.system.count(), 0);
    EXPECT_EQ(run.time().overhead.select.count(), 6'000);
    EXPECT_EQ(run.time().overhead.context_switch.count(), 20'000);
    EXPECT_EQ(run.time().overhead.address_space.count(), 30'000);
}

TEST(Engine, SleepingTaskLeavesCpuIdle) {
    Simulation run(
        scenario_of(R"({"name": "a", "program": [{"run": "1ms"}, {"arrival": "10ms"}, {"run": "1ms"}]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    // The sleep starts with the system call at 1056 us; schedule() to idle ends at 1113 us.
    EXPECT_EQ(run.decisions(), "0 idle>a, 1056000 a>idle, 11056000 idle>a, 12112000 a>idle");
    EXPECT_EQ(run.now(), 12'112'000);
    EXPECT_EQ(run.time().idle.count(), 11'056'000 - 1'113'000);
    EXPECT_EQ(run.time().user.count(), 2'000'000);
    EXPECT_EQ(run.time().overhead.system.count(), 2'000);
    EXPECT_EQ(run.time().overhead.select.count(), 6'000 + 5'000 + 6'000);
    EXPECT_EQ(run.statistics.interrupts_of(Interrupt::device), 1u);
}

TEST(Engine, WakeUpDuringIdleSwitchIsDeferred) {
    Simulation run(scenario_of(R"({"name": "a", "program": [{"arrival": "10us"}]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.events(TraceKind::wake_up), "66000 a");
    EXPECT_EQ(run.decisions(), "0 idle>a, 56000 a>idle, 113000 idle>a, 169000 a>idle");
    EXPECT_EQ(run.time().idle.count(), 0);
    EXPECT_EQ(run.tasks()[1].ready.count(), 113'000 - 66'000);
}

TEST(Engine, TwoProcessesTakeTurnsByYielding) {
    Simulation run(
        scenario_of(R"({"name": "a", "program": ["yield"]}, {"name": "b", "program": ["yield"]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    // Times in us: idle>a takes 57. a>b takes 2 + 7 + 50. b>a takes the same, plus the recalculation of two
    // tasks at 10 ns. The exit of a takes 2 + 6 + 50.
    EXPECT_EQ(run.decisions(), "0 idle>a, 57000 a>b, 116000 b>a, 175020 a>b, 233020 b>idle");
    EXPECT_EQ(run.now(), 233'020);
    EXPECT_EQ(run.time().overhead.system.count(), 3 * 2'000);
    EXPECT_EQ(run.time().overhead.select.count(), 4 * 5'000 + 7 * 1'000);
    EXPECT_EQ(run.time().overhead.recalculation.count(), 20);
    EXPECT_EQ(run.time().overhead.context_switch.count(), 4 * 20'000);
    EXPECT_EQ(run.time().overhead.address_space.count(), 4 * 30'000);
    EXPECT_EQ(run.statistics.yields, 2u);
    EXPECT_EQ(run.statistics.yields_switched, 2u);
    EXPECT_EQ(run.statistics.recalculations, 1u);
    EXPECT_EQ(run.statistics.recalculated, 2u);
    EXPECT_EQ(run.statistics.considered, 7u);
    EXPECT_EQ(run.statistics.schedule_calls, 5u);
}

TEST(Engine, ThreadSwitchSkipsAddressSpaceCost) {
    Simulation run(scenario_of(
        R"({"name": "a", "mm": "x", "program": ["yield"]}, {"name": "b", "mm": "x", "program": ["yield"]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.decisions(), "0 idle>a, 57000 a>b, 86000 b>a, 115020 a>b, 143020 b>idle");
    EXPECT_EQ(run.statistics.switches.same_mm, 3u);
    EXPECT_EQ(run.statistics.switches.other_mm, 1u);  // from the idle task, whose mm is the kernel's
    EXPECT_EQ(run.statistics.switches.to_idle, 1u);
    EXPECT_EQ(run.statistics.mm_loads, 2u);
}

TEST(Engine, YieldWithoutSwitchCostsOnlySearch) {
    Simulation run(scenario_of(R"({"name": "a", "program": [{"loop": 3, "steps": ["yield"]}]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    // Each yield takes 2 + 5 + 1 us, and 10 ns of recalculation, because a's slice has ended.
    EXPECT_EQ(run.decisions(), "0 idle>a, 56000 a>a, 64010 a>a, 72020 a>a, 80030 a>idle");
    EXPECT_EQ(run.statistics.yields, 3u);
    EXPECT_EQ(run.statistics.yields_switched, 0u);
    EXPECT_EQ(run.m.globals().switches, 2u);
}

TEST(Engine, YieldWithoutRescheduleIsPlainSystemCall) {
    Simulation run(
        scenario_of(R"({"name": "a", "program": ["yield", "yield"]}, {"name": "b", "program": []})"),
        "linux-2.0:yield=move_last_only");
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.decisions(), "0 idle>a, 61000 a>b, 119000 b>idle");
    EXPECT_EQ(run.statistics.yields, 2u);
    EXPECT_EQ(run.statistics.yields_switched, 0u);
    EXPECT_EQ(run.time().overhead.system.count(), 3 * 2'000);  // both yields and a's exit
}

TEST(Engine, KernelThreadRoundTripLoadsMmTwice) {
    // Times in us: idle>k within the kernel's mm takes 27, k>a 2 + 6 + 50, and a>k 2 + 7 + 50 (two runnable
    // tasks). The exit of k with the switch to a takes 58.
    Simulation run(scenario_of(R"({"name": "k", "mm": null, "program": [{"wait": "c"}]},
                           {"name": "a", "program": [{"wake": "c"}, "yield"]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.decisions(), "0 idle>k, 27000 k>a, 87000 a>k, 146000 k>a, 204020 a>idle");
    EXPECT_EQ(run.statistics.switches.kernel_thread, 2u);
    EXPECT_EQ(run.statistics.switches.other_mm, 2u);
    EXPECT_EQ(run.statistics.mm_loads, 4u);
}

TEST(Engine, SimultaneousStartsFollowFileOrder) {
    Simulation run(
        scenario_of(R"({"name": "b", "program": []}, {"name": "a", "count": 2, "program": []})", kFree));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.decisions(), "0 idle>b, 0 b>a.1, 0 a.1>a.2, 0 a.2>idle");
}

// --- preemption ---

TEST(Engine, PreemptedBurstResumesLater) {
    Simulation run(scenario_of(R"({"name": "a", "priority": 10, "program": [{"run": "10ms"}]},
                           {"name": "b", "start": "5ms", "program": [{"run": "1ms"}]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    // a runs from 56 us to 5000 us. From 6115 us on it runs for the remaining 5056 us.
    EXPECT_EQ(run.decisions(), "0 idle>a, 5000000 a>b, 6057000 b>a, 11171000 a>idle");
    EXPECT_EQ(run.tasks()[1].user.count(), 10'000'000);
    EXPECT_EQ(run.tasks()[2].user.count(), 1'000'000);
    EXPECT_EQ(run.tasks()[1].ready.count(), 6'057'000 - 5'000'000);
    EXPECT_EQ(run.tasks()[2].ready.count(), 0);
    EXPECT_EQ(run.tasks()[0].system.count(), 56'000);  // the task that called schedule() is charged
    EXPECT_EQ(run.tasks()[1].system.count(), 57'000);
    EXPECT_EQ(run.tasks()[2].system.count(), 58'000);
    EXPECT_EQ(run.statistics.switches.involuntary, 1u);
    EXPECT_EQ(run.statistics.switches.voluntary, 2u);
    EXPECT_EQ(run.statistics.switches.from_idle, 1u);
    EXPECT_EQ(run.tasks()[1].involuntary, 1u);
    EXPECT_EQ(run.tasks()[1].voluntary, 1u);
    EXPECT_EQ(run.tasks()[2].involuntary, 0u);
    EXPECT_EQ(run.tasks()[2].voluntary, 1u);
}

TEST(Engine, WakeUpWithoutPreemptionWaitsForBurst) {
    Simulation run(scenario_of(R"({"name": "a", "program": [{"run": "10ms"}]},
                           {"name": "b", "start": "5ms", "program": [{"run": "1ms"}]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.decisions(), "0 idle>a, 10056000 a>b, 11114000 b>idle");
    EXPECT_EQ(run.tasks()[2].ready.count(), 10'056'000 - 5'000'000);
    EXPECT_EQ(run.statistics.switches.involuntary, 0u);
}

TEST(Engine, NeedReschedWaitsUntilKernelExit) {
    // b and c wake during the switch to a, before a has run at all.
    Simulation run(scenario_of(R"({"name": "a", "priority": 10, "program": [{"run": "10ms"}]},
                           {"name": "b", "start": "30us", "program": [{"run": "1ms"}]},
                           {"name": "c", "start": "40us", "program": []})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    // Times in us: the schedule() at 56 takes 5 + 3 + 50, so b runs from 114 on. b's exit takes 2 + 7 + 50.
    // c exits immediately at 1173, which takes 58, so a runs from 1231 on.
    EXPECT_EQ(run.decisions(), "0 idle>a, 56000 a>b, 1114000 b>c, 1173000 c>a, 11231000 a>idle");
    EXPECT_EQ(run.tasks()[1].user.count(), 10'000'000);
    EXPECT_EQ(run.tasks()[2].ready.count(), 56'000 - 30'000);
    EXPECT_EQ(run.tasks()[3].ready.count(), 1'114'000 - 40'000);
    EXPECT_EQ(run.tasks()[1].ready.count(), 1'173'000 - 56'000);
}

TEST(Engine, NeedReschedWaitsForSystemCallReturn) {
    // a's wake step, which wakes no task, lasts from 56 us to 58 us. b wakes at 57 us.
    Simulation run(scenario_of(R"({"name": "a", "priority": 10, "program": [{"wake": "c"}, {"run": "1ms"}]},
                           {"name": "b", "start": "57us", "program": []})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.decisions(), "0 idle>a, 58000 a>b, 115000 b>a, 1173000 a>idle");
    EXPECT_EQ(run.time().overhead.system.count(),
              2 * 2'000);  // a's wake and b's exit; an interrupt causes the schedule() at 58 us
}

TEST(Engine, NeedReschedTakesEffectBetweenSystemCalls) {
    // As in the previous test, but the next step of a is another system call. a makes that call when it
    // runs again, at 173 us.
    Simulation run(scenario_of(R"({"name": "a", "priority": 10, "program": [{"wake": "c"}, {"wake": "c"}]},
                                  {"name": "b", "start": "57us", "program": []})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.decisions(), "0 idle>a, 58000 a>b, 115000 b>a, 175000 a>idle");
    EXPECT_EQ(run.time().overhead.system.count(), 3 * 2'000);
}

TEST(Engine, NeedReschedTakesEffectBetweenBursts) {
    // The second tick ends a's slice of 1. It coincides with the end of a's first burst: 57 us + 19,943 us.
    Simulation run(
        scenario_of(R"({"name": "a", "priority": 1, "program": [{"run": "19943us"}, {"run": "1ms"}]},
                                  {"name": "b", "priority": 1, "program": []})",
                    kCosts, 100));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    // At b's exit, a has no ticks left, and both are recalculated: 2 + 6 + 50, and 20 ns.
    EXPECT_EQ(run.decisions(), "0 idle>a, 20000000 a>b, 20057000 b>a, 21115020 a>idle");
    EXPECT_EQ(run.time().overhead.system.count(), 2'000);
}

TEST(Engine, SliceLasts21Ticks) {
    Simulation run(scenario_of(R"({"name": "hog", "count": 2, "program": [{"run": "1s"}]})", kFree, 100));
    EXPECT_EQ(run.go({.until = 700ms}), StopReason::until);
    EXPECT_EQ(run.decisions(),
              "0 idle>hog.1, 210000000 hog.1>hog.2, 420000000 hog.2>hog.1, 630000000 hog.1>hog.2");
    EXPECT_EQ(run.statistics.recalculations, 1u);
    EXPECT_EQ(run.statistics.switches.involuntary, 3u);
    EXPECT_EQ(run.m.globals().ticks, 69u);  // the tick at 700 ms has not occurred yet
}

TEST(Engine, RrTasksAlternateBeforeOtherTasks) {
    Simulation run(scenario_of(R"({"name": "other", "program": [{"run": "10ms"}]},
        {"name": "rr", "count": 2, "class": "rr", "rt_priority": 5, "priority": 4, "program": [{"run": "60ms"}]})",
                               kFree, 100));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    // A slice of 4 lasts until the fifth tick.
    EXPECT_EQ(
        run.decisions(),
        "0 idle>rr.1, 50000000 rr.1>rr.2, 100000000 rr.2>rr.1, 110000000 rr.1>rr.2, 120000000 rr.2>other, "
        "130000000 other>idle");
}

TEST(Engine, FifoTaskRunsUntilExit) {
    Simulation run(scenario_of(R"({"name": "other", "program": [{"run": "10ms"}]},
        {"name": "fifo", "count": 2, "class": "fifo", "rt_priority": 5, "program": [{"run": "300ms"}]})",
                               kFree, 100));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    // All ticks from the 21st on request schedule(), which chooses the same task.
    EXPECT_EQ(run.m.globals().switches, 4u);
    EXPECT_EQ(run.tasks()[3].ready.count(), 300'000'000);
    EXPECT_EQ(run.tasks()[1].ready.count(), 600'000'000);
    EXPECT_EQ(run.statistics.switches.involuntary, 0u);
}

// --- simultaneous events ---

TEST(EngineOrder, WakeUpsComeBeforeTheTick) {
    const char* tasks = R"({"name": "a", "program": [{"run": "300ms"}]},
                           {"name": "b", "start": "40ms", "program": [{"run": "10ms"}]})";
    // After the three ticks before 40 ms, the woken task would not preempt: its counter, 20, does not
    // exceed 17 + 3, the running task's counter and the margin. After the fourth tick it would: 20 exceeds
    // 16 + 3.
    Simulation run(scenario_of(tasks, kFree, 100));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.decisions(), "0 idle>a, 210000000 a>b, 220000000 b>a, 310000000 a>idle");

    std::string later = tasks;
    later.replace(later.find("40ms"), 4, "50ms");
    Simulation other(scenario_of(later, kFree, 100));
    EXPECT_EQ(other.go(), StopReason::all_exited);
    // The tick at 50 ms is charged to a. The slice of a, 20 ticks, lasts until the 22nd tick, because b
    // runs for 10 ms.
    EXPECT_EQ(other.decisions(), "0 idle>a, 50000000 a>b, 60000000 b>a, 220000000 a>a, 310000000 a>idle");
}

TEST(EngineOrder, SimultaneousTimersFireByTaskId) {
    // The last task in the file goes to sleep first. All tasks sleep until 1 ms.
    Simulation run(scenario_of(R"({"name": "a", "start": "300us", "program": [{"arrival": "700us"}]},
                           {"name": "b", "start": "200us", "program": [{"arrival": "800us"}]},
                           {"name": "c", "start": "100us", "program": [{"arrival": "900us"}]})",
                               kFree));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.events(TraceKind::wake_up),
              "100000 c, 200000 b, 300000 a, 1000000 a, 1000000 b, 1000000 c");
    EXPECT_EQ(run.m.globals().decisions, 10u);  // 3 wake-ups with 1 schedule(), 3 exits at 1 ms
}

TEST(EngineOrder, TickPrecedesBurstEnd) {
    // The 21st tick coincides with the end of the burst. The task is still running, and the exit calls
    // schedule().
    Simulation run(scenario_of(
        R"({"name": "a", "program": [{"run": "210ms"}]}, {"name": "b", "program": []})", kFree, 100));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.decisions(), "0 idle>a, 210000000 a>b, 210000000 b>idle");
    EXPECT_EQ(run.m.globals().ticks, 21u);
    EXPECT_EQ(run.statistics.switches.involuntary, 0u);
}

TEST(EngineOrder, ProgramStepPrecedesScheduleByTick) {
    Simulation run(scenario_of(R"({"name": "a", "program": [{"run": "210ms"}, {"wake": "c"}, {"run": "1ms"}]},
                           {"name": "b", "program": []})",
                               kFree, 100));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.m.channel(0).tokens, 1u);
    EXPECT_EQ(run.decisions(), "0 idle>a, 210000000 a>b, 210000000 b>a, 211000000 a>idle");
    EXPECT_EQ(run.tasks()[1].involuntary, 1u);
}

TEST(EngineOrder, RescheduleBeforeBurstKeepsFullLength) {
    Simulation run(scenario_of(
        R"({"name": "a", "program": [{"run": "210ms"}, {"run": "7ms"}]}, {"name": "b", "program": []})",
        kFree, 100));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.decisions(), "0 idle>a, 210000000 a>b, 210000000 b>a, 217000000 a>idle");
}

TEST(Engine, TicksFollowHzWithoutDrift) {
    Simulation run(scenario_of(R"({"name": "a", "program": [{"run": "1s"}]})", kFree, 300));
    run.go({.until = 10'000'001ns});
    EXPECT_EQ(run.events(TraceKind::tick), "3333333 a, 6666666 a, 10000000 a");
    run.go({.until = 1s});
    EXPECT_EQ(run.m.globals().ticks, 299u);
    EXPECT_EQ(run.m.globals().next_tick.count(), 1'000'000'000);
}

TEST(Engine, TickOnIdleCpuChargesNoTask) {
    Simulation run(
        scenario_of(R"({"name": "a", "start": "25ms", "program": [{"run": "10ms"}]})", kFree, 100));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.events(TraceKind::tick), "30000000 a");
    EXPECT_EQ(run.m.globals().ticks, 3u);
    EXPECT_EQ(run.m.counter[0], -100);
}

// --- end of a run ---

TEST(EngineStop, WithoutTasksRunEndsImmediately) {
    Simulation run(scenario_of(""));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.now(), 0);
    EXPECT_EQ(run.m.globals().decisions, 0u);
}

TEST(EngineStop, NoPossibleWakeUpIsDeadlock) {
    Simulation run(scenario_of(
        R"({"name": "a", "program": [{"wait": "c"}]}, {"name": "b", "program": [{"arrival": "1ms"}]})",
        kFree));
    EXPECT_EQ(run.go(), StopReason::deadlock);
    EXPECT_EQ(run.now(), 1'000'000);  // not at 0, because b could wake a before its exit
    EXPECT_EQ(run.m.globals().nr_tasks, 1u);
    EXPECT_EQ(run.go(), StopReason::deadlock);  // a run that has ended does not continue
    EXPECT_FALSE(run.engine.step(run.m, 1s, {}));
    EXPECT_EQ(run.now(), 1'000'000);
}

TEST(EngineStop, UntilTimePausesBeforeSimultaneousEvents) {
    Simulation run(scenario_of(R"({"name": "a", "program": [{"run": "1ms"}]})", kFree));
    EXPECT_EQ(run.go({.until = 1ms}), StopReason::until);
    EXPECT_EQ(run.now(), 1'000'000);
    EXPECT_EQ(run.m.globals().nr_tasks, 1u);
    EXPECT_EQ(run.time().user.count(), 1'000'000);
    EXPECT_EQ(run.go({.until = 500us}), StopReason::until);  // time does not go back
    EXPECT_EQ(run.now(), 1'000'000);
    EXPECT_EQ(run.go({.until = 1'000'001ns}), StopReason::all_exited);
    EXPECT_EQ(run.now(), 1'000'000);
}

TEST(EngineStop, UntilTimeMayFallBetweenEvents) {
    Simulation run(scenario_of(R"({"name": "a", "program": [{"run": "1ms"}]})"));
    EXPECT_EQ(run.go({.until = 0ns}), StopReason::until);
    EXPECT_EQ(run.m.globals().decisions, 0u);
    EXPECT_EQ(run.go({.until = 300us}), StopReason::until);
    EXPECT_EQ(run.now(), 300'000);
    EXPECT_EQ(run.time().user.count(), 300'000 - 56'000);
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.now(), 1'056'000);
}

TEST(EngineStop, SwitchLimitIsExact) {
    Simulation run(
        scenario_of(R"({"name": "a", "count": 2, "program": [{"loop": 10, "steps": ["yield"]}]})"));
    EXPECT_EQ(run.go({.switches = 7}), StopReason::switch_limit);
    EXPECT_EQ(run.m.globals().switches, 7u);
    EXPECT_EQ(run.statistics.switches.total(), 7u);
    EXPECT_EQ(run.go({.switches = 7}), StopReason::switch_limit);
    EXPECT_EQ(run.m.globals().switches, 7u);
    EXPECT_EQ(run.go({.switches = 8}), StopReason::switch_limit);
    EXPECT_EQ(run.m.globals().switches, 8u);
}

TEST(EngineStop, DecisionLimitIsExact) {
    // A task that yields to itself makes decisions without switches.
    Simulation run(scenario_of(R"({"name": "a", "program": [{"loop": 10, "steps": ["yield"]}]})"));
    EXPECT_EQ(run.go({.decisions = 5}), StopReason::decision_limit);
    EXPECT_EQ(run.m.globals().decisions, 5u);
    EXPECT_EQ(run.m.globals().switches, 1u);
    EXPECT_EQ(run.go({.decisions = 12}), StopReason::all_exited);  // decision 12 is caused by the exit
}

TEST(EngineStop, ForkWithoutFreeRowIsTaskLimit) {
    Simulation run(scenario_of(R"({"name": "a", "program": [{"fork": "b"}, {"fork": "b"}]},
                           {"name": "b", "count": 0, "program": [{"run": "1ms"}]})",
                               kCosts, 1, R"("max_tasks": 2, )"));
    EXPECT_EQ(run.go(), StopReason::task_limit);
    EXPECT_EQ(run.now(), 58'000);  // 56 us until a runs, 2 us for the first fork
    EXPECT_EQ(run.m.globals().nr_tasks, 2u);
    EXPECT_EQ(run.statistics.forks, 1u);
}

TEST(EngineStop, EndlessZeroTimeStepsAreLivelock) {
    Simulation yielding(scenario_of(
        R"({"name": "a", "count": 2, "program": [{"run": "1ms"}, {"loop": 4294967294, "steps": ["yield"]}]})",
        kFree));
    EXPECT_EQ(yielding.engine.run(yielding.m, {}, {}), StopReason::livelock);
    EXPECT_EQ(yielding.now(), 2'000'000);

    Simulation alone(scenario_of(
        R"({"name": "a", "program": [{"run": "1ms"}, {"loop": 4294967294, "steps": [{"wake": "c"}]}]})",
        kFree));
    EXPECT_EQ(alone.engine.run(alone.m, {}, {}), StopReason::livelock);
    EXPECT_EQ(alone.now(), 1'000'000);
}

TEST(EngineStop, ManySimultaneousEventsAreNotLivelock) {
    Simulation run(scenario_of(
        R"({"name": "a", "count": 2, "program": [{"loop": 100000, "steps": ["yield"]}]})", kFree));
    EXPECT_EQ(run.engine.run(run.m, {}, {}), StopReason::all_exited);
    EXPECT_EQ(run.now(), 0);
}

TEST(EngineStop, RunEndsAtHorizon) {
    Simulation run(
        scenario_of(R"({"name": "a", "program": [{"arrival": "78h"}, {"arrival": "78h"}]})", kFree));
    EXPECT_EQ(run.go(), StopReason::until);
    EXPECT_EQ(run.now(), kHorizon.count());
}

// --- pausing, observing, and all policies ---

// A random mixture of all features.
const char* const kMixed = R"(
    {"name": "editor", "count": 2, "program": [{"loop": "forever", "steps": [
        {"arrival": {"exponential": "3ms"}}, {"run": {"uniform": ["10us", "2ms"]}}]}]},
    {"name": "hog", "priority": 10, "program": [{"loop": "forever", "steps": [{"run": "5ms"}, {"arrival": "20ms"}]}]},
    {"name": "spinner", "mm": "threads", "count": 3, "start": "1ms", "program": [{"loop": "forever", "steps": [
        {"run": "100us"}, "yield"]}]},
    {"name": "producer", "program": [{"loop": "forever", "steps": [{"run": {"exponential": "1ms"}}, {"wake": "items"},
        {"arrival": "2ms"}]}]},
    {"name": "consumer", "mm": null, "count": 2, "program": [{"loop": "forever", "steps": [{"wait": "items"},
        {"run": "200us"}]}]},
    {"name": "shell", "program": [{"loop": "forever", "steps": [{"fork": "child"}, {"arrival": "20ms"}]}]},
    {"name": "child", "count": 0, "program": [{"loop": 2, "steps": [{"run": "1ms"}, "yield"]}]},
    {"name": "audio", "class": "fifo", "rt_priority": 50, "program": [{"loop": "forever", "steps": [
        {"arrival": "10ms"}, {"run": "500us"}]}]},
    {"name": "poll", "class": "rr", "rt_priority": 10, "program": [{"loop": "forever", "steps": [
        {"run": "1ms"}, {"arrival": "30ms"}]}]})";

Scenario mixed() { return scenario_of(kMixed, kCosts, 100, R"("until": "500ms", )"); }

TEST(Engine, PausingChangesNothing) {
    for (const PolicyInfo& info : policies()) {
        SCOPED_TRACE(info.name);
        Simulation whole(mixed(), info.name), slices(mixed(), info.name), steps(mixed(), info.name);
        EXPECT_EQ(whole.go({.until = 500ms}), StopReason::until);
        for (Nanos until{}; until < 500ms; until += 777us) slices.engine.run(slices.m, {.until = until}, {});
        slices.engine.run(slices.m, {.until = 500ms}, {});
        while (steps.engine.step(steps.m, 500ms, {})) continue;
        EXPECT_EQ(slices.m.hash(), whole.m.hash());
        EXPECT_EQ(steps.m.hash(), whole.m.hash());
        EXPECT_EQ(steps.now(), 500'000'000);
    }
}

TEST(Engine, CopiedMachineRunsIdentically) {
    Simulation run(mixed());
    run.go({.until = 123ms});
    Machine copy(run.m);
    run.go({.until = 500ms});
    run.engine.run(copy, {.until = 500ms}, {});
    EXPECT_EQ(copy.hash(), run.m.hash());
}

TEST(Engine, ObserversDoNotChangeRun) {
    for (const PolicyInfo& info : policies()) {
        SCOPED_TRACE(info.name);
        Simulation watched(mixed(), info.name), alone(mixed(), info.name);
        DecisionLog log;
        watched.engine.run(watched.m, {.until = 500ms}, {&watched.statistics, &watched.trace, &log});
        alone.engine.run(alone.m, {.until = 500ms}, {});
        EXPECT_EQ(watched.m.hash(), alone.m.hash());
        EXPECT_FALSE(log.candidates.empty());
    }
}

TEST(Engine, InvariantsHoldAfterEveryEvent) {
    constexpr int kEventsPerCheck = kOptimised ? 1 : 7;  // other builds look for sanitizer errors
    std::uint64_t forks = 0, exits = 0;
    for (const PolicyInfo& info : policies()) {
        SCOPED_TRACE(info.name);
        Simulation run(mixed(), info.name);
        for (int i = 0; run.engine.step(run.m, 500ms, {.statistics = &run.statistics}); ++i) {
            if (i % kEventsPerCheck != 0) continue;
            const std::string broken =
                check_invariants(run.m, run.scenario, *run.policy.policy, &run.statistics);
            ASSERT_EQ(broken, "") << "at " << run.now();
        }
        // The spinners keep the shell from running while they have a slice: under 1.2 because a yield has no
        // effect, under 2.2 because they are threads of one address space.
        const bool crowded_out = info.name == "linux-1.2" || info.name == "linux-2.2";
        EXPECT_GT(run.m.globals().switches, info.name == "linux-1.2" ? 10u : 500u);
        EXPECT_GT(run.statistics.forks, crowded_out ? 0u : 5u);
        forks += run.statistics.forks;
        exits += run.statistics.exits;
    }
    EXPECT_GT(forks, 6 * policies().size());
    EXPECT_GT(exits, policies().size());
}

TEST(Engine, TaskRandomnessDependsOnSeedAndName) {
    const std::string task = R"({"name": "x", "program": [{"loop": 50, "steps": [
        {"run": {"exponential": "1ms"}}, {"arrival": {"uniform": ["1us", "5ms"]}}]}]})";
    const std::string other = R"({"name": "y", "count": 2, "program": [{"loop": 99, "steps": [
        {"run": {"exponential": "1ms"}}, "yield"]}]})";
    Simulation alone(scenario_of(task));
    alone.go();
    const std::int64_t user = alone.tasks()[1].user.count();
    EXPECT_GT(user, 10'000'000);

    Simulation in_company(scenario_of(other + ", " + task), "round-robin");
    in_company.go();
    EXPECT_EQ(in_company.tasks()[3].user.count(), user);

    Simulation other_seed(scenario_of(task, kCosts, 1, R"("seed": 2, )"));
    other_seed.go();
    EXPECT_NE(other_seed.tasks()[1].user.count(), user);
}

TEST(Engine, TheLogHoldsTheLatestDecision) {
    Simulation run(scenario_of(R"({"name": "a", "count": 2, "program": [{"run": "1ms"}]})"));
    DecisionLog log;
    run.engine.run(run.m, {.decisions = 1}, {.log = &log});
    EXPECT_EQ(log.prev, 0u);
    EXPECT_TRUE(log.prev_runnable);
    EXPECT_EQ(log.decision.next, 1u);
    EXPECT_EQ(log.candidates.size(), 2u);
    run.engine.run(run.m, {.decisions = 2}, {.log = &log});
    EXPECT_EQ(log.prev, 1u);
    EXPECT_FALSE(log.prev_runnable);
    EXPECT_EQ(log.decision.next, 2u);
    EXPECT_EQ(log.candidates.size(), 1u);
}

}  // namespace engine_test
}  // namespace sim
