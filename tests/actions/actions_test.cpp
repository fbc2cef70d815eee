// Program steps: their effects, when they block, and their costs. The costs are those of engine_test.cpp:
// schedule() takes 5 us plus 1 us per runnable task, a switch 50 us, a system call 2 us.
#include "sim/core/action.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "sim/scenario/scenario_json.h"
#include "tests/support/simulation.h"

namespace sim {
namespace actions_test {

const std::string kCosts =
    R"({"syscall": "2us", "schedule": "5us", "considered": "1us", "recalculated": "10ns",
    "switch_same_mm": "20us", "switch_other_mm": "50us"})";
const std::string kFree = "{}";

Scenario scenario_of(const std::string& tasks, const std::string& costs = kCosts) {
    return parse_scenario("test.json",
                          R"({"format": "switchyard-scenario/1", "until": "1s", "machine": {"hz": 1,
        "costs": )" + costs + R"(}, "tasks": [)" +
                              tasks + "]}");
}

// Runs a program that consists of `steps`, which must take no time. Returns the number of yields in the
// program's run.
std::uint64_t yields_of(const std::string& steps) {
    Simulation run(scenario_of(R"({"name": "a", "program": [)" + steps + "]}", kFree));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.now(), 0);
    return run.statistics.yields;
}

TEST(Actions, AreSortedAndFoundByName) {
    const auto list = actions();
    EXPECT_TRUE(std::is_sorted(list.begin(), list.end(),
                               [](const ActionInfo& a, const ActionInfo& b) { return a.name < b.name; }));
    for (const char* name : {"arrival", "exit", "fork", "loop", "run", "sleep", "wait", "wake", "yield"})
        EXPECT_EQ(list[action_index(name)].name, name);
}

// An endless loop must contain a step that takes time, or a system call that has a cost.
TEST(Actions, FlagsStateTimeAndSystemCalls) {
    for (const ActionInfo& action : actions()) {
        const bool takes =
            std::set<std::string>{"arrival", "exit", "in_kernel", "io", "run", "sleep", "syscall", "timer"}
                .contains(action.name);
        const bool computes =
            std::set<std::string>{"end of loop", "in_kernel", "loop", "lock", "run", "unlock"}.contains(
                action.name);
        EXPECT_EQ(action.takes_time, takes) << action.name;
        EXPECT_EQ(action.is_syscall, !computes) << action.name;
    }
}

TEST(Actions, EndOfLoopIsRejectedInPrograms) {
    EXPECT_THROW(scenario_of(R"({"name": "a", "program": ["end of loop"]})"), ScenarioError);
    EXPECT_THROW(scenario_of(R"({"name": "a", "program": [{"end of loop": 1}]})"), ScenarioError);
}

// --- run ---

TEST(RunStep, ConsecutiveStepsFormOneBurst) {
    Simulation run(
        scenario_of(R"({"name": "a", "program": [{"run": "1ms"}, {"run": "500us"}, {"run": "1ns"}]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.decisions(), "0 idle>a, 1556001 a>idle");
    EXPECT_EQ(run.tasks()[1].user.count(), 1'500'001);
}

TEST(RunStep, ZeroLengthTakesNoTime) {
    Simulation run(scenario_of(
        R"({"name": "a", "program": [{"run": "0ns"}, {"run": "0s"}, {"run": "1us"}, {"run": "0ns"}]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.decisions(), "0 idle>a, 57000 a>idle");
}

TEST(RunStep, RandomLengthIsDrawnPerIteration) {
    Simulation run(scenario_of(
        R"({"name": "a", "program": [{"loop": 200, "steps": [{"run": {"uniform": ["1us", "3us"]}}, "yield"]}]})",
        kFree));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    std::vector<std::int64_t> bursts;
    std::int64_t before = 0;
    for (const TraceRecord& r : run.trace.records) {
        if (r.kind != TraceKind::yield) continue;
        bursts.push_back(r.time.count() - before);
        before = r.time.count();
    }
    ASSERT_EQ(bursts.size(), 200u);
    std::sort(bursts.begin(), bursts.end());
    EXPECT_GE(bursts.front(), 1'000);
    EXPECT_LE(bursts.back(), 3'000);
    EXPECT_LT(bursts.front(), 1'200);
    EXPECT_GT(bursts.back(), 2'800);
}

// --- arrival (`sleep`: see sleep_test.cpp) ---

TEST(Arrival, DelayCountsFromSystemCall) {
    Simulation run(scenario_of(
        R"({"name": "a", "program": [{"arrival": {"uniform": ["3ms", "3ms"]}}, {"arrival": "1ms"}]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.events(TraceKind::sleep), "56000 a, 3112000 a");
    EXPECT_EQ(run.events(TraceKind::wake_up), "3056000 a, 4112000 a");
    EXPECT_EQ(run.statistics.interrupts_of(Interrupt::device), 2u);
}

TEST(Arrival, ZeroDelayStillReleasesCpu) {
    Simulation run(scenario_of(
        R"({"name": "a", "program": [{"arrival": "0ns"}]}, {"name": "b", "program": []})", kFree));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.now(), 0);
    EXPECT_EQ(run.decisions(), "0 idle>a, 0 a>b, 0 b>a, 0 a>idle");
}

TEST(Arrival, SimultaneousArrivalDoesNotPreempt) {
    Simulation run(
        scenario_of(R"({"name": "a", "count": 2, "program": [{"arrival": "1ms"}, {"run": "2ms"}]})", kFree));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.now(), 5'000'000);
    EXPECT_EQ(run.tasks()[2].ready.count(), 2'000'000);
}

// --- yield ---

TEST(YieldStep, CountsPerTaskAndInTotal) {
    Simulation run(
        scenario_of(R"({"name": "a", "program": ["yield", "yield"]}, {"name": "b", "program": ["yield"]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.tasks()[1].yields, 2u);
    EXPECT_EQ(run.tasks()[2].yields, 1u);
    EXPECT_EQ(run.statistics.yields, 3u);
}

// --- wait and wake ---

TEST(Channel, WokenTaskRunsWhenChosen) {
    Simulation run(scenario_of(R"({"name": "c", "program": [{"wait": "ch"}, {"run": "1ms"}]},
                                  {"name": "p", "program": [{"run": "1ms"}, {"wake": "ch"}, {"run": "1ms"}]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    // Times in us: the switch idle>c takes 57 and c>p takes 58, so p runs from 115 on. p's wake step takes
    // 2 and does not cause a preemption. p's exit, including the switch to c, takes 58.
    EXPECT_EQ(run.decisions(), "0 idle>c, 57000 c>p, 2117000 p>c, 3175000 c>idle");
    EXPECT_EQ(run.events(TraceKind::wait), "57000 c");
    EXPECT_EQ(run.events(TraceKind::wake_up), "1115000 c");
    EXPECT_EQ(run.tasks()[1].ready.count(), 2'117'000 - 1'115'000);
    EXPECT_EQ(run.tasks()[2].ready.count(), 57'000);
}

TEST(Channel, PreemptingWakeSwitchesAtSystemCallExit) {
    Simulation run(scenario_of(R"({"name": "c", "program": [{"wait": "ch"}, {"run": "1ms"}]},
                                  {"name": "p", "priority": 10, "program": [{"run": "1ms"}, {"wake": "ch"}, {"run": "1ms"}]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    // After p's wake step, the CPU switches to c immediately. Times in us: system call 2, schedule() 7,
    // switch 50.
    EXPECT_EQ(run.decisions(), "0 idle>c, 57000 c>p, 1115000 p>c, 2174000 c>p, 3232000 p>idle");
    EXPECT_EQ(run.tasks()[2].involuntary, 1u);
}

TEST(Channel, WakeBeforeWaitIsKept) {
    Simulation run(scenario_of(
        R"({"name": "p", "program": [{"wake": "ch"}]}, {"name": "c", "program": [{"wait": "ch"}]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    // Times in us: p's wake step takes 2. p's exit, including the switch to c, takes 58. c's wait step is a
    // system call that takes 2 and does not block.
    EXPECT_EQ(run.decisions(), "0 idle>p, 59000 p>c, 119000 c>idle");
    EXPECT_EQ(run.events(TraceKind::wait), "");
}

TEST(Channel, EachWakeEndsOneWait) {
    Simulation run(scenario_of(R"({"name": "p", "program": [{"loop": 3, "steps": [{"wake": "ch"}]}]},
                                  {"name": "c", "program": [{"loop": 4, "steps": [{"wait": "ch"}]}]})"));
    EXPECT_EQ(run.go(), StopReason::deadlock);
    EXPECT_EQ(run.m.globals().nr_tasks, 1u);
    EXPECT_EQ(run.statistics.syscalls, 3u + 1 + 4);  // 3 wakes, 1 exit, 4 waits
}

TEST(Channel, LongestWaiterWakesFirst) {
    Simulation run(scenario_of(R"({"name": "w", "count": 3, "program": [{"wait": "ch"}]},
                                  {"name": "p", "program": [{"loop": 3, "steps": [{"run": "1ms"}, {"wake": "ch"}]}]})",
                               kFree));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.events(TraceKind::wake_up), "1000000 w.1, 2000000 w.2, 3000000 w.3");
}

TEST(Channel, DifferentNamesAreIndependent) {
    Simulation run(scenario_of(
        R"({"name": "w", "program": [{"wait": "x"}]}, {"name": "p", "program": [{"wake": "y"}]})", kFree));
    EXPECT_EQ(run.go(), StopReason::deadlock);
}

// --- fork ---

TEST(Fork, ChildRunsProgramOfTaskGroup) {
    Simulation run(scenario_of(R"({"name": "p", "program": [{"fork": "c"}, {"run": "1ms"}]},
                                  {"name": "c", "count": 0, "program": [{"run": "1ms"}]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    // The name of the child contains its pid: c.2. The child has as many ticks left as its parent, so it
    // runs only after the parent's exit.
    EXPECT_EQ(run.decisions(), "0 idle>p, 1058000 p>c.2, 2116000 c.2>idle");
    EXPECT_EQ(run.events(TraceKind::fork), "56000 c.2");
    EXPECT_EQ(run.tasks()[2].ready.count(), 1'058'000 - 56'000);
    EXPECT_EQ(run.statistics.forks, 1u);
    EXPECT_EQ(run.statistics.exits, 2u);
}

TEST(Fork, HalvesParentCounter) {
    Simulation run(scenario_of(R"({"name": "p", "priority": 31, "program": [{"fork": "c"}, {"run": "1ms"}]},
                                  {"name": "c", "count": 0, "program": [{"run": "1ms"}]})"));
    EXPECT_EQ(run.go(500us), StopReason::until);
    EXPECT_EQ(run.m.counter[1], 15);
    EXPECT_EQ(run.m.counter[2], 15);
    EXPECT_EQ(run.m.priority[2], 31);
}

TEST(Fork, ChildInheritsUnstatedClassAndPriority) {
    Simulation run(scenario_of(
        R"({"name": "p", "class": "rr", "rt_priority": 7, "nice": 5, "program": [{"fork": "c"}, {"fork": "d"}, {"run": "1ms"}]},
           {"name": "c", "count": 0, "program": [{"run": "1ms"}]},
           {"name": "d", "count": 0, "class": "other", "priority": 9, "program": [{"run": "1ms"}]})",
        kFree));
    EXPECT_EQ(run.go(500us), StopReason::until);
    EXPECT_EQ(run.m.sched_class[2], SchedClass::rr);
    EXPECT_EQ(run.m.rt_priority[2], 7);
    EXPECT_EQ(run.m.priority[2], 15);
    EXPECT_EQ(run.m.sched_class[3], SchedClass::other);
    EXPECT_EQ(run.m.rt_priority[3], 0);
    EXPECT_EQ(run.m.priority[3], 9);
}

TEST(Fork, ChildUsesTaskGroupAddressSpace) {
    Simulation run(scenario_of(
        R"({"name": "p", "mm": "x", "program": [{"fork": "own"}, {"fork": "thread"}, {"fork": "kernel"}, {"run": "1ms"}]},
           {"name": "own", "count": 0, "program": [{"run": "1ms"}]},
           {"name": "thread", "count": 0, "mm": "x", "program": [{"run": "1ms"}]},
           {"name": "kernel", "count": 0, "mm": null, "program": [{"run": "1ms"}]})"));
    EXPECT_EQ(run.go(500us), StopReason::until);
    EXPECT_NE(run.m.task[2].mm, run.m.task[1].mm);
    EXPECT_NE(run.m.task[2].mm, kKernelMm);
    EXPECT_EQ(run.m.task[3].mm, run.m.task[1].mm);
    EXPECT_EQ(run.m.task[4].mm, kKernelMm);
}

TEST(Fork, RealTimeChildPreemptsParent) {
    Simulation run(scenario_of(R"({"name": "p", "program": [{"fork": "c"}, {"run": "1ms"}]},
        {"name": "c", "count": 0, "class": "fifo", "rt_priority": 1, "program": [{"run": "1ms"}]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.decisions(), "0 idle>p, 56000 p>c.2, 1115000 c.2>p, 2173000 p>idle");
}

TEST(Fork, ChildrenDrawIndependentTimes) {
    Simulation run(scenario_of(R"({"name": "p", "program": [{"fork": "c"}, {"fork": "c"}]},
                                  {"name": "c", "count": 0, "program": [{"run": {"exponential": "1ms"}}]})",
                               kFree));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_NE(run.tasks()[2].user.count(), run.tasks()[3].user.count());
}

TEST(Fork, ReusesRowsOfExitedTasks) {
    Simulation run(scenario_of(
        R"({"name": "p", "program": [{"loop": 5000, "steps": [{"fork": "c"}, {"arrival": "1us"}]}]},
                                  {"name": "c", "count": 0, "program": []})",
        kFree));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.statistics.forks, 5'000u);
    EXPECT_EQ(run.m.globals().high_row, 3u);
    EXPECT_EQ(run.m.globals().next_pid, 5'002u);
}

// --- exit ---

TEST(Exit, SkipsRemainingProgramSteps) {
    EXPECT_EQ(yields_of(R"("yield", "exit", "yield")"), 1u);
    EXPECT_EQ(yields_of(R"({"loop": 5, "steps": ["yield", "exit"]}, "yield")"), 1u);
}

TEST(Exit, IsImpliedAfterLastProgramStep) {
    Simulation written(scenario_of(R"({"name": "a", "program": [{"run": "1ms"}, "exit"]})"));
    Simulation implied(scenario_of(R"({"name": "a", "program": [{"run": "1ms"}]})"));
    EXPECT_EQ(written.go(), StopReason::all_exited);
    EXPECT_EQ(implied.go(), StopReason::all_exited);
    EXPECT_EQ(written.decisions(), implied.decisions());
    EXPECT_EQ(implied.statistics.exits, 1u);
}

// --- loop ---

TEST(Loop, RepeatsStepsByCount) {
    EXPECT_EQ(yields_of(R"({"loop": 3, "steps": ["yield"]})"), 3u);
    EXPECT_EQ(yields_of(R"({"loop": 1, "steps": ["yield", "yield"]})"), 2u);
    EXPECT_EQ(yields_of(R"({"loop": 4, "steps": ["yield", "yield"]}, "yield")"), 9u);
}

TEST(Loop, ZeroCountSkipsSteps) {
    EXPECT_EQ(yields_of(R"({"loop": 0, "steps": ["yield"]})"), 0u);
    EXPECT_EQ(
        yields_of(R"("yield", {"loop": 0, "steps": ["yield", {"loop": 7, "steps": ["yield"]}]}, "yield")"),
        2u);
}

TEST(Loop, EmptyLoopHasNoEffect) { EXPECT_EQ(yields_of(R"({"loop": 3, "steps": []}, "yield")"), 1u); }

TEST(Loop, NestedCountsMultiply) {
    EXPECT_EQ(yields_of(R"({"loop": 2, "steps": [{"loop": 3, "steps": ["yield"]}]})"), 6u);
    EXPECT_EQ(yields_of(R"({"loop": 2, "steps": ["yield", {"loop": 3, "steps": ["yield"]}, "yield"]})"), 10u);
    EXPECT_EQ(yields_of(R"({"loop": 3, "steps": [{"loop": 0, "steps": ["yield"]}, "yield"]})"), 3u);
    EXPECT_EQ(
        yields_of(
            R"({"loop": 2, "steps": [{"loop": 3, "steps": ["yield"]}, {"loop": 4, "steps": ["yield"]}]})"),
        14u);
}

TEST(Loop, ConsecutiveLoopsCountSeparately) {
    EXPECT_EQ(yields_of(R"({"loop": 2, "steps": ["yield"]}, {"loop": 3, "steps": ["yield"]})"), 5u);
}

TEST(Loop, NestingIsLimitedToSixteenLevels) {
    std::string steps = R"("yield")";
    for (int depth = 0; depth < 16; ++depth) steps = R"({"loop": 2, "steps": [)" + steps + "]}";
    EXPECT_EQ(yields_of(steps), 65'536u);
    EXPECT_THROW(yields_of(R"({"loop": 2, "steps": [)" + steps + "]}"), ScenarioError);
}

TEST(Loop, CountsSeparatelyPerTask) {
    Simulation run(scenario_of(
        R"({"name": "a", "count": 3, "program": [{"loop": 4, "steps": ["yield", {"run": "1us"}]}]})", kFree));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    for (TaskId p = 1; p <= 3; ++p) EXPECT_EQ(run.tasks()[p].yields, 4u);
}

TEST(Loop, ForeverEndsWithTheSimulation) {
    Simulation run(scenario_of(
        R"({"name": "a", "program": [{"loop": "forever", "steps": [{"run": "1ms"}, "yield"]}, "exit"]})",
        kFree));
    EXPECT_EQ(run.go(10ms), StopReason::until);
    EXPECT_EQ(run.statistics.yields, 9u);  // the tenth yield is due at 10 ms, the end of this run
}

TEST(Loop, EndlessLoopRunsLastFiniteLoop) {
    Simulation run(scenario_of(R"({"name": "a", "program": [{"loop": "forever", "steps": [{"run": "1ms"},
        {"loop": 3, "steps": ["yield"]}]}]})",
                               kFree));
    EXPECT_EQ(run.go(10ms), StopReason::until);
    EXPECT_EQ(run.statistics.yields, 27u);
}

TEST(Loop, NestedLoopTimeSatisfiesEndlessLoop) {
    Simulation run(scenario_of(
        R"({"name": "a", "program": [{"loop": "forever", "steps": [{"loop": 2, "steps": [{"run": "100ms"}]}]}]})",
        kFree));
    EXPECT_EQ(run.go(), StopReason::until);
    EXPECT_THROW(
        scenario_of(
            R"({"name": "a", "program": [{"loop": "forever", "steps": [{"loop": 0, "steps": [{"run": "100ms"}]}]}]})",
            kFree),
        ScenarioError);
}

TEST(Loop, EndlessLoopInsideFiniteNeverReturns) {
    Simulation run(
        scenario_of(R"({"name": "a", "program": [{"loop": 2, "steps": ["yield", {"loop": "forever", "steps": [
        {"loop": "forever", "steps": [{"run": "1ms"}, {"arrival": "1ms"}]}, "yield"]}, "yield"]}]})",
                    kFree));
    EXPECT_EQ(run.go(10ms), StopReason::until);
    EXPECT_EQ(run.statistics.yields, 1u);
    EXPECT_EQ(run.tasks()[1].user.count(), 5'000'000);
}

TEST(Loop, EndlessLoopSkipsLastZeroCountLoop) {
    Simulation run(
        scenario_of(R"({"name": "a", "program": [{"loop": "forever", "steps": [{"run": "1ms"}, "yield",
        {"loop": 0, "steps": ["yield"]}]}]})",
                    kFree));
    EXPECT_EQ(run.go(10ms), StopReason::until);
    EXPECT_EQ(run.statistics.yields, 9u);
}

}  // namespace actions_test
}  // namespace sim
