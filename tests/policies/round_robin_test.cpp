#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/kernel_harness.h"

namespace sim {
namespace round_robin_test {

using Tasks = std::vector<TaskId>;

struct Kernel : StepwiseKernel {
    explicit Kernel(const char* spec = "round-robin", std::uint32_t cpus = 1) : StepwiseKernel(spec, cpus) {}

    TaskId make(std::int32_t priority = 20, SchedClass sched_class = SchedClass::other) {
        return KernelHarness::make({.priority = priority, .sched_class = sched_class});
    }
    TaskId schedule(CpuId cpu = 0) {
        last = KernelHarness::schedule(cpu);
        return last.next;
    }

    // Number of ticks until the running task must give up the CPU.
    int ticks_left() {
        int ticks = 1;
        while (!tick()) ++ticks;
        return ticks;
    }

    Decision last;
};

TEST(RoundRobin, TasksRunInArrivalOrder) {
    Kernel k;
    const TaskId a = k.make(), b = k.make(), c = k.make();
    Tasks turns{k.schedule()};
    for (int i = 0; i < 5; ++i) {
        k.ticks_left();
        turns.push_back(k.schedule());
    }
    EXPECT_EQ(turns, (Tasks{a, b, c, a, b, c}));
}

TEST(RoundRobin, QuantumOf20LastsExactly20Ticks) {
    Kernel k;
    k.make();
    k.schedule();
    EXPECT_EQ(k.ticks_left(), 20);
    EXPECT_EQ(k.ticks_left(), 20);
}

TEST(RoundRobin, QuantumOptionSetsTicks) {
    Kernel k("round-robin:quantum=3");
    k.make();
    k.schedule();
    EXPECT_EQ(k.ticks_left(), 3);

    Kernel one("round-robin:quantum=1");
    one.make();
    one.schedule();
    EXPECT_TRUE(one.tick());
}

TEST(RoundRobin, RunningTaskKeepsCpuDuringQuantum) {
    Kernel k;
    const TaskId a = k.make();
    k.make();
    EXPECT_EQ(k.schedule(), a);
    k.tick();
    EXPECT_EQ(k.schedule(), a);
}

TEST(RoundRobin, YieldEndsTheTurn) {
    Kernel k;
    const TaskId a = k.make(), b = k.make();
    k.schedule();
    k.tick();
    EXPECT_TRUE(k.yield());
    EXPECT_EQ(k.schedule(), b);
    EXPECT_TRUE(k.yield());
    EXPECT_EQ(k.schedule(), a);
    EXPECT_EQ(k.ticks_left(), 20);  // with a full quantum
}

TEST(RoundRobin, LoneTaskGetsConsecutiveTurns) {
    Kernel k;
    const TaskId a = k.make();
    k.schedule();
    EXPECT_TRUE(k.yield());
    EXPECT_EQ(k.schedule(), a);
    EXPECT_EQ(k.ticks_left(), 20);
    EXPECT_EQ(k.schedule(), a);
}

TEST(RoundRobin, WokenTaskQueuesLastWithFullQuantum) {
    Kernel k;
    const TaskId a = k.make(), b = k.make(), c = k.make();
    k.schedule();
    k.tick();
    k.sleep(k.current());
    EXPECT_EQ(k.schedule(), b);
    k.wake(a);
    k.yield();
    EXPECT_EQ(k.schedule(), c);
    k.yield();
    EXPECT_EQ(k.schedule(), a);
    EXPECT_EQ(k.ticks_left(), 20);
}

TEST(RoundRobin, WakeUpPreemptsOnlyIdleTask) {
    Kernel k;
    const TaskId a = k.make(), b = k.make(40, SchedClass::fifo);
    EXPECT_FALSE(k.policy->preempts(k.m, b, a));
    EXPECT_TRUE(k.policy->preempts(k.m, b, 0));
}

TEST(RoundRobin, PrioritiesAndClassesAreIgnored) {
    Kernel k;
    const TaskId a = k.make(1);
    k.make(40, SchedClass::fifo);
    EXPECT_EQ(k.schedule(), a);
    EXPECT_EQ(k.ticks_left(), 20);
}

TEST(RoundRobin, ForkGivesChildSeparateFullQuantum) {
    Kernel k;
    const TaskId parent = k.make();
    k.schedule();
    k.tick();
    const TaskId child = k.m.allocate_task();
    k.policy->fork(k.m, parent, child);
    k.wake(child);
    EXPECT_EQ(k.m.counter[child], 20);
    EXPECT_EQ(k.ticks_left(), 19);
    EXPECT_EQ(k.schedule(), child);
}

TEST(RoundRobin, DecisionConsidersOneTask) {
    Kernel k;
    for (int i = 0; i < 6; ++i) k.make();
    k.schedule();
    EXPECT_EQ(k.last.considered, 1u);
    k.yield();
    k.schedule();
    EXPECT_EQ(k.last.considered, 1u);
    EXPECT_EQ(k.last.recalculations, 0u);
    EXPECT_EQ(k.last.queue_steps, 0u);
}

TEST(RoundRobin, EmptyQueueRunsIdleTask) {
    Kernel k;
    k.make();
    k.schedule();
    k.sleep(k.current());
    EXPECT_EQ(k.schedule(), 0u);
    EXPECT_EQ(k.last.considered, 0u);
}

TEST(RoundRobin, TaskOnAnotherCpuIsSkipped) {
    Kernel k("round-robin", 2);
    const TaskId a = k.make(), b = k.make();
    EXPECT_EQ(k.schedule(1), a);
    EXPECT_EQ(k.schedule(0), b);
    EXPECT_EQ(k.last.considered, 2u);
    EXPECT_EQ(k.m.task[a].processor, 1u);
}

TEST(RoundRobin, HasNoRecordedKernel) {
    const NamedPolicy policy = make_policy("round-robin");
    EXPECT_EQ(policy.recorded_kernel, "");
    EXPECT_EQ(policy.criterion, "turn");
}

}  // namespace round_robin_test
}  // namespace sim
