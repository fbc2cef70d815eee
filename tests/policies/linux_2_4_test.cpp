// Rules in which Linux 2.4 differs from 2.2, and 2.4.0 from 2.4.22, one per test.
#include <gtest/gtest.h>

#include <map>

#include "sim/explain/explain.h"
#include "tests/support/kernel_harness.h"

namespace sim {
namespace linux_2_4_test {

using Tasks = std::vector<TaskId>;
constexpr const char* kBoth[] = {"linux-2.4.0", "linux-2.4.22"};

TEST(Linux24, ASliceIs60Milliseconds) {
    for (const char* spec : kBoth) {
        KernelHarness k(spec);
        const TaskId p = k.make();
        k.schedule();
        EXPECT_EQ(k.m.counter[p], 6);
        EXPECT_EQ(k.tick(100), 6) << "and not one tick later, as before";
    }
}

TEST(Linux24, NiceMapsToOneToElevenTicks) {
    KernelHarness k("linux-2.4.22");
    const std::map<std::int32_t, std::int32_t> ticks{{40, 11}, {30, 8}, {21, 6}, {20, 6},
                                                     {19, 5},  {10, 3}, {1, 1}};
    for (const auto& [priority, expected] : ticks)
        EXPECT_EQ(k.m.counter[k.make({.priority = priority})], expected) << priority;
}

TEST(Linux24, SearchRestartsAfterRecalculation) {
    for (const char* spec : kBoth) {
        KernelHarness k(spec);
        const TaskId high = k.make({.counter = 0, .priority = 30}),
                     low = k.make({.counter = 0, .priority = 10});
        const TaskId last = k.make({.counter = 0, .priority = 5});
        DecisionLog log;
        const Decision d = k.schedule(0, &log);
        EXPECT_EQ(d.next, high) << "where 2.0 takes the first of the queue";
        EXPECT_EQ(d.considered, 6u);
        EXPECT_EQ(log.searched_before, 3u);
        EXPECT_EQ(log.last_search().size(), 3u);
        EXPECT_EQ(k.m.counter[low], 3);
        EXPECT_EQ(k.m.counter[last], 2);
    }
}

TEST(Linux24, PrevWinsTiesOnlyIn240) {
    KernelHarness old("linux-2.4.0"), later("linux-2.4.22");
    for (KernelHarness* k : {&old, &later}) {
        k->make({.counter = 5});
        k->make({.counter = 5});
        k->schedule();
    }
    ASSERT_EQ(old.current(), 2u);  // new tasks are inserted at the head
    const TaskId child = old.fork();
    old.m.counter[child] = old.m.counter[2] = 5;
    EXPECT_EQ(old.queue().front(), child);
    EXPECT_EQ(old.schedule().next, 2u);
    ASSERT_EQ(later.current(), 1u);
    EXPECT_EQ(later.yield(), 2u);
    EXPECT_EQ(later.queue(), (Tasks{2, 1}));
    later.m.counter[1] = later.m.counter[2] = 5;
    EXPECT_EQ(later.schedule().next, 2u);
}

TEST(Linux24, YieldIn240KeepsCallerQueuePosition) {
    KernelHarness k("linux-2.4.0");
    const TaskId a = k.make(), b = k.make();
    k.schedule();
    ASSERT_EQ(k.current(), b);
    EXPECT_EQ(k.yield(), a);
    EXPECT_EQ(k.queue(), (Tasks{b, a}));
}

TEST(Linux24, LoneYieldReschedulesOnlyWithOption) {
    for (const char* spec : kBoth) {
        KernelHarness k(spec);
        const TaskId p = k.make();
        k.schedule();
        EXPECT_FALSE(k.policy->yield(k.m, p));
        KernelHarness recorded(std::string(spec) + ":lone_yield=schedules");
        const TaskId q = recorded.make();
        recorded.schedule();
        EXPECT_TRUE(recorded.policy->yield(recorded.m, q));
    }
}

// Two yielding threads keep all other tasks from running until ticks have lowered their counters.
TEST(Linux24, YieldingThreadsStarveOtherAddressSpace) {
    for (const char* spec : kBoth) {
        KernelHarness k(spec);
        const TaskId other = k.make({.mm = 2});
        const TaskId a = k.make({.mm = 1}), b = k.make({.mm = 1});
        k.m.counter[other] = 5;
        k.schedule();
        for (int i = 0; i < 1000; ++i) {
            const TaskId next = k.yield();
            ASSERT_TRUE(next == a || next == b);
        }
        k.tick(20);
        k.m.counter[a] = k.m.counter[b] = 3;
        EXPECT_EQ(k.yield(), other);
    }
}

TEST(Linux24, ActiveMmFollowsRunningTask) {
    for (const char* spec : kBoth) {
        KernelHarness k(spec);
        const TaskId stranger = k.make({.counter = 5, .mm = 2}), a = k.make({.counter = 5, .mm = 1});
        const TaskId thread = k.make({.counter = 5, .mm = kKernelMm});
        while (k.current() != a) k.current() == 0 ? k.schedule() : k.block();
        for (const TaskId p : {stranger, thread})
            if (k.m.task[p].state == TaskState::runnable) {
                k.m.task[p].state = TaskState::waiting;
                --k.m.globals().nr_running;
                k.schedule();
            }
        EXPECT_EQ(k.m.cpu(0).active_mm, 1u);
    }
}

// The idle task and a kernel thread borrow the address space of a, even one after the other.
TEST(Linux24, BorrowedMmSurvivesIdleAndKernelThread) {
    for (const char* spec : kBoth) {
        KernelHarness k(spec);
        const TaskId a = k.make({.counter = 5, .mm = 1});
        EXPECT_EQ(k.schedule().next, a);
        EXPECT_EQ(k.m.cpu(0).active_mm, 1u);
        EXPECT_EQ(k.block().next, 0u);
        EXPECT_EQ(k.m.cpu(0).active_mm, 1u) << "idle";
        const TaskId thread = k.make({.counter = 5, .mm = kKernelMm});
        EXPECT_EQ(k.schedule().next, thread);
        EXPECT_EQ(k.m.cpu(0).active_mm, 1u) << "kernel thread";
        EXPECT_EQ(k.block().next, 0u);
        EXPECT_EQ(k.m.cpu(0).active_mm, 1u) << "idle again";
        const TaskId other = k.make({.counter = 5, .mm = 2});
        EXPECT_EQ(k.schedule().next, other);
        EXPECT_EQ(k.m.cpu(0).active_mm, 2u);
        EXPECT_EQ(k.block().next, 0u);
        EXPECT_EQ(k.m.cpu(0).active_mm, 2u);
    }
}

TEST(Linux24, AWakeUpPreemptsByGoodness) {
    for (const char* spec : kBoth) {
        KernelHarness k(spec);
        const bool later = std::string_view(spec) == "linux-2.4.22";
        const TaskId running = k.make({.counter = 5, .mm = 1});
        k.schedule();
        const TaskId woken = k.make({.counter = 5, .mm = 1});
        const auto preempts_with = [&](std::int32_t counter) {
            k.m.counter[woken] = counter;
            return k.policy->preempts(k.m, woken, running);
        };
        EXPECT_FALSE(preempts_with(5));
        EXPECT_EQ(preempts_with(6), later) << "one more is enough since some 2.4";
        EXPECT_TRUE(preempts_with(7));
        k.m.priority[running] = 10;
        EXPECT_TRUE(preempts_with(5)) << "priority counts";
    }
}

TEST(Linux24, ExitRefundsForkedTicksUpTo20) {
    for (const char* spec : kBoth) {
        KernelHarness k(spec);
        const TaskId parent = k.make({.counter = 5});
        k.schedule();
        const TaskId child = k.fork();
        EXPECT_EQ(k.m.counter[parent], 2);
        EXPECT_EQ(k.m.counter[child], 3);
        k.m.counter[parent] = 4;
        k.m.counter[child] = 9;
        while (k.current() != child) k.yield();
        k.exit();
        EXPECT_EQ(k.m.counter[parent], 13);
        const TaskId second = k.fork();
        k.m.counter[second] = 19;
        while (k.current() != second) k.yield();
        k.exit();
        EXPECT_EQ(k.m.counter[parent], 20);
    }
}

TEST(Linux24, OrphanTicksAreNotRefunded) {
    KernelHarness k("linux-2.4.22");
    k.make({.counter = 10});
    k.schedule();
    const TaskId child = k.fork();
    k.exit();
    const TaskId stranger = k.make({.counter = 1});  // reuses the row of the parent
    ASSERT_EQ(stranger, 1u);
    ASSERT_EQ(k.current(), child);
    k.exit();
    EXPECT_EQ(k.m.counter[stranger], 1);
}

TEST(Linux24, ForkReschedulesParentWithoutTicks) {
    KernelHarness k("linux-2.4.0");
    k.make({.counter = 1});
    k.schedule();
    k.fork();
    EXPECT_TRUE(k.m.cpu(0).need_resched);
}

TEST(Linux24, TickNeverReschedulesFifoTaskIn2422) {
    for (const char* spec : kBoth) {
        KernelHarness k(spec);
        k.make({.counter = 1, .sched_class = SchedClass::fifo, .rt_priority = 3});
        k.schedule();
        EXPECT_EQ(k.tick(), std::string_view(spec) == "linux-2.4.0" ? 1 : 0);
        EXPECT_EQ(k.m.counter[1], 0);
    }
}

TEST(Linux24, ExplanationReportsSecondSearch) {
    KernelHarness k("linux-2.4.22");
    k.make({.counter = 0});
    k.make({.counter = 0});
    DecisionLog log;
    const Decision d = k.schedule(0, &log);
    log.decision = d;
    const TaskNamer name = [](TaskId p) { return std::string(1, static_cast<char>('@' + p)); };
    EXPECT_EQ(why_winner_won(log, make_policy("linux-2.4.22"), name),
              "No slice was left: the counters of both tasks are recalculated, and the search starts again. "
              "A runs: its goodness 26 is the highest (B has the same goodness, but A is first in the "
              "queue), including 20 for its priority.");
}

TEST(Linux24Smp, LastCpuBonusIs15Ticks) {
    for (const char* spec : kBoth) {
        KernelHarness k(spec, 2);
        const TaskId here = k.make({.counter = 2}), elsewhere = k.make({.counter = 16});
        k.m.task[here].last_processor = 0;
        k.m.task[elsewhere].last_processor = 1;
        EXPECT_EQ(k.schedule(0).next, here);
        EXPECT_EQ(k.schedule(1).next, elsewhere);
    }
}

}  // namespace linux_2_4_test
}  // namespace sim
