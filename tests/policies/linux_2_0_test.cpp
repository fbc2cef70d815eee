// Rules of the Linux 2.0 scheduler, one per test, on machines with a few tasks.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/kernel_harness.h"

namespace sim {
namespace linux_2_0_test {

using Tasks = std::vector<TaskId>;

struct Kernel : StepwiseKernel {
    explicit Kernel(const char* spec = "linux-2.0", std::uint32_t cpus = 1) : StepwiseKernel(spec, cpus) {}

    TaskId make_fifo(std::int32_t rt_priority, std::int32_t counter = 20) {
        return make(counter, 20, SchedClass::fifo, rt_priority);
    }
    TaskId make_rr(std::int32_t rt_priority, std::int32_t counter = 20, std::int32_t priority = 20) {
        return make(counter, priority, SchedClass::rr, rt_priority);
    }
};

// --- sched_yield() ---

TEST(Linux20, YieldForfeitsTheWholeSlice) {
    Kernel k;
    const TaskId p = k.make(17);
    k.run(p);
    EXPECT_TRUE(k.yield());
    EXPECT_EQ(k.m.counter[p], 0);
}

TEST(Linux20, YieldMovesCallerToQueueEnd) {
    for (const char* spec : {"linux-2.0", "linux-2.0:yield=one_tick", "linux-2.0:yield=move_last_only"}) {
        SCOPED_TRACE(spec);
        Kernel k(spec);
        const TaskId a = k.make(), b = k.make(), c = k.make();
        k.run(a);
        k.yield();
        EXPECT_EQ(k.queue(), (Tasks{b, c, a}));
    }
}

TEST(Linux20, YieldingTaskLosesToAnyRemainingSlice) {
    Kernel k;
    const TaskId a = k.make(39), b = k.make(1);
    k.run(a);
    k.yield();
    EXPECT_EQ(k.schedule().next, b);
}

TEST(Linux20OneTick, YieldCostsOneTick) {
    Kernel k("linux-2.0:yield=one_tick");
    const TaskId p = k.make(17);
    k.run(p);
    EXPECT_TRUE(k.yield());
    EXPECT_EQ(k.m.counter[p], 16);
}

TEST(Linux20OneTick, YieldCostsNothingWithoutSlice) {
    Kernel k("linux-2.0:yield=one_tick");
    const TaskId p = k.make(0);
    k.run(p);
    EXPECT_TRUE(k.yield());
    EXPECT_EQ(k.m.counter[p], 0);
}

TEST(Linux20OneTick, YieldingTaskWithHigherCounterRunsOn) {
    Kernel k("linux-2.0:yield=one_tick");
    const TaskId a = k.make(10), b = k.make(9);
    k.run(a);
    k.yield();  // goodness 9 + 1 (prev)
    EXPECT_EQ(k.queue(), (Tasks{b, a}));
    EXPECT_EQ(k.schedule().next, a);
    k.yield();  // goodness 8 + 1 (prev), equal to b, which is first
    EXPECT_EQ(k.schedule().next, b);
}

TEST(Linux20MoveLastOnly, YieldDoesNotReschedule) {
    Kernel k("linux-2.0:yield=move_last_only");
    const TaskId a = k.make(17);
    k.make(20);
    k.run(a);
    EXPECT_FALSE(k.yield());
    EXPECT_EQ(k.m.counter[a], 17);
}

// --- tick ---

TEST(Linux20, ASliceOf20Lasts21Ticks) {
    Kernel k;
    const TaskId p = k.make(20);
    k.run(p);
    for (int tick = 1; tick <= 20; ++tick) {
        EXPECT_FALSE(k.tick()) << "tick " << tick;
        EXPECT_EQ(k.m.counter[p], 20 - tick);
    }
    EXPECT_TRUE(k.tick());
    EXPECT_EQ(k.m.counter[p], 0);
}

TEST(Linux20, TickAtZeroKeepsCounterZero) {
    Kernel k;
    const TaskId p = k.make(0);
    k.run(p);
    EXPECT_TRUE(k.tick());
    EXPECT_TRUE(k.tick());
    EXPECT_EQ(k.m.counter[p], 0);
}

// --- search ---

TEST(Linux20, TheHighestCounterWins) {
    Kernel k;
    k.make(5);
    const TaskId b = k.make(9);
    k.make(7);
    EXPECT_EQ(k.schedule().next, b);
}

TEST(Linux20, TheFirstOfEqualsWins) {
    Kernel k;
    k.make(5);
    const TaskId b = k.make(9);
    k.make(9);
    EXPECT_EQ(k.schedule().next, b);
}

TEST(Linux20, PriorityIsNotPartOfGoodness) {
    Kernel k;
    k.make(8, 40);
    const TaskId b = k.make(9, 1);
    EXPECT_EQ(k.schedule().next, b);
}

TEST(Linux20, PrevWinsAgainstAnEqualCounter) {
    Kernel k;
    k.make(9);
    const TaskId b = k.make(9);
    k.run(b);
    EXPECT_EQ(k.schedule().next, b);
}

TEST(Linux20, PrevBonusIsOneTick) {
    Kernel k;
    const TaskId a = k.make(9), b = k.make(10);
    k.run(a);
    EXPECT_EQ(k.schedule().next, a);

    Kernel other;
    const TaskId first = other.make(10), second = other.make(9);
    other.run(second);
    EXPECT_EQ(other.schedule().next, first);

    k.m.counter[b] = 11;
    EXPECT_EQ(k.schedule().next, b);
}

TEST(Linux20, PrevWithoutSliceGetsNoBonus) {
    Kernel k;
    k.make(0);
    const TaskId b = k.make(1), c = k.make(0);
    k.run(c);
    EXPECT_EQ(k.schedule().next, b);

    Kernel all_used_up;
    const TaskId first = all_used_up.make(0), last = all_used_up.make(0);
    all_used_up.run(last);
    EXPECT_EQ(all_used_up.schedule().next, first);
}

TEST(Linux20, SearchVisitsEveryQueuedTask) {
    Kernel k;
    for (int i = 0; i < 5; ++i) k.make(20);
    const TaskId sleeper = k.make(39);
    k.run(sleeper);
    EXPECT_EQ(k.schedule().considered, 6u);
    k.sleep(sleeper);
    EXPECT_EQ(k.schedule().considered, 5u);
    EXPECT_EQ(k.schedule().queue_steps, 0u);
}

TEST(Linux20, TheRunningTaskStaysOnTheQueue) {
    Kernel k;
    const TaskId a = k.make(9), b = k.make(5);
    k.schedule();
    EXPECT_EQ(k.queue(), (Tasks{a, b}));
    EXPECT_TRUE(k.policy->keeps_running_task_queued());
}

TEST(Linux20, SleepingTaskLeavesQueue) {
    Kernel k;
    const TaskId a = k.make(39), b = k.make(5);
    k.run(a);
    k.sleep(a);
    EXPECT_EQ(k.schedule().next, b);
    EXPECT_EQ(k.queue(), (Tasks{b}));
    EXPECT_EQ(k.m.task[a].processor, Task::kNoProcessor);
    EXPECT_EQ(k.m.task[b].processor, 0u);
}

TEST(Linux20, EmptyQueueRunsIdleTaskWithoutRecalculation) {
    Kernel k;
    const TaskId a = k.make(0);
    k.run(a);
    k.sleep(a);
    const Decision d = k.schedule();
    EXPECT_EQ(d.next, 0u);
    EXPECT_EQ(d.considered, 0u);
    EXPECT_EQ(d.recalculations, 0u);
    EXPECT_EQ(k.m.counter[a], 0);
    EXPECT_EQ(k.schedule().next, 0u);  // the idle task is also chosen if it is prev
}

TEST(Linux20, WokenTaskGoesToQueueEnd) {
    Kernel k;
    const TaskId a = k.make(), b = k.make(), c = k.make();
    k.run(a);
    k.sleep(a);
    k.schedule();
    k.wake(a);
    EXPECT_EQ(k.queue(), (Tasks{b, c, a}));
}

// --- recalculation ---

TEST(Linux20, RecalculationSetsUsedUpCountersToPriority) {
    Kernel k;
    const TaskId a = k.make(0, 20), b = k.make(0, 7);
    k.run(b);
    const Decision d = k.schedule();
    EXPECT_EQ(d.recalculations, 1u);
    EXPECT_EQ(d.recalculated, 2u);
    EXPECT_EQ(d.considered, 2u);  // the search is not repeated
    EXPECT_EQ(k.m.counter[a], 20);
    EXPECT_EQ(k.m.counter[b], 7);
}

TEST(Linux20, AnyRemainingTickPreventsRecalculation) {
    Kernel k;
    k.make(0);
    const TaskId b = k.make(1);
    const Decision d = k.schedule();
    EXPECT_EQ(d.next, b);
    EXPECT_EQ(d.recalculations, 0u);
    EXPECT_EQ(d.recalculated, 0u);
}

TEST(Linux20, FirstQueuedTaskRunsAfterRecalculation) {
    Kernel k;
    const TaskId low = k.make(0, 1);
    const TaskId high = k.make(0, 40);
    k.run(high);
    EXPECT_EQ(k.schedule().next, low);
    EXPECT_EQ(k.m.counter[low], 1);
    EXPECT_EQ(k.m.counter[high], 40);
    EXPECT_EQ(k.schedule().next, high);  // the next schedule() searches again
}

TEST(Linux20, SleeperKeepsHalfCounterAtRecalculation) {
    Kernel k;
    const TaskId sleeper = k.make(15, 20), a = k.make(0, 20);
    k.run(sleeper);
    k.sleep(sleeper);
    const Decision d = k.schedule();
    EXPECT_EQ(d.next, a);
    EXPECT_EQ(d.recalculated, 2u);  // sleeping tasks are recalculated, too, which costs time
    EXPECT_EQ(k.m.counter[sleeper], 27);
}

TEST(Linux20, SleeperCounterConvergesTo39) {
    Kernel k;
    const TaskId sleeper = k.make(20), worker = k.make(0);
    k.run(sleeper);
    k.sleep(sleeper);
    std::vector<std::int32_t> counters{k.m.counter[sleeper]};
    for (int i = 0; i < 6; ++i) {
        k.m.counter[worker] = 0;
        k.schedule();
        counters.push_back(k.m.counter[sleeper]);
    }
    EXPECT_EQ(counters, (std::vector<std::int32_t>{20, 30, 35, 37, 38, 39, 39}));
}

TEST(Linux20, RecalculationCountsExitingTask) {
    Kernel k;
    const TaskId dying = k.make(0), a = k.make(0);
    k.run(dying);
    const Decision d = k.exit();  // a zombie is still in the task list
    EXPECT_EQ(d.next, a);
    EXPECT_EQ(d.recalculated, 2u);
}

TEST(Linux20, RecalculationSkipsIdleTask) {
    Kernel k;
    k.make(0);
    EXPECT_EQ(k.schedule().recalculations, 1u);
    EXPECT_EQ(k.m.counter[0], -100);
}

TEST(Linux20, RecalculationSkipsFreedRow) {
    Kernel k;
    const TaskId gone = k.make(5), a = k.make(0);
    k.run(gone);
    k.exit();
    k.m.counter[a] = 0;
    EXPECT_EQ(k.schedule().recalculated, 1u);
    EXPECT_EQ(k.m.allocate_task(), gone);
    EXPECT_EQ(k.m.counter[gone], 0);
}

// --- fork and start ---

TEST(Linux20, NewTaskCounterEqualsPriority) {
    Kernel k;
    const TaskId p = k.m.allocate_task();
    k.m.priority[p] = 33;
    k.policy->start(k.m, p);
    EXPECT_EQ(k.m.counter[p], 33);
}

TEST(Linux20, ForkHalvesParentAndChildCounters) {
    Kernel k;
    const TaskId parent = k.make(20);
    k.run(parent);
    for (const std::int32_t half : {10, 5, 2, 1, 0, 0}) {  // if the counter is odd, one tick is lost
        const TaskId child = k.m.allocate_task();
        k.m.priority[child] = 20;
        k.policy->fork(k.m, parent, child);
        EXPECT_EQ(k.m.counter[parent], half);
        EXPECT_EQ(k.m.counter[child], half);
    }
}

// --- wake-ups ---

TEST(Linux20, PreemptionNeedsCounterAboveCurrentPlus3) {
    Kernel k;
    const TaskId current = k.make(10), woken = k.make();
    k.run(current);
    for (const std::int32_t counter : {0, 9, 10, 11, 13}) {
        k.m.counter[woken] = counter;
        EXPECT_FALSE(k.policy->preempts(k.m, woken, current)) << counter;
    }
    for (const std::int32_t counter : {14, 39}) {
        k.m.counter[woken] = counter;
        EXPECT_TRUE(k.policy->preempts(k.m, woken, current)) << counter;
    }
}

TEST(Linux20, WakeUpPreemptionIgnoresPriority) {
    Kernel k;
    const TaskId current = k.make(10, 1), woken = k.make(13, 40);
    EXPECT_FALSE(k.policy->preempts(k.m, woken, current));
}

TEST(Linux20, AnyWakeUpPreemptsTheIdleTask) {
    for (const char* spec : {"linux-2.0", "linux-2.0:rt_wake_preempts=no"}) {
        Kernel k(spec);
        EXPECT_TRUE(k.policy->preempts(k.m, k.make(0, 1), 0));
        EXPECT_TRUE(k.policy->preempts(k.m, k.make_rr(1, 0), 0));
    }
}

TEST(Linux20, RealTimeWakeUpAlwaysPreempts) {
    Kernel k;
    const TaskId current = k.make(20);
    EXPECT_TRUE(k.policy->preempts(k.m, k.make_fifo(1, 0), current));
    EXPECT_TRUE(k.policy->preempts(k.m, k.make_rr(1, 0), current));
    // The following schedule() decides which task runs.
    EXPECT_TRUE(k.policy->preempts(k.m, k.make_fifo(1, 0), k.make_fifo(99, 20)));
}

TEST(Linux20EarlyWakeUp, RealTimeTaskPreemptsByCounterOnly) {
    Kernel k("linux-2.0:rt_wake_preempts=no");
    const TaskId current = k.make(20);
    EXPECT_FALSE(k.policy->preempts(k.m, k.make_fifo(99, 23), current));
    EXPECT_TRUE(k.policy->preempts(k.m, k.make_fifo(1, 24), current));
}

// --- real-time classes ---

TEST(Linux20, RealTimeTasksComeFirst) {
    Kernel k;
    k.make(80, 40);
    const TaskId fifo = k.make_fifo(1, 0);
    EXPECT_EQ(k.schedule().next, fifo);
}

TEST(Linux20, HighestRealTimePriorityWins) {
    Kernel k;
    k.make_fifo(50, 39);
    const TaskId rr = k.make_rr(51, 1);
    k.make_fifo(49, 39);
    EXPECT_EQ(k.schedule().next, rr);
}

TEST(Linux20, FifoTaskWithoutSliceCausesNoRecalculation) {
    Kernel k;
    const TaskId fifo = k.make_fifo(10, 0);
    k.run(fifo);
    EXPECT_TRUE(k.tick());  // the tick requests a reschedule, which has no effect
    const Decision d = k.schedule();
    EXPECT_EQ(d.next, fifo);
    EXPECT_EQ(d.recalculations, 0u);
    EXPECT_EQ(k.m.counter[fifo], 0);
}

TEST(Linux20, ExpiredRrTaskRequeuesWithNewSlice) {
    Kernel k;
    const TaskId a = k.make_rr(10, 0, 15), b = k.make_rr(10), c = k.make(20);
    k.run(a);
    EXPECT_EQ(k.schedule().next, b);
    EXPECT_EQ(k.m.counter[a], 15);
    EXPECT_EQ(k.queue(), (Tasks{b, c, a}));
}

TEST(Linux20, LoneRrTaskRunsOnAfterSlice) {
    Kernel k;
    const TaskId a = k.make_rr(11, 0);
    k.make_rr(10);
    k.run(a);
    EXPECT_EQ(k.schedule().next, a);
    EXPECT_EQ(k.m.counter[a], 20);
}

TEST(Linux20, RrTaskWithSliceKeepsQueuePosition) {
    Kernel k;
    const TaskId a = k.make_rr(10, 1), b = k.make_rr(10);
    k.run(a);
    EXPECT_EQ(k.schedule().next, a);
    EXPECT_EQ(k.queue(), (Tasks{a, b}));
}

TEST(Linux20, FifoTaskWithoutSliceKeepsQueuePosition) {
    Kernel k;
    const TaskId a = k.make_fifo(10, 0), b = k.make_fifo(10);
    k.run(a);
    EXPECT_EQ(k.schedule().next, a);
    EXPECT_EQ(k.queue(), (Tasks{a, b}));
}

TEST(Linux20, QueueOrderBreaksRealTimeTies) {
    Kernel k;
    const TaskId a = k.make_fifo(10), b = k.make_fifo(10);
    k.run(b);
    EXPECT_EQ(k.schedule().next, a);
}

TEST(Linux20, YieldingRrTaskRequeuesWithNewSlice) {
    Kernel k;
    const TaskId a = k.make_rr(10, 17), b = k.make_rr(10, 3);
    k.run(a);
    EXPECT_TRUE(k.yield());
    EXPECT_EQ(k.schedule().next, b);
    EXPECT_EQ(k.m.counter[a], 20);
    EXPECT_EQ(k.queue(), (Tasks{b, a}));
}

TEST(Linux20, FifoYieldServesEqualPriorityOnly) {
    Kernel k;
    const TaskId a = k.make_fifo(10), b = k.make_fifo(10);
    k.make(20);
    k.run(a);
    EXPECT_TRUE(k.yield());
    EXPECT_EQ(k.schedule().next, b);
    EXPECT_EQ(k.m.counter[a], 0);
    k.sleep(b);
    EXPECT_EQ(k.schedule().next, a);
}

// --- decision log ---

TEST(Linux20, LogListsCandidatesWithGoodness) {
    Kernel k;
    const TaskId a = k.make(5), b = k.make(9), c = k.make_fifo(3, 7), d = k.make(30);
    k.run(b);
    DecisionLog log;
    EXPECT_EQ(k.schedule(0, &log).next, c);
    ASSERT_EQ(log.candidates.size(), 4u);
    const Candidate expected[] = {
        {a, 5, 0, 5, true}, {b, 9, 1, 10, true}, {c, 7, 0, 1003, true}, {d, 30, 0, 30, false}};
    for (std::size_t i = 0; i < 4; ++i) {
        SCOPED_TRACE(i);
        EXPECT_EQ(log.candidates[i].task, expected[i].task);
        EXPECT_EQ(log.candidates[i].counter, expected[i].counter);
        EXPECT_EQ(log.candidates[i].bonus, expected[i].bonus);
        EXPECT_EQ(log.candidates[i].goodness, expected[i].goodness);
        EXPECT_EQ(log.candidates[i].best, expected[i].best);
    }
    EXPECT_TRUE(log.counter_changes.empty());
}

TEST(Linux20, LogListsOnlyChangedCounters) {
    Kernel k;
    const TaskId full = k.make(39, 20), a = k.make(0, 20), b = k.make(0, 8);
    k.run(full);
    k.sleep(full);
    DecisionLog log;
    k.schedule(0, &log);
    ASSERT_EQ(log.counter_changes.size(), 2u);  // the log omits a counter of 39, which does not change
    EXPECT_EQ(log.counter_changes[0].task, a);
    EXPECT_EQ(log.counter_changes[0].before, 0);
    EXPECT_EQ(log.counter_changes[0].after, 20);
    EXPECT_EQ(log.counter_changes[1].task, b);
    EXPECT_EQ(log.counter_changes[1].after, 8);
    EXPECT_EQ(k.m.counter[b], 8);
    EXPECT_EQ(log.candidates.size(), 2u);
}

// --- several CPUs ---

TEST(Linux20Smp, TaskOnAnotherCpuIsNotChosen) {
    Kernel k("linux-2.0", 2);
    const TaskId a = k.make(39), b = k.make(5);
    k.run(a, 1);
    const Decision d = k.schedule(0);
    EXPECT_EQ(d.next, b);
    EXPECT_EQ(d.considered, 2u);  // the search visits a, which cannot be chosen
    EXPECT_EQ(k.m.task[b].processor, 0u);
    EXPECT_EQ(k.m.task[a].processor, 1u);
}

TEST(Linux20Smp, CpuIdlesIfAllTasksRunElsewhere) {
    Kernel k("linux-2.0", 2);
    const TaskId a = k.make(0);
    k.run(a, 1);
    const Decision d = k.schedule(0);
    EXPECT_EQ(d.next, 0u);
    EXPECT_EQ(d.recalculations, 0u);
    EXPECT_EQ(k.m.counter[a], 0);
}

TEST(Linux20Smp, LastCpuBonusIs20Ticks) {
    Kernel k("linux-2.0", 2);
    const TaskId elsewhere = k.make(25), here = k.make(6);
    k.m.task[elsewhere].last_processor = 1;
    k.m.task[here].last_processor = 0;
    EXPECT_EQ(k.schedule(0).next, here);  // goodness 26 > 25

    Kernel equal("linux-2.0", 2);
    const TaskId first = equal.make(26), second = equal.make(6);
    equal.m.task[first].last_processor = 1;
    equal.m.task[second].last_processor = 0;
    EXPECT_EQ(equal.schedule(0).next, first);
}

TEST(Linux20Smp, TaskWithoutSliceGetsNoCpuBonus) {
    Kernel k("linux-2.0", 2);
    const TaskId here = k.make(0), elsewhere = k.make(1);
    k.m.task[here].last_processor = 0;
    EXPECT_EQ(k.schedule(0).next, elsewhere);
}

TEST(Linux20Smp, EachCpuHasSeparateIdleTask) {
    Kernel k("linux-2.0", 2);
    const TaskId a = k.make(20);
    k.run(a, 1);
    k.sleep(a);
    EXPECT_EQ(k.schedule(1).next, 1u);
    EXPECT_EQ(k.schedule(0).next, 0u);
}

TEST(Linux20, SingleCpuMachineHasNoCpuBonus) {
    Kernel k;
    const TaskId a = k.make(20), b = k.make(21);
    k.m.task[a].last_processor = 0;
    EXPECT_EQ(k.schedule().next, b);
}

TEST(Linux20, NamesRecordedKernel) {
    EXPECT_EQ(make_policy("linux-2.0").recorded_kernel, "linux-2.0");
    EXPECT_EQ(make_policy("linux-2.0:yield=one_tick").recorded_kernel, "linux-2.0");
    // If a policy models a recorded kernel, its recorded_kernel equals its own name. For other policies it
    // is empty.
    std::size_t recorded = 0;
    for (const PolicyInfo& info : policies()) {
        if (info.recorded_kernel.empty()) continue;
        ++recorded;
        EXPECT_EQ(info.recorded_kernel, info.name);
    }
    EXPECT_GT(recorded, 1u);
    EXPECT_EQ(make_policy("sorted-queue").recorded_kernel, "");
    EXPECT_EQ(make_policy("round-robin").recorded_kernel, "");
}

}  // namespace linux_2_0_test
}  // namespace sim
