#include "sim/core/run_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "sim/base/rng.h"

namespace sim {
namespace run_queue_test {

using Tasks = std::vector<TaskId>;

Machine machine(std::uint32_t tasks, std::uint32_t cpus = 1) {
    Machine m({.cpus = cpus, .tasks = tasks});
    for (std::uint32_t i = 0; i < tasks; ++i) m.allocate_task();
    return m;
}

// Returns the queue from first to last. Also checks the backward links.
Tasks forwards(const Machine& m, TaskId head = 0) {
    Tasks tasks, back;
    for (TaskId p = m.next_run[head]; p != head; p = m.next_run[p]) tasks.push_back(p);
    for (TaskId p = m.prev_run[head]; p != head; p = m.prev_run[p]) back.push_back(p);
    std::reverse(back.begin(), back.end());
    EXPECT_EQ(tasks, back);
    return tasks;
}

TEST(RunQueue, EmptyQueuePointsToHead) {
    Machine m = machine(2);
    const RunQueue queue(m);
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(queue.first(), 0u);
    EXPECT_FALSE(queue.contains(1));
}

TEST(RunQueue, NewTasksComeLast) {
    Machine m = machine(3);
    RunQueue queue(m);
    queue.add_last(2);
    queue.add_last(3);
    queue.add_last(1);
    EXPECT_EQ(forwards(m), (Tasks{2, 3, 1}));
    EXPECT_EQ(queue.first(), 2u);
    EXPECT_FALSE(queue.empty());
    EXPECT_TRUE(queue.contains(3));
}

TEST(RunQueue, RemovedTaskHasNoLinks) {
    Machine m = machine(3);
    RunQueue queue(m);
    for (TaskId p : {1u, 2u, 3u}) queue.add_last(p);
    queue.remove(2);
    EXPECT_EQ(forwards(m), (Tasks{1, 3}));
    EXPECT_FALSE(queue.contains(2));
    EXPECT_EQ(m.next_run[2], kNoTask);
    EXPECT_EQ(m.prev_run[2], kNoTask);
    queue.remove(1);
    queue.remove(3);
    EXPECT_TRUE(queue.empty());
}

TEST(RunQueue, MoveLastPlacesTaskAtEnd) {
    Machine m = machine(3);
    RunQueue queue(m);
    for (TaskId p : {1u, 2u, 3u}) queue.add_last(p);
    queue.move_last(1);
    EXPECT_EQ(forwards(m), (Tasks{2, 3, 1}));
    queue.move_last(1);
    EXPECT_EQ(forwards(m), (Tasks{2, 3, 1}));
    queue.move_last(3);
    EXPECT_EQ(forwards(m), (Tasks{2, 1, 3}));
}

TEST(RunQueue, InsertBeforePlacesTaskInFront) {
    Machine m = machine(4);
    RunQueue queue(m);
    queue.add_last(1);
    queue.insert_before(1, 2);
    EXPECT_EQ(forwards(m), (Tasks{2, 1}));
    queue.insert_before(1, 3);
    EXPECT_EQ(forwards(m), (Tasks{2, 3, 1}));
    queue.insert_before(0, 4);  // a task that is inserted before the head is last
    EXPECT_EQ(forwards(m), (Tasks{2, 3, 1, 4}));
}

TEST(RunQueue, QueuesOfCpusAreIndependent) {
    Machine m = machine(4, 2);  // rows 0 and 1 are the idle tasks
    RunQueue first(m, 0), second(m, 1);
    first.add_last(2);
    second.add_last(3);
    first.add_last(4);
    second.add_last(5);
    second.move_last(3);
    EXPECT_EQ(forwards(m, 0), (Tasks{2, 4}));
    EXPECT_EQ(forwards(m, 1), (Tasks{5, 3}));
    EXPECT_FALSE(second.empty());
    second.remove(3);
    second.remove(5);
    EXPECT_TRUE(second.empty());
    EXPECT_EQ(second.first(), 1u);
    EXPECT_EQ(forwards(m, 0), (Tasks{2, 4}));
}

TEST(RunQueue, BehavesLikeAList) {
    constexpr std::uint32_t kTasks = 12;
    Machine m = machine(kTasks);
    RunQueue queue(m);
    Tasks model;
    std::uint64_t random = 4;
    for (int step = 0; step < 20'000; ++step) {
        const auto p = static_cast<TaskId>(1 + random_below(random, kTasks));
        const auto place = std::find(model.begin(), model.end(), p);
        ASSERT_EQ(queue.contains(p), place != model.end());
        if (place == model.end()) {
            const std::size_t index = random_below(random, model.size() + 1);
            queue.insert_before(index < model.size() ? model[index] : 0, p);
            model.insert(model.begin() + static_cast<std::ptrdiff_t>(index), p);
        } else {
            model.erase(place);
            if (random_below(random, 2) == 0) {
                queue.remove(p);
            } else {
                queue.move_last(p);
                model.push_back(p);
            }
        }
        ASSERT_EQ(forwards(m), model);
    }
}

}  // namespace run_queue_test
}  // namespace sim
