// Rules of nt4, one per test.
#include <gtest/gtest.h>

#include "tests/support/kernel_harness.h"

namespace sim {
namespace nt4_test {

using Tasks = std::vector<TaskId>;

TEST(Nt4, QuantumUsesThreeUnitsPerTick) {
    for (const auto& [spec, ticks] :
         {std::pair{"nt4", 12}, std::pair{"nt4:quantum=6", 2}, std::pair{"nt4:quantum=18", 6}}) {
        KernelHarness k(spec);
        const TaskId a = k.make(), b = k.make();
        EXPECT_EQ(k.schedule().next, a);
        EXPECT_EQ(k.tick(100), ticks) << spec;
        EXPECT_EQ(k.current(), b);
    }
}

// "strict round robin, one real switch per call, no growth with the number of threads"
TEST(Nt4, SleepZeroRotatesEqualsAtConstantCost) {
    for (const int n : {2, 8, 30}) {
        KernelHarness k("nt4");
        for (int i = 0; i < n; ++i) k.make();
        k.schedule();
        for (int i = 0; i < 100; ++i) {
            ASSERT_EQ(k.current(), 1u + static_cast<TaskId>(i % n));
            ASSERT_TRUE(k.policy->yield(k.m, k.current()));
            const Decision d = k.schedule();
            ASSERT_EQ(d.considered, 2u);
            ASSERT_EQ(d.queue_steps, 0u);
        }
    }
}

TEST(Nt4, SleepZeroSkipsLowerPriorityByDefault) {
    KernelHarness k("nt4"), later("nt4:yield_to=any");
    for (KernelHarness* kernel : {&k, &later}) {
        kernel->make({.priority = 30});
        kernel->make({.priority = 20});
        kernel->schedule();
    }
    EXPECT_EQ(k.yield(), 1u);
    EXPECT_EQ(later.yield(), 2u);
    EXPECT_EQ(later.queue(), (Tasks{1}));
}

TEST(Nt4, OnlyAHigherPriorityPreempts) {
    KernelHarness k("nt4:boost=0");
    const TaskId a = k.make();
    k.schedule();
    EXPECT_FALSE(k.policy->preempts(k.m, k.make(), a));
    EXPECT_TRUE(k.policy->preempts(k.m, k.make({.priority = 23}), a));
}

// Repeated calls of schedule() choose the same task. Such repeated calls happen if a task yields to a
// second task, but another CPU has taken the second task in the meantime.
TEST(Nt4, RepeatedScheduleKeepsRunningTask) {
    KernelHarness k("nt4");
    const TaskId a = k.make();
    k.make();
    EXPECT_EQ(k.schedule().next, a);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(k.schedule().next, a);
}

TEST(Nt4, PreemptedTaskReturnsToQueueHead) {
    KernelHarness k("nt4");
    const TaskId a = k.make(), b = k.make();
    k.schedule();
    const TaskId high = k.make({.priority = 30});
    EXPECT_EQ(k.schedule().next, high);
    EXPECT_EQ(k.queue(), (Tasks{a, b}));
    EXPECT_EQ(k.block().next, a);
}

TEST(Nt4, ExpiredTaskMovesToQueueEnd) {
    KernelHarness k("nt4:quantum=6");
    const TaskId a = k.make(), b = k.make(), c = k.make();
    k.schedule();
    k.tick(2);
    EXPECT_EQ(k.current(), b);
    EXPECT_EQ(k.queue(), (Tasks{c, a}));
}

TEST(Nt4, WakeUpBoostDecaysWithEachQuantum) {
    KernelHarness k("nt4:boost=2,quantum=6");
    const TaskId a = k.make(), b = k.make();
    k.schedule();
    k.block();
    ASSERT_EQ(k.current(), b);
    EXPECT_TRUE(k.wake(a)) << "priority 10 against 8";
    EXPECT_EQ(k.m.counter[a], 5) << "a wait costs a unit";
    EXPECT_EQ(k.schedule().next, a);
    EXPECT_EQ(k.tick(2), 0) << "9, still above";
    EXPECT_EQ(k.tick(2), 2) << "8, as b";
    EXPECT_EQ(k.current(), b);
}

TEST(Nt4, BoostStaysBelowRealTimePriorities) {
    KernelHarness k("nt4:boost=6");
    const TaskId a = k.make({.priority = 40});
    const TaskId rt = k.make({.sched_class = SchedClass::rr, .rt_priority = 1});
    k.schedule();
    ASSERT_EQ(k.current(), rt);
    k.block();
    ASSERT_EQ(k.current(), a);
    k.block();
    EXPECT_TRUE(k.wake(a));
    EXPECT_EQ(k.schedule().next, a);
    EXPECT_TRUE(k.wake(rt));
}

TEST(Nt4, OnlyRrRealTimeTasksHaveQuantum) {
    for (const SchedClass sched_class : {SchedClass::fifo, SchedClass::rr}) {
        KernelHarness k("nt4:quantum=6");
        const TaskId a = k.make({.sched_class = sched_class, .rt_priority = 10});
        const TaskId b = k.make({.sched_class = sched_class, .rt_priority = 10});
        k.schedule();
        ASSERT_EQ(k.current(), a);
        const bool is_rr = sched_class == SchedClass::rr;
        EXPECT_EQ(k.tick(100), is_rr ? 2 : 0);
        EXPECT_EQ(k.current(), is_rr ? b : a);
    }
}

// Levels 1 to 15 and 16 to 31, read from the goodness in the decision log.
TEST(Nt4, LinuxPrioritiesMapToNtLevels) {
    const auto level = [](const KernelHarness::Spec& spec) {
        KernelHarness k("nt4");
        k.make(spec);
        DecisionLog log;
        k.schedule(0, &log);
        return log.candidates.at(0).goodness;
    };
    const auto of_other = [&](std::int32_t priority) { return level({.priority = priority}); };
    for (const auto& [priority, expected] : {std::pair{1, 1},
                                             {2, 1},
                                             {4, 1},
                                             {5, 2},
                                             {7, 2},
                                             {8, 3},
                                             {19, 7},
                                             {20, 8},
                                             {22, 8},
                                             {23, 9},
                                             {37, 14},
                                             {38, 15},
                                             {40, 15}})
        EXPECT_EQ(of_other(priority), expected) << priority;
    for (const SchedClass sched_class : {SchedClass::fifo, SchedClass::rr})
        for (const auto& [priority, expected] :
             {std::pair{0, 16}, {1, 16}, {6, 16}, {7, 17}, {50, 23}, {92, 29}, {93, 30}, {98, 30}, {99, 31}})
            EXPECT_EQ(level({.sched_class = sched_class, .rt_priority = priority}), expected) << priority;
}

TEST(Nt4, LowerPriorityTaskStarves) {
    KernelHarness k("nt4");
    const TaskId high = k.make({.priority = 30});
    k.make({.priority = 20});
    k.schedule();
    EXPECT_EQ(k.tick(1000), 0);
    EXPECT_EQ(k.current(), high);
}

TEST(Nt4, QueueIsSortedByPriority) {
    KernelHarness k("nt4");
    const TaskId a = k.make({.priority = 10}), b = k.make({.priority = 30}), c = k.make(),
                 d = k.make({.priority = 30});
    EXPECT_EQ(k.queue(), (Tasks{b, d, c, a}));
}

}  // namespace nt4_test
}  // namespace sim
