#include "sim/core/event_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "sim/base/rng.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace event_queue_test {

// An event queue and its memory, for up to `most` tasks with one event each.
struct Timers {
    explicit Timers(std::uint32_t most)
        : lines(EventQueue::node_count(most) * sizeof(std::uint64_t) / sizeof(Line) + 1),
          tasks(most),
          queue(nodes(), EventQueue::first_leaf(most)) {
        std::fill_n(nodes(), EventQueue::node_count(most), EventQueue::kNever);
    }

    void push(Nanos time, TaskId task) { queue.push(EventQueue::key(time, task)); }

    struct alignas(64) Line {
        std::uint64_t nodes[8];
    };
    std::uint64_t* nodes() { return lines.front().nodes; }

    std::vector<Line> lines;
    std::uint32_t tasks;
    EventQueue queue;
};

// Reference implementation with a multimap; among simultaneous events the smallest task id comes first.
class Model {
  public:
    void push(Nanos time, TaskId task) { events_.emplace(time, task); }
    std::size_t size() const { return events_.size(); }
    Nanos next_time() const { return events_.empty() ? kHorizon : events_.begin()->first; }

    TaskId pop() {
        const auto [first, end] = events_.equal_range(events_.begin()->first);
        auto least = first;
        for (auto event = first; event != end; ++event)
            if (event->second < least->second) least = event;
        const TaskId task = least->second;
        events_.erase(least);
        return task;
    }

  private:
    std::multimap<Nanos, TaskId> events_;
};

TEST(EventQueue, FirstAtFindsFirstMatchingTask) {
    constexpr std::uint32_t kTasks = 150;
    Timers timers(kTasks);
    for (TaskId task = 1; task < kTasks; ++task) timers.push(task % 3 == 0 ? 5ms : 7ms, task);
    const auto above = [](TaskId limit) { return [limit](TaskId task) { return task > limit; }; };
    EXPECT_EQ(timers.queue.first(), 3u);
    EXPECT_EQ(timers.queue.first_task_at(5ms, above(0)), 3u);
    EXPECT_EQ(timers.queue.first_task_at(5ms, above(100)), 102u);
    EXPECT_EQ(timers.queue.first_task_at(5ms, above(147)), kNoTask);
    EXPECT_EQ(timers.queue.first_task_at(6ms, above(0)), kNoTask);  // no event is at 6 ms
    EXPECT_EQ(timers.queue.first_task_at(7ms, above(0)), kNoTask);  // 7 ms is not the time of the next event
}

TEST(EventQueue, EmptyQueueReturnsHorizon) {
    Timers timers(3);
    EXPECT_TRUE(timers.queue.empty());
    EXPECT_EQ(timers.queue.next_time().count(), kHorizon.count());
}

TEST(EventQueue, PopsInTimeOrder) {
    Timers timers(5);
    timers.push(30ms, 1);
    timers.push(10ms, 2);
    timers.push(40ms, 3);
    timers.push(20ms, 4);
    EXPECT_EQ(timers.queue.next_time().count(), 10'000'000);
    EXPECT_EQ(timers.queue.pop(), 2u);
    EXPECT_EQ(timers.queue.pop(), 4u);
    EXPECT_EQ(timers.queue.pop(), 1u);
    EXPECT_EQ(timers.queue.next_time().count(), 40'000'000);
    EXPECT_EQ(timers.queue.pop(), 3u);
    EXPECT_TRUE(timers.queue.empty());
}

TEST(EventQueue, PopsSimultaneousEventsByTaskId) {
    Timers timers(10);
    for (TaskId task : {7u, 3u, 9u, 1u, 5u, 8u, 2u, 6u, 4u}) timers.push(1ms, task);
    for (TaskId task = 1; task <= 9; ++task) EXPECT_EQ(timers.queue.pop(), task);
}

TEST(EventQueue, ExtremeTimesAndTasksStayOrdered) {
    Timers timers(0xffff);
    timers.push(kHorizon, 0xfffd);
    timers.push(kHorizon - 1ns, 0xfffe);
    timers.push(0ns, 0);
    EXPECT_EQ(timers.queue.pop(), 0u);
    EXPECT_EQ(timers.queue.next_time().count(), (kHorizon - 1ns).count());
    EXPECT_EQ(timers.queue.pop(), 0xfffeu);
    EXPECT_EQ(timers.queue.next_time().count(), kHorizon.count());
    EXPECT_EQ(timers.queue.pop(), 0xfffdu);
    EXPECT_TRUE(timers.queue.empty());
}

TEST(EventQueue, ReportsEventTimeOfEachTask) {
    Timers timers(6);
    timers.push(3ms, 5);
    timers.push(2ms, 0);
    EXPECT_TRUE(timers.queue.contains(5));
    EXPECT_FALSE(timers.queue.contains(4));
    EXPECT_EQ(timers.queue.time_of_task(5).count(), 3'000'000);
    EXPECT_EQ(timers.queue.time_of_task(4).count(), kHorizon.count());
    timers.queue.pop();
    EXPECT_FALSE(timers.queue.contains(0));
}

// There are few different times, so that most pops break ties. The queue sizes are close to the sizes of a
// node and of a level of the queue.
TEST(EventQueue, BehavesLikeAMultimap) {
    std::uint64_t random = 1;
    for (const std::uint32_t most : {1u, 2u, 3u, 4u, 5u, 6u, 17u, 21u, 22u, 400u, 3'000u}) {
        SCOPED_TRACE(most);
        for (const std::uint64_t times : {std::uint64_t{8}, std::uint64_t{1'000'000'000'000}}) {
            Timers timers(most);
            Model model;
            std::vector<TaskId> idle;  // tasks without an event
            for (TaskId task = 0; task < most; ++task) idle.push_back(task);
            std::uint64_t growing = 3;  // average number of pushes in 4 queue operations
            for (int step = 0; step < rounds(100'000, 100'000, 10'000); ++step) {
                if (idle.empty()) growing = 1;
                if (model.size() == 0) growing = 3;
                const bool push = !idle.empty() && (model.size() == 0 || random_below(random, 4) < growing);
                if (push) {
                    std::swap(idle[random_below(random, idle.size())], idle.back());
                    const Nanos time{static_cast<std::int64_t>(random_below(random, times))};
                    timers.push(time, idle.back());
                    model.push(time, idle.back());
                    idle.pop_back();
                } else {
                    idle.push_back(model.pop());
                    ASSERT_EQ(timers.queue.pop(), idle.back()) << "in step " << step;
                }
                ASSERT_EQ(timers.queue.empty(), model.size() == 0);
                if (step % 97 == 0) {
                    ASSERT_TRUE(timers.queue.is_consistent(most)) << "in step " << step;
                }
                ASSERT_EQ(timers.queue.next_time().count(), model.next_time().count()) << "in step " << step;
            }
            while (model.size() > 0) ASSERT_EQ(timers.queue.pop(), model.pop());
            ASSERT_TRUE(timers.queue.empty() && timers.queue.is_consistent(most));
        }
    }
}

}  // namespace event_queue_test
}  // namespace sim
