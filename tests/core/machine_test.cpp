#include "sim/core/machine.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "sim/core/decision.h"
#include "sim/core/run_queue.h"
#include "sim/core/wait_table.h"

namespace sim {
namespace machine_test {

constexpr MachineShape kShape{.cpus = 1, .tasks = 4, .channels = 2, .loop_depth = 2};

// A machine with two runnable tasks, one sleeping and one waiting task.
Machine busy_machine() {
    Machine m(kShape);
    for (int i = 0; i < 4; ++i) {
        const TaskId p = m.allocate_task();
        m.priority[p] = m.counter[p] = 20;
    }
    RunQueue(m).add_last(1);
    RunQueue(m).add_last(2);
    m.task[3].state = TaskState::interruptible;
    m.task[3].wake_at = 5ms;
    m.events().push(EventQueue::key(5ms, 3));
    enqueue_waiter(m, 1, 4);
    m.globals().nr_running = 2;
    return m;
}

TEST(Machine, AnEmptyMachineIdlesAtTimeZero) {
    const Machine m({.cpus = 2, .tasks = 3});
    EXPECT_EQ(m.globals().now.count(), 0);
    EXPECT_EQ(m.globals().nr_tasks, 0u);
    EXPECT_EQ(m.globals().nr_running, 0u);
    EXPECT_FALSE(m.globals().is_stopped);
    for (CpuId c = 0; c < 2; ++c) {
        EXPECT_EQ(m.cpu(c).current, c);
        EXPECT_TRUE(m.is_idle_task(c));
        EXPECT_TRUE(m.is_live(c));
        EXPECT_EQ(m.counter[c], -100);  // so low that any woken task preempts the idle task
        EXPECT_EQ(m.task[c].processor, c);
        EXPECT_EQ(m.task[c].mm, kKernelMm);
        EXPECT_EQ(m.next_run[c], c);
        EXPECT_FALSE(m.cpu(c).need_resched);
        EXPECT_EQ(m.cpu(c).deadline.count(), kHorizon.count());
    }
    EXPECT_EQ(m.first_task(), 2u);
    EXPECT_FALSE(m.is_idle_task(2));
    for (TaskId p = 2; p < 5; ++p) EXPECT_FALSE(m.is_live(p));
}

// Columns have elements of 1 to 64 bytes and occupy whole cache lines. For every length, no column overlaps
// the next column.
TEST(Machine, ColumnsDoNotOverlapForAnyLength) {
    for (std::uint32_t tasks = 1; tasks <= 130; ++tasks) {
        SCOPED_TRACE(tasks);
        Machine m({.cpus = 2, .tasks = tasks, .channels = 1, .loop_depth = 1, .mms = 3, .recent = 2});
        const std::uint32_t rows = tasks + 2;
        for (TaskId p = 0; p < rows; ++p) {
            m.counter[p] = 1;
            m.priority[p] = 2;
            m.next_run[p] = 3;
            m.prev_run[p] = 4;
            m.sched_class[p] = SchedClass::rr;
            m.rt_priority[p] = 5;
            m.sequence[p] = 6;
            m.task[p].pid = 7;
            m.task[p].state = TaskState::waiting;
            m.cpus_allowed[p] = 8;
            m.resident_on[p] = 9;
            m.parent[p] = {10, 11};
        }
        for (TaskId p = 0; p < rows; ++p) {
            ASSERT_EQ(m.counter[p], 1);
            ASSERT_EQ(m.priority[p], 2);
            ASSERT_EQ(m.next_run[p], 3u);
            ASSERT_EQ(m.prev_run[p], 4u);
            ASSERT_EQ(m.sched_class[p], SchedClass::rr);
            ASSERT_EQ(m.rt_priority[p], 5);
            ASSERT_EQ(m.sequence[p], 6u);
            ASSERT_EQ(m.task[p].pid, 7u);
            ASSERT_EQ(m.task[p].state, TaskState::waiting);
            ASSERT_EQ(m.cpus_allowed[p], 8u);
            ASSERT_EQ(m.resident_on[p], 9u);
            ASSERT_EQ(m.parent[p].row, 10u);
            ASSERT_EQ(m.parent[p].pid, 11u);
        }
    }
}

TEST(Machine, EmptyRowHasNoQueueOrCpu) {
    const Machine m({.cpus = 2, .tasks = 2, .recent = 1});
    for (TaskId p = 2; p < 4; ++p) {
        EXPECT_EQ(m.next_run[p], kNoTask);
        EXPECT_EQ(m.prev_run[p], kNoTask);
        EXPECT_EQ(m.task[p].processor, Task::kNoProcessor);
    }
    for (TaskId p = 0; p < 4; ++p) {
        EXPECT_EQ(m.task[p].last_processor, p < 2 ? p : Task::kNoProcessor);
        EXPECT_EQ(m.task[p].waiting_on, kNoChannel);
        EXPECT_EQ(m.cpus_allowed[p], ~std::uint64_t{0});
        EXPECT_EQ(m.resident_on[p], Task::kNoProcessor);
    }
}

TEST(Machine, BytesAreSumOfParts) {
    const auto lines = [](std::size_t bytes) { return (bytes + 63) / 64 * 64; };
    for (const std::uint32_t tasks : {1u, 14u, 62u, 1'000u}) {
        const std::size_t rows = tasks + 2;
        const Machine m({.cpus = 2, .tasks = tasks, .channels = 3, .loop_depth = 2, .mms = 5, .recent = 4});
        const std::size_t parts = lines(sizeof(Globals)) + lines(2 * sizeof(Cpu)) +
                                  lines(3 * sizeof(Channel)) + lines(rows * 2 * sizeof(std::uint32_t)) +
                                  lines(5 * sizeof(Mm)) + lines(8 * sizeof(RecentTask));
        const std::size_t of_4_bytes = 5 * lines(rows * 4), of_8_bytes = 3 * lines(rows * 8);
        const std::size_t columns = of_4_bytes + of_8_bytes + lines(rows) + lines(rows * 2) + rows * 64;
        // The remaining bytes are the timers.
        const std::size_t timers = m.bytes() - parts - columns;
        EXPECT_EQ(timers,
                  lines(EventQueue::node_count(static_cast<std::uint32_t>(rows)) * sizeof(std::uint64_t)))
            << tasks;
    }
}

TEST(DecisionLog, ClearRemovesPreviousDecision) {
    DecisionLog log;
    log.prev_renewed = log.prev_first = true;
    log.searched_before = 3;
    log.candidates.resize(1);
    log.counter_changes.resize(1);
    log.insertions.resize(1);
    log.decision.considered = 7;
    log.clear();
    EXPECT_FALSE(log.prev_renewed || log.prev_first);
    EXPECT_EQ(
        log.searched_before + log.candidates.size() + log.counter_changes.size() + log.insertions.size(), 0u);
    EXPECT_EQ(log.decision.considered, 0u);
}

TEST(Machine, TaskRowsFollowIdleTasks) {
    Machine m({.cpus = 2, .tasks = 2});
    EXPECT_EQ(m.allocate_task(), 2u);
    EXPECT_EQ(m.allocate_task(), 3u);
    EXPECT_EQ(m.task[2].pid, 1u);
    EXPECT_EQ(m.task[3].pid, 2u);
    EXPECT_EQ(m.task[2].state, TaskState::runnable);
    EXPECT_EQ(m.task[2].processor, Task::kNoProcessor);
    EXPECT_EQ(m.task[2].last_processor, Task::kNoProcessor);
    EXPECT_EQ(m.globals().nr_tasks, 2u);
    EXPECT_EQ(m.globals().high_row, 4u);
}

TEST(Machine, AFullTableGivesNoTask) {
    Machine m({.cpus = 1, .tasks = 1});
    EXPECT_EQ(m.allocate_task(), 1u);
    EXPECT_EQ(m.allocate_task(), kNoTask);
    EXPECT_EQ(m.globals().nr_tasks, 1u);
}

TEST(Machine, ReusedRowIsResetWithNewPid) {
    Machine m(kShape);
    m.allocate_task();
    const TaskId p = m.allocate_task();
    m.counter[p] = 7;
    m.priority[p] = 30;
    m.sched_class[p] = SchedClass::rr;
    m.rt_priority[p] = 50;
    m.sequence[p] = 9;
    m.task[p].remaining = 1ms;
    m.task[p].mm = 3;
    m.task[p].stream = 77;
    m.set_running_task(p, 0);
    m.loops_left(p, 0) = 5;
    m.loops_left(p, 1) = 6;
    m.task[p].state = TaskState::exited;
    m.free_task(p);
    EXPECT_FALSE(m.is_live(p));
    EXPECT_EQ(m.globals().nr_tasks, 1u);

    EXPECT_EQ(m.allocate_task(), p);
    EXPECT_EQ(m.task[p].pid, 3u);
    EXPECT_EQ(m.counter[p], 0);
    EXPECT_EQ(m.priority[p], 0);
    EXPECT_EQ(m.sched_class[p], SchedClass::other);
    EXPECT_EQ(m.rt_priority[p], 0);
    EXPECT_EQ(m.sequence[p], 0u);
    EXPECT_EQ(m.task[p].remaining.count(), 0);
    EXPECT_EQ(m.task[p].mm, kKernelMm);
    EXPECT_EQ(m.task[p].stream, 0u);
    EXPECT_EQ(m.task[p].processor, Task::kNoProcessor);
    EXPECT_EQ(m.task[p].last_processor, Task::kNoProcessor);
    EXPECT_EQ(m.next_run[p], kNoTask);
    EXPECT_EQ(m.loops_left(p, 0), 0u);
    EXPECT_EQ(m.loops_left(p, 1), 0u);
    EXPECT_EQ(m.globals().nr_tasks, 2u);
    EXPECT_EQ(m.globals().high_row, 3u);
}

TEST(Machine, FreeRowHasZeroCounterAndPriority) {
    Machine m(kShape);
    const TaskId p = m.allocate_task();
    m.counter[p] = m.priority[p] = 20;
    m.task[p].state = TaskState::exited;
    m.free_task(p);
    EXPECT_EQ(m.counter[p], 0);
    EXPECT_EQ(m.priority[p], 0);
}

TEST(Machine, FreedRowsAreAllReused) {
    Machine m(kShape);
    for (int i = 0; i < 4; ++i) m.allocate_task();
    for (TaskId p : {2u, 4u, 1u}) {
        m.task[p].state = TaskState::exited;
        m.free_task(p);
    }
    std::vector<bool> used(5);
    for (int i = 0; i < 3; ++i) {
        const TaskId p = m.allocate_task();
        ASSERT_NE(p, kNoTask);
        EXPECT_NE(p, 3u);
        EXPECT_FALSE(used[p]);
        used[p] = true;
    }
    EXPECT_EQ(m.allocate_task(), kNoTask);
}

TEST(Machine, LoopCountsDoNotOverlap) {
    Machine m(kShape);
    for (TaskId p = 1; p <= 4; ++p)
        for (std::uint32_t depth = 0; depth < 2; ++depth) m.loops_left(p, depth) = 10 * p + depth;
    for (TaskId p = 1; p <= 4; ++p)
        for (std::uint32_t depth = 0; depth < 2; ++depth)
            EXPECT_EQ(std::as_const(m).loops_left(p, depth), 10 * p + depth);
}

TEST(Machine, CopyIsEqualAndIndependent) {
    Machine m = busy_machine();
    Machine copy(m);
    EXPECT_EQ(copy.hash(), m.hash());
    EXPECT_EQ(copy.shape(), m.shape());
    const std::uint64_t before = m.hash();

    copy.globals().now = 1ms;
    copy.counter[1] = 3;
    copy.task[2].remaining = 1us;
    copy.events().pop();
    RunQueue(copy).move_last(1);
    dequeue_waiter_or_add_token(copy, 1);
    copy.loops_left(1, 0) = 2;
    copy.cpu(0).need_resched = true;
    EXPECT_NE(copy.hash(), before);
    EXPECT_EQ(m.hash(), before);
    EXPECT_EQ(m.counter[1], 20);
    EXPECT_TRUE(m.events().contains(3));
    EXPECT_EQ(m.events().next_time().count(), 5'000'000);
    EXPECT_EQ(m.channel(1).first, 4u);

    copy = m;
    EXPECT_EQ(copy.hash(), before);
    EXPECT_EQ(copy.events().pop(), 3u);
}

TEST(Machine, AssignmentMayChangeTheShape) {
    const Machine big = busy_machine();
    Machine m({.cpus = 1, .tasks = 1});
    m = big;
    EXPECT_EQ(m.shape(), big.shape());
    EXPECT_EQ(m.hash(), big.hash());
    EXPECT_EQ(m.bytes(), big.bytes());

    Machine other({.cpus = 3, .tasks = 9});
    other = Machine(big);
    EXPECT_EQ(other.shape(), big.shape());
    EXPECT_EQ(other.hash(), big.hash());

    Machine& same = m;
    m = same;
    EXPECT_EQ(m.hash(), big.hash());

    const Machine moved(std::move(m));
    EXPECT_EQ(moved.hash(), big.hash());
}

TEST(Machine, TaskRowsAreCacheLineAligned) {
    const Machine m(kShape);
    for (TaskId p = 0; p < 5; ++p) EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&m.task[p]) % 64, 0u);
}

TEST(Machine, ColumnsDoNotOverlap) {
    Machine m({.cpus = 1, .tasks = 40, .channels = 3, .loop_depth = 1});
    for (TaskId p = 0; p <= 40; ++p) {
        const auto value = static_cast<std::int32_t>(p);
        m.counter[p] = value;
        m.priority[p] = 100 + value;
        m.next_run[p] = 200 + p;
        m.prev_run[p] = 300 + p;
        m.sched_class[p] = SchedClass::fifo;
        m.rt_priority[p] = 400 + value;
        m.sequence[p] = 500 + p;
        m.task[p].pid = 600 + p;
        m.loops_left(p, 0) = 700 + p;
    }
    for (ChannelId c = 0; c < 3; ++c) m.channel(c) = {c, c, c, c};
    for (TaskId p = 0; p <= 40; ++p) {
        const auto value = static_cast<std::int32_t>(p);
        EXPECT_EQ(m.counter[p], value);
        EXPECT_EQ(m.priority[p], 100 + value);
        EXPECT_EQ(m.next_run[p], 200 + p);
        EXPECT_EQ(m.prev_run[p], 300 + p);
        EXPECT_EQ(m.sched_class[p], SchedClass::fifo);
        EXPECT_EQ(m.rt_priority[p], 400 + value);
        EXPECT_EQ(m.sequence[p], 500 + p);
        EXPECT_EQ(m.task[p].pid, 600 + p);
        EXPECT_EQ(m.loops_left(p, 0), 700 + p);
    }
    EXPECT_EQ(m.cpu(0).current, 0u);
    EXPECT_EQ(m.globals().now.count(), 0);
}

// A change of the policy resizes the policy state and sets it to zeros.
TEST(Machine, ResizePolicyStateZeroesIt) {
    struct Small {
        std::uint64_t numbers[2];
    };
    struct Large {
        std::uint64_t numbers[4];
    };
    const auto shape = [](std::uint32_t task_bytes) {
        return MachineShape{.cpus = 1, .tasks = 40, .task_bytes = task_bytes, .cpu_bytes = sizeof(Large)};
    };
    Machine m(shape(sizeof(Small)));
    const TaskId last = 40;
    m.counter[last] = 7;
    const auto fill = [&] {
        m.of_cpu<Large>(0) = {{9, 9, 9, 9}};
        for (TaskId p = 0; p <= last; ++p) m.of_task<Small>(p) = {{p, 9}};
    };
    fill();
    m.resize_policy_state(sizeof(Small), sizeof(Large));
    EXPECT_EQ(m.of_task<Small>(last).numbers[1], 0u);
    EXPECT_EQ(m.of_cpu<Large>(0).numbers[3], 0u);

    fill();
    m.resize_policy_state(sizeof(Large), sizeof(Large));
    EXPECT_EQ(m.bytes(), Machine(shape(sizeof(Large))).bytes());
    EXPECT_EQ(m.of_cpu<Large>(0).numbers[3], 0u);
    for (TaskId p = 0; p <= last; ++p)
        for (const std::uint64_t number : m.of_task<Large>(p).numbers) EXPECT_EQ(number, 0u) << p;
    EXPECT_EQ(m.counter[last], 7);
}

TEST(Machine, SetNeedReschedBringsDeadlineForward) {
    Machine m(kShape);
    m.globals().now = 3ms;
    m.cpu(0).kernel_until = 2ms;
    m.cpu(0).deadline = 9ms;
    m.set_need_resched(0, ReschedCause::tick);
    EXPECT_TRUE(m.cpu(0).need_resched);
    EXPECT_EQ(m.cpu(0).deadline.count(), 3'000'000);

    m.cpu(0).kernel_until = 4ms;
    m.cpu(0).deadline = 9ms;
    m.set_need_resched(0, ReschedCause::tick);
    EXPECT_EQ(m.cpu(0).deadline.count(), 4'000'000);
}

TEST(MachineHash, ChangesWithEveryLiveField) {
    struct Change {
        const char* what;
        std::function<void(Machine&)> make;
    };
    const Change changes[] = {
        {"now", [](Machine& m) { m.globals().now += 1ns; }},
        {"ticks", [](Machine& m) { ++m.globals().ticks; }},
        {"next_tick", [](Machine& m) { m.globals().next_tick -= 1ns; }},
        {"next_interrupt", [](Machine& m) { m.globals().next_interrupt -= 1ns; }},
        {"decisions", [](Machine& m) { ++m.globals().decisions; }},
        {"switches", [](Machine& m) { ++m.globals().switches; }},
        {"next_sequence", [](Machine& m) { ++m.globals().next_sequence; }},
        {"next_pid", [](Machine& m) { ++m.globals().next_pid; }},
        {"next_mm", [](Machine& m) { ++m.globals().next_mm; }},
        {"need_resched", [](Machine& m) { m.cpu(0).need_resched = true; }},
        {"pending_steps", [](Machine& m) { ++m.cpu(0).pending_steps; }},
        {"kernel_until", [](Machine& m) { m.cpu(0).kernel_until += 1ns; }},
        {"deadline", [](Machine& m) { m.cpu(0).deadline -= 1ns; }},
        {"current", [](Machine& m) { m.cpu(0).current = 1; }},
        {"the order of the queue", [](Machine& m) { RunQueue(m).move_last(1); }},
        {"counter", [](Machine& m) { --m.counter[4]; }},
        {"priority", [](Machine& m) { --m.priority[4]; }},
        {"sched_class", [](Machine& m) { m.sched_class[4] = SchedClass::rr; }},
        {"rt_priority", [](Machine& m) { ++m.rt_priority[4]; }},
        {"sequence", [](Machine& m) { ++m.sequence[4]; }},
        {"remaining", [](Machine& m) { m.task[2].remaining += 1ns; }},
        {"step", [](Machine& m) { ++m.task[2].step; }},
        {"mm", [](Machine& m) { ++m.task[2].mm; }},
        {"stream", [](Machine& m) { ++m.task[2].stream; }},
        {"birth_stream", [](Machine& m) { ++m.task[2].birth_stream; }},
        {"processor", [](Machine& m) { m.task[2].processor = 0; }},
        {"last_processor", [](Machine& m) { m.task[2].last_processor = 0; }},
        {"group", [](Machine& m) { ++m.task[2].group; }},
        {"ordinal", [](Machine& m) { ++m.task[2].ordinal; }},
        {"state", [](Machine& m) { m.task[2].state = TaskState::exited; }},
        {"wake_at", [](Machine& m) { m.task[3].wake_at += 1ns; }},
        {"loops_left", [](Machine& m) { ++m.loops_left(2, 1); }},
        {"tokens", [](Machine& m) { ++m.channel(0).tokens; }},
        {"who waits", [](Machine& m) { dequeue_waiter_or_add_token(m, 1); }},
    };
    const Machine m = busy_machine();
    std::vector<std::uint64_t> seen{m.hash()};
    for (const Change& change : changes) {
        Machine changed(m);
        change.make(changed);
        for (const std::uint64_t hash : seen) EXPECT_NE(changed.hash(), hash) << change.what;
        seen.push_back(changed.hash());
    }
}

TEST(MachineHash, IgnoresUnusedFields) {
    Machine m = busy_machine();
    const std::uint64_t before = m.hash();
    m.task[1].wake_at = 3s;   // ignored: the task is not asleep
    m.cpu(0).burst_end = 3s;  // ignored: the CPU is idle
    EXPECT_EQ(m.hash(), before);

    m.task[1].state = TaskState::exited;
    RunQueue(m).remove(1);
    m.free_task(1);
    const std::uint64_t without = m.hash();
    m.task[1].stream = 99;
    m.counter[1] = 5;
    EXPECT_EQ(m.hash(), without);
}

}  // namespace machine_test
}  // namespace sim
