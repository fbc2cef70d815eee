#include "sim/core/wait_table.h"

#include <gtest/gtest.h>

namespace sim {
namespace wait_table_test {

struct WaitTable : testing::Test {
    WaitTable() {
        for (int i = 0; i < 4; ++i) m.allocate_task();
    }
    Machine m{{.cpus = 1, .tasks = 4, .channels = 2}};
};

TEST_F(WaitTable, NewChannelHasNoTokens) {
    EXPECT_FALSE(take_token(m, 0));
    EXPECT_EQ(m.channel(0).first, kNoTask);
    EXPECT_EQ(m.channel(0).last, kNoTask);
}

TEST_F(WaitTable, JoinQueueRecordsChannel) {
    enqueue_waiter(m, 1, 2);
    EXPECT_EQ(m.task[2].state, TaskState::waiting);
    EXPECT_EQ(m.task[2].waiting_on, 1u);
}

TEST_F(WaitTable, LongestWaitingTaskWakesFirst) {
    for (TaskId p : {3u, 1u, 4u}) enqueue_waiter(m, 0, p);
    EXPECT_EQ(dequeue_waiter_or_add_token(m, 0), 3u);
    enqueue_waiter(m, 0, 2);
    EXPECT_EQ(dequeue_waiter_or_add_token(m, 0), 1u);
    EXPECT_EQ(dequeue_waiter_or_add_token(m, 0), 4u);
    EXPECT_EQ(dequeue_waiter_or_add_token(m, 0), 2u);
    EXPECT_EQ(m.channel(0).tokens, 0u);
}

TEST_F(WaitTable, WakeUpWithoutWaiterIsKept) {
    EXPECT_EQ(dequeue_waiter_or_add_token(m, 0), kNoTask);
    EXPECT_EQ(dequeue_waiter_or_add_token(m, 0), kNoTask);
    EXPECT_TRUE(take_token(m, 0));
    EXPECT_TRUE(take_token(m, 0));
    EXPECT_FALSE(take_token(m, 0));
}

TEST_F(WaitTable, DeliveredWakeUpIsNotKept) {
    enqueue_waiter(m, 0, 1);
    EXPECT_EQ(dequeue_waiter_or_add_token(m, 0), 1u);
    EXPECT_FALSE(take_token(m, 0));
}

TEST_F(WaitTable, EmptiedChannelQueuesAgain) {
    enqueue_waiter(m, 0, 1);
    EXPECT_EQ(dequeue_waiter_or_add_token(m, 0), 1u);
    EXPECT_EQ(m.channel(0).first, kNoTask);
    EXPECT_EQ(m.channel(0).last, kNoTask);
    enqueue_waiter(m, 0, 2);
    enqueue_waiter(m, 0, 1);
    EXPECT_EQ(dequeue_waiter_or_add_token(m, 0), 2u);
    EXPECT_EQ(dequeue_waiter_or_add_token(m, 0), 1u);
    EXPECT_EQ(dequeue_waiter_or_add_token(m, 0), kNoTask);
}

TEST_F(WaitTable, ChannelsDoNotMix) {
    enqueue_waiter(m, 0, 1);
    enqueue_waiter(m, 1, 2);
    EXPECT_EQ(dequeue_waiter_or_add_token(m, 1), 2u);
    EXPECT_EQ(dequeue_waiter_or_add_token(m, 1), kNoTask);
    EXPECT_FALSE(take_token(m, 0));
    EXPECT_TRUE(take_token(m, 1));
    EXPECT_EQ(dequeue_waiter_or_add_token(m, 0), 1u);
}

TEST_F(WaitTable, TokenCountDoesNotWrapAround) {
    m.channel(0).tokens = std::numeric_limits<std::uint32_t>::max() - 1;
    dequeue_waiter_or_add_token(m, 0);
    dequeue_waiter_or_add_token(m, 0);
    dequeue_waiter_or_add_token(m, 0);
    EXPECT_EQ(m.channel(0).tokens, std::numeric_limits<std::uint32_t>::max());
}

}  // namespace wait_table_test
}  // namespace sim
