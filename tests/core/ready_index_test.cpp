// Compares the index of ready tasks with a simple list. ready_index_lockstep_test.cpp verifies that decisions
// are the same with and without the index.
#include "sim/core/ready_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "sim/core/engine.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace ready_index_test {

std::int32_t grant(std::int32_t priority) { return priority; }

// Simple reference model: the queue as a list, and the level of each task that is shown.
class Model {
  public:
    std::vector<TaskId> queue;
    std::map<TaskId, std::int32_t> shown;

    void remove(TaskId p) { queue.erase(std::find(queue.begin(), queue.end(), p)); }
    std::vector<TaskId> row(std::int32_t level) const {
        std::vector<TaskId> tasks;
        for (const TaskId p : queue)
            if (const auto its = shown.find(p); its != shown.end() && its->second == level)
                tasks.push_back(p);
        return tasks;
    }
};

void expect_equal(const ReadyIndex& index, const Model& model, std::mt19937_64& random) {
    ASSERT_EQ(index.queued_count(), model.queue.size());
    for (std::size_t i = 1; i < model.queue.size(); ++i)
        ASSERT_LT(index.place(model.queue[i - 1]), index.place(model.queue[i]));
    std::vector<std::int32_t> levels;
    for (const auto& [p, level] : model.shown) {
        ASSERT_TRUE(index.is_selectable(p));
        ASSERT_EQ(index.level(p), level);
        levels.push_back(level);
    }
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    std::int32_t level = index.highest_level();
    for (std::size_t i = levels.size(); i-- > 0; level = index.highest_level(level)) {
        ASSERT_EQ(level, levels[i]);
        const std::vector<TaskId> row = model.row(level);
        ASSERT_EQ(index.selectable_count(level), row.size());
        ASSERT_EQ(index.first(level), row.front());
        for (std::size_t k = 0; k < row.size(); ++k) {
            ASSERT_EQ(index.first(level, index.place(row[k])), row[k]);
            ASSERT_EQ(index.first(level, index.place(row[k]) + 1), k + 1 < row.size() ? row[k + 1] : kNoTask);
            ASSERT_EQ(index.count_from_place(level, index.place(row[k])), row.size() - k);
        }
        // A search in a row may also start at the place of a task of another row.
        const std::uint32_t from = index.place(model.queue[random() % model.queue.size()]);
        const auto next =
            std::find_if(row.begin(), row.end(), [&](TaskId p) { return index.place(p) >= from; });
        ASSERT_EQ(index.first(level, from), next == row.end() ? kNoTask : *next);
        ASSERT_EQ(index.count_from_place(level, from), static_cast<std::size_t>(row.end() - next));
    }
    ASSERT_EQ(level, ReadyIndex::kNoLevel);
}

// Makes `changes` random changes to an index for `tasks` tasks, and compares it from time to time.
void change_at_random(std::uint32_t tasks, bool at_both_ends, int changes, int between_checks,
                      std::uint64_t seed) {
    std::mt19937_64 random(seed);
    ReadyIndex index;
    index.build({.tasks = tasks, .cpus = 1, .mms = 0, .grant = grant});
    Model model;
    const auto level = [&] { return static_cast<std::int32_t>(random() % (random() % 4 == 0 ? 128 : 3)); };
    for (int i = 0; i < changes; ++i) {
        const auto p = static_cast<TaskId>(random() % tasks);
        const bool queued = index.is_queued(p);
        ASSERT_EQ(queued, std::find(model.queue.begin(), model.queue.end(), p) != model.queue.end());
        if (!queued) {
            if (at_both_ends && random() % 2 == 0) {
                index.add_first(p);
                model.queue.insert(model.queue.begin(), p);
            } else {
                index.add_last(p);
                model.queue.push_back(p);
            }
        } else if (index.is_selectable(p)) {
            index.make_unselectable(p);
            model.shown.erase(p);
        } else if (const auto kind = random() % 8; kind < 4) {
            model.shown[p] = level();
            index.make_selectable(p, model.shown[p]);
        } else if (kind < 7) {
            index.move_last(p);
            model.remove(p);
            model.queue.push_back(p);
        } else {
            index.remove(p);
            model.remove(p);
        }
        if (random() % 200 == 0) {  // recalculation
            model.shown.clear();
            std::vector<TaskId> order;
            index.rebuild_levels([&](TaskId q) {
                order.push_back(q);
                if (random() % 5 == 0) return ReadyIndex::kNoLevel;
                return model.shown[q] = level();
            });
            ASSERT_EQ(order, model.queue);
        }
        if (i % between_checks == 0) {
            ASSERT_NO_FATAL_FAILURE(expect_equal(index, model, random));
        }
    }
}

TEST(ReadyIndexRows, RandomChangesMatchList) {
    constexpr int kChanges = rounds(4'000, 4'000, 500);
    for (const std::uint32_t tasks : {1u, 2u, 3u, 40u, 63u, 64u, 65u, 300u}) {
        ASSERT_NO_FATAL_FAILURE(change_at_random(tasks, false, kChanges, 7, tasks));
        ASSERT_NO_FATAL_FAILURE(change_at_random(tasks, true, kChanges, 7, tasks));
    }
}

TEST(ReadyIndexRows, MultiWordSummaryRowsMatchList) {
    constexpr int kChanges = rounds(40'000, 12'000, 10'100);
    ASSERT_NO_FATAL_FAILURE(change_at_random(5'000, false, kChanges, 9'999, 1));
    ASSERT_NO_FATAL_FAILURE(change_at_random(5'000, true, kChanges, 9'999, 1));
}

TEST(ReadyIndexRows, TakeAtMost64BytesATask) {
    for (const std::uint32_t tasks : {1'000u, 4'000u, 65'000u}) {
        ReadyIndex index;
        index.build({.tasks = tasks, .cpus = 64, .mms = tasks, .grant = grant});
        EXPECT_LE(index.bytes(), std::size_t{64} * tasks) << tasks;
        // The terms of the sum are, in this order: one bit in each of 128 rows for each of two places; the
        // task at each place; the place, the level and the recalculations of each task; and its address
        // space.
        EXPECT_GE(index.bytes(), std::size_t{2 * 128 / 8 + 2 * 2 + 4 + 1 + 8 + 4} * tasks) << tasks;
    }
}

TEST(ReadyIndexRecalculations, MissedWhileOffQueueAreCounted) {
    ReadyIndex index;
    index.build({.tasks = 4, .cpus = 1, .mms = 0, .grant = grant});
    index.add_last(1);
    index.count_recalculation_of_queued();
    index.count_recalculation_of_queued();
    index.remove(1);  // task 1 was queued during both recalculations
    index.count_recalculation_of_queued();
    EXPECT_EQ(index.take_missed_recalculations(1), 1u);
    EXPECT_EQ(index.take_missed_recalculations(1), 0u);
    EXPECT_EQ(index.take_missed_recalculations(2), 3u);
    index.reset_missed_recalculations(3);  // just created
    EXPECT_EQ(index.take_missed_recalculations(3), 0u);
}

TEST(ReadyIndexLifetime, LongWalksBuildAndShortWalksDropIndex) {
    ReadyIndex index;
    EXPECT_FALSE(index.should_build_index(ReadyIndex::cost_of_walk({.considered = 1'000'000})))
        << "nobody has opened it";
    index.open(100);
    for (int i = 0; i < 1'000; ++i)
        ASSERT_FALSE(index.should_build_index(ReadyIndex::cost_of_walk({.considered = 3})))
            << "a walk over three tasks is fast enough";
    int walks = 0;
    while (!index.should_build_index(ReadyIndex::cost_of_walk({.considered = 100}))) ++walks;
    EXPECT_GT(walks, 1);
    EXPECT_LT(walks, 20);
    index.build({.tasks = 100, .cpus = 1, .mms = 0, .grant = grant});
    for (int i = 0; i < 1'000; ++i)
        ASSERT_FALSE(index.should_drop_index(ReadyIndex::cost_of_walk({.considered = 100})));
    int decisions = 0;
    while (!index.should_drop_index(ReadyIndex::cost_of_walk({.considered = 2}))) ++decisions;
    EXPECT_GT(decisions, 20) << "one short queue is no reason";
    index.drop();
    EXPECT_FALSE(index.is_live());
    EXPECT_FALSE(index.should_build_index(ReadyIndex::cost_of_walk({.considered = 2})));
    while (!index.should_build_index(ReadyIndex::cost_of_walk({.considered = 100}))) ASSERT_LT(++walks, 100);
    index.build({.tasks = 100, .cpus = 1, .mms = 0, .grant = grant});
    index.close();
    EXPECT_FALSE(index.is_live());
    index.open(100);
    walks = 0;
    while (!index.should_build_index(ReadyIndex::cost_of_walk({.considered = 2, .recalculated = 1'000})))
        ASSERT_LT(++walks, 20) << "refills count";
}

// A scenario with tasks that compute, tasks that only yield, and a few tasks that sleep and have precedence
// when they wake.
constexpr const char* kCrowd = R"({
    "format": "switchyard-scenario/1", "machine": "pentium-mmx-200", "until": "10s", "tasks": [
    {"name": "hog", "count": 50, "program": [{"loop": "forever", "steps": [{"run": {"uniform": ["1ms", "90ms"]}}, "yield"]}]},
    {"name": "spinner", "count": 10, "mm": "m", "program": [{"loop": "forever", "steps": ["yield", {"run": "50us"}]}]},
    {"name": "editor", "count": 30, "program": [{"loop": "forever", "steps": [{"arrival": {"exponential": "20ms"}}, {"run": "100us"}]}]},
    {"name": "daemon", "count": 300, "start": "1h", "program": [{"wait": "never"}]}]})";

class ReadyIndexUse : public testing::TestWithParam<const char*> {};

// Policies that support the index use it. All results are the same as without an index.
TEST_P(ReadyIndexUse, MatchesExplicitWalk) {
    const Scenario scenario = parse_scenario("crowd.json", kCrowd);
    const NamedPolicy policy = make_policy(GetParam());
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    engine.run(m, {.decisions = 5'000}, {});
    EXPECT_GT(m.ready.bytes(), 0u) << "it was never built";
    Machine walked = engine.initial_state();
    DecisionLog log;
    engine.run(walked, {.decisions = 5'000}, {.log = &log});
    EXPECT_EQ(walked.ready.bytes(), 0u) << "who keeps a log walks";
    EXPECT_EQ(m.hash(), walked.hash());
}

INSTANTIATE_TEST_SUITE_P(Of, ReadyIndexUse,
                         testing::Values("linux-2.0", "linux-2.0:yield=one_tick", "linux-2.2",
                                         "linux-2.2:prev_goodness=yes", "linux-2.4.0", "linux-2.4.22",
                                         "sorted-queue", "sorted-queue:insert=head"));

TEST(ReadyIndexLifetime, LargeRecalculationsBuildIndex) {
    const Scenario scenario = load_scenario("recalc-storm");
    const NamedPolicy policy = make_policy("linux-2.0");
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    engine.run(m, {.decisions = 5'000}, {});
    EXPECT_GT(m.ready.bytes(), 0u) << "two tasks to choose from, but a thousand to refill";
}

// A snapshot does not copy the index, and the copy starts without one.
TEST(ReadyIndexLifetime, SnapshotExcludesIndex) {
    const Scenario scenario =
        load_scenario("yield-processes", std::vector<std::string>{"/tasks/0/count=200"});
    const NamedPolicy policy = make_policy("linux-2.0");
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    engine.run(m, {.decisions = 10'000}, {});
    EXPECT_FALSE(m.ready.is_live());
    EXPECT_GT(m.ready.bytes(), 0u) << "200 tasks yielded and it was never built";
    const Machine copy = m;
    EXPECT_EQ(copy.hash(), m.hash());
    EXPECT_EQ(copy.ready.bytes(), 0u);
    Machine again = m;
    engine.run(m, {.decisions = 20'000}, {});
    engine.run(again, {.decisions = 20'000}, {});
    EXPECT_EQ(again.hash(), m.hash());
}

}  // namespace ready_index_test
}  // namespace sim
