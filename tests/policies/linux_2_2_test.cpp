// Rules in which Linux 2.2 differs from 2.0, one per test.
#include <gtest/gtest.h>

#include "tests/support/kernel_harness.h"

namespace sim {
namespace linux_2_2_test {

using Tasks = std::vector<TaskId>;

TEST(Linux22, ASliceOf20Lasts21Ticks) {
    KernelHarness k("linux-2.2");
    k.make();
    k.schedule();
    EXPECT_EQ(k.tick(100), 21);
}

TEST(Linux22, WokenTaskGoesToQueueHead) {
    KernelHarness k("linux-2.2");
    const TaskId a = k.make(), b = k.make(), c = k.make();
    EXPECT_EQ(k.queue(), (Tasks{c, b, a}));
}

TEST(Linux22, PriorityIsPartOfGoodness) {
    KernelHarness k("linux-2.2");
    const TaskId high = k.make({.counter = 5, .priority = 30});
    k.make({.counter = 14, .priority = 20});
    EXPECT_EQ(k.schedule().next, high);
}

TEST(Linux22, SameAddressSpaceBonusIsOneTick) {
    KernelHarness k("linux-2.2");
    const TaskId sibling = k.make({.counter = 10, .mm = 7}), running = k.make({.counter = 30, .mm = 7});
    const TaskId stranger = k.make({.counter = 10, .mm = 8});
    EXPECT_EQ(k.schedule().next, running);
    EXPECT_EQ(k.block().next, sibling);  // goodness 31 > 30, although it is later in the queue
    EXPECT_EQ(k.block().next, stranger);
}

TEST(Linux22, ExitingTaskGivesNoAddressSpaceBonus) {
    KernelHarness k("linux-2.2");
    k.make({.counter = 10, .mm = 7});
    const TaskId running = k.make({.counter = 30, .mm = 7}), stranger = k.make({.counter = 10, .mm = 8});
    EXPECT_EQ(k.schedule().next, running);
    EXPECT_EQ(k.exit().next, stranger);  // first in the queue
}

TEST(Linux22, YieldKeepsCounterAndSkipsOneDecision) {
    KernelHarness k("linux-2.2");
    const TaskId a = k.make({.counter = 3}), b = k.make({.counter = 39});
    EXPECT_EQ(k.schedule().next, b);
    EXPECT_EQ(k.yield(), a);
    EXPECT_EQ(k.m.counter[b], 39);
    EXPECT_EQ(k.queue(), (Tasks{a, b}));
    EXPECT_EQ(k.schedule().next, b);
}

TEST(Linux22, YieldToTasksWithoutSliceRecalculates) {
    KernelHarness k("linux-2.2");
    k.make({.counter = 0});
    const TaskId b = k.make({.counter = 20});
    k.schedule();
    ASSERT_EQ(k.current(), b);
    k.policy->yield(k.m, b);
    const Decision d = k.schedule();
    EXPECT_EQ(d.recalculations, 1u);
    EXPECT_EQ(k.m.counter[b], 30) << "half of what it had, and its priority";
}

TEST(Linux22, YieldWithPrevGoodnessKeepsCaller) {
    KernelHarness k("linux-2.2:prev_goodness=yes");
    k.make({.counter = 3});
    const TaskId b = k.make({.counter = 39});
    k.schedule();
    EXPECT_EQ(k.yield(), b) << "the walk weighs it again, without its mark";
}

TEST(Linux22, RealTimeYieldOnlyChangesQueuePosition) {
    KernelHarness k("linux-2.2");
    const KernelHarness::Spec rr{.sched_class = SchedClass::rr, .rt_priority = 5};
    const TaskId a = k.make(rr), b = k.make(rr);
    EXPECT_EQ(k.schedule().next, b);
    EXPECT_EQ(k.yield(), a);
    EXPECT_EQ(k.m.counter[b], 20);
}

TEST(Linux22, ForkHalvesCountersWithoutRefundAtExit) {
    KernelHarness k("linux-2.2");
    const TaskId parent = k.make({.counter = 15});
    k.schedule();
    const TaskId child = k.fork();
    EXPECT_EQ(k.m.counter[parent], 7);
    EXPECT_EQ(k.m.counter[child], 7);
    k.block();
    ASSERT_EQ(k.current(), child);
    k.exit();
    EXPECT_EQ(k.m.counter[parent], 7);
}

TEST(Linux22Smp, LastCpuBonusIs15Ticks) {
    KernelHarness k("linux-2.2", 2);
    const TaskId here = k.make({.counter = 6, .mm = 1}), elsewhere = k.make({.counter = 20, .mm = 1});
    const TaskId runs = k.make({.counter = 39, .mm = 1});
    k.m.task[here].last_processor = 0;
    k.m.task[elsewhere].last_processor = 1;
    k.m.set_running_task(runs, 1);
    k.m.cpu(1).current = runs;
    EXPECT_EQ(k.schedule(0).next, here);  // goodness 21 > 20
}

}  // namespace linux_2_2_test
}  // namespace sim
