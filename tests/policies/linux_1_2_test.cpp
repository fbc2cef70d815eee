// Rules in which Linux 1.2 differs from 2.0, one per test.
#include <gtest/gtest.h>

#include "tests/support/kernel_harness.h"

namespace sim {
namespace linux_1_2_test {

TEST(Linux12, SearchVisitsSleepingTasks) {
    KernelHarness k("linux-1.2");
    for (int i = 0; i < 10; ++i) k.make();
    k.schedule();
    for (int i = 0; i < 7; ++i) k.block();
    DecisionLog log;
    EXPECT_EQ(k.schedule(0, &log).considered, 10u);
    int asleep = 0;
    for (const Candidate& c : log.candidates) asleep += c.remark == CandidateRemark::asleep ? 1 : 0;
    EXPECT_EQ(asleep, 7);
}

TEST(Linux12, TheRunningTaskHasNoBonus) {
    KernelHarness k("linux-1.2");
    const TaskId a = k.make({.counter = 9}), b = k.make({.counter = 10});
    EXPECT_EQ(k.schedule().next, b);
    k.m.counter[b] = 9;
    EXPECT_EQ(k.schedule().next, a);
}

TEST(Linux12, OldestOfEqualTasksRuns) {
    KernelHarness k("linux-1.2");
    const TaskId a = k.make({.counter = 9});
    k.make({.counter = 9});
    EXPECT_EQ(k.schedule().next, a);
    k.block();
    k.wake(a);
    EXPECT_EQ(k.schedule().next, a);
}

TEST(Linux12, CreationOrderBreaksTiesNotRowOrder) {
    KernelHarness k("linux-1.2");
    const TaskId a = k.make({.counter = 9}), b = k.make({.counter = 5});
    k.schedule();
    k.exit();
    ASSERT_EQ(k.current(), b);
    EXPECT_EQ(k.make({.counter = 5}), a) << "the row is used again";
    EXPECT_EQ(k.schedule().next, b);
}

TEST(Linux12, ASliceOf20Lasts20Ticks) {
    KernelHarness k("linux-1.2");
    k.make();
    k.schedule();
    EXPECT_EQ(k.tick(100), 20);
}

TEST(Linux12, ForkLeavesParentCounterUnchanged) {
    KernelHarness k("linux-1.2");
    const TaskId parent = k.make({.counter = 15});
    k.schedule();
    const TaskId child = k.fork();
    EXPECT_EQ(k.m.counter[parent], 15);
    EXPECT_EQ(k.m.counter[child], 7);
}

TEST(Linux12, IgnoresYieldAndRealTimeClasses) {
    KernelHarness k("linux-1.2");
    const TaskId a = k.make({.counter = 10});
    k.make({.counter = 9, .sched_class = SchedClass::fifo, .rt_priority = 50});
    EXPECT_EQ(k.schedule().next, a);
    EXPECT_FALSE(k.policy->yield(k.m, a));
    EXPECT_EQ(k.m.counter[a], 10);
}

}  // namespace linux_1_2_test
}  // namespace sim
