// Tests of the misconception found for each wrong choice, in one handmade situation per rule.
#include <gtest/gtest.h>

#include "sim/quiz/situation.h"
#include "tests/support/kernel_harness.h"

namespace sim::quiz {
namespace quiz_misconceptions_test {

using enum Misconception;

// A situation that is built from a queue: pairs of task name and counter, from head to tail. By default the
// first task runs.
struct HandmadeSituation {
    Situation situation;

    HandmadeSituation(std::string policy, std::vector<std::pair<std::string, std::int32_t>> queue,
                      std::size_t running = 0, Event event = Event::resched) {
        situation.policy = std::move(policy);
        for (const auto& [name, counter] : queue)
            situation.tasks.push_back({.name = name, .counter = counter, .mm = 1});
        situation.running = running;
        situation.event = event;
    }

    // Returns the next task and the misconception of each wrong choice, for example "A runs; B: tie-to-last
    // C: ...".
    std::string mistakes() const {
        const SituationResult played = simulate_situation(situation);
        std::string text = played.name(played.next()) + " runs;";
        for (const TaskId p : played.ids)
            if (p != played.next())
                text += " " + played.name(p) + ": " +
                        std::string(name_of(played.mistake(p, situation.event == Event::yield)));
        return text;
    }
};

TEST(Misconceptions, Linux20MistakesAreIdentified) {
    EXPECT_EQ(HandmadeSituation("linux-2.0", {{"A", 7}, {"B", 7}, {"C", 3}}, 1).mistakes(),
              "B runs; A: forgot-prev-bonus C: lower-goodness");
    EXPECT_EQ(HandmadeSituation("linux-2.0", {{"A", 8}, {"B", 7}, {"C", 8}}, 1).mistakes(),
              "A runs; B: tie-to-prev C: tie-to-last");
    EXPECT_EQ(HandmadeSituation("linux-2.0", {{"B", 7}, {"A", 8}}).mistakes(),
              "B runs; A: forgot-prev-bonus");
    EXPECT_EQ(HandmadeSituation("linux-2.0", {{"A", 5}, {"B", 9}}).mistakes(),
              "B runs; A: overrated-prev-bonus");
    EXPECT_EQ(HandmadeSituation("linux-2.0", {{"A", 5}, {"B", 9}, {"C", 6}}, 1).mistakes(),
              "B runs; A: head-of-queue C: lower-goodness");
    EXPECT_EQ(HandmadeSituation("linux-2.0", {{"A", 0}, {"B", 9}}).mistakes(), "B runs; A: zero-gets-bonus");
    EXPECT_EQ(HandmadeSituation("linux-2.0", {{"A", 20}, {"B", 20}}, 0, Event::yield).mistakes(),
              "B runs; A: yielder-runs");
    EXPECT_EQ(
        HandmadeSituation("linux-2.0:yield=one_tick", {{"A", 20}, {"B", 10}}, 0, Event::yield).mistakes(),
        "A runs; B: yield-must-switch");
    EXPECT_EQ(HandmadeSituation("linux-2.0", {{"A", 20}, {"B", 10}}, 0, Event::block).mistakes(),
              "B runs; A: sleeper-runs");

    HandmadeSituation favoured("linux-2.0", {{"A", 5}, {"B", 9}, {"C", 6}}, 1);
    favoured.situation.tasks[2].priority = 30;
    EXPECT_EQ(favoured.mistakes(), "B runs; A: head-of-queue C: priority-is-goodness");
}

TEST(Misconceptions, RecalculationMistakesAreIdentified) {
    HandmadeSituation hand("linux-2.0", {{"A", 0}, {"B", 0}, {"C", 0}}, 1);
    hand.situation.tasks[2].priority = 30;  // the recalculation gives C the highest counter
    EXPECT_EQ(hand.mistakes(), "A runs; B: overrated-prev-bonus C: after-the-refill");
    hand.situation.policy = "linux-2.2";  // linux-2.2 keeps its queue in reverse order
    EXPECT_EQ(hand.mistakes(), "C runs; A: tie-to-last B: overrated-prev-bonus");
    hand.situation.policy = "linux-2.4.22";
    EXPECT_EQ(hand.mistakes(), "C runs; A: before-the-refill B: overrated-prev-bonus");
}

TEST(Misconceptions, RealTimeMistakesAreIdentified) {
    HandmadeSituation hand("linux-2.0", {{"A", 20}, {"B", 1}, {"C", 9}}, 0);
    for (const std::size_t i : {1u, 2u}) hand.situation.tasks[i].sched_class = SchedClass::fifo;
    hand.situation.tasks[1].rt_priority = 50;
    hand.situation.tasks[2].rt_priority = 10;
    EXPECT_EQ(hand.mistakes(), "B runs; A: forgot-real-time C: real-time-by-counter");
}

TEST(Misconceptions, PriorityAndAddressSpaceMistakesAreIdentified) {
    HandmadeSituation hand("linux-2.4.22", {{"A", 3}, {"B", 3}, {"C", 4}}, 1);
    hand.situation.tasks[0].mm = 2;
    hand.situation.tasks[2].mm = 3;
    EXPECT_EQ(hand.mistakes(), "B runs; A: forgot-mm C: forgot-mm");
    hand.situation.tasks[2].counter = 3;
    EXPECT_EQ(hand.mistakes(), "B runs; A: forgot-mm C: forgot-mm");
    hand.situation.tasks[0].priority = 25;
    EXPECT_EQ(hand.mistakes(), "A runs; B: forgot-priority C: forgot-priority");
    EXPECT_EQ(HandmadeSituation("linux-2.4.0", {{"A", 3}, {"B", 3}}).mistakes(), "A runs; B: tie-from-prev");
}

TEST(Misconceptions, SortedAndRoundRobinMistakesAreIdentified) {
    EXPECT_EQ(HandmadeSituation("sorted-queue", {{"A", 9}, {"B", 9}, {"C", 3}, {"D", 9}}).mistakes(),
              "A runs; B: forgot-prev-bonus C: lower-goodness D: forgot-prev-bonus");
    EXPECT_EQ(HandmadeSituation("round-robin", {{"A", 9}, {"B", 9}, {"C", 3}}, 0, Event::yield).mistakes(),
              "B runs; A: not-its-turn C: not-its-turn");
}

TEST(Misconceptions, SmpMistakesAreIdentified) {
    const NamedPolicy policy = make_policy("linux-2.2", 2);
    KernelHarness kernel("linux-2.2", 2);
    const TaskId a = kernel.make({.counter = 10}), b = kernel.make({.counter = 9}),
                 c = kernel.make({.counter = 12});
    kernel.run(a, 1);
    kernel.run(b, 0);
    DecisionLog log;
    log.decision = kernel.schedule(0, &log);
    EXPECT_EQ(log.decision.next, b);
    EXPECT_EQ(misconception_of(log, kernel.m, policy, false, a), runs_elsewhere);
    EXPECT_EQ(misconception_of(log, kernel.m, policy, false, c), forgot_last_cpu);
    EXPECT_EQ(misconception_of(log, kernel.m, policy, false, 0), idle_too_early);
}

}  // namespace quiz_misconceptions_test
}  // namespace sim::quiz
