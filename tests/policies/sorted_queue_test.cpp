// sorted-queue must make the same decisions as linux-2.0, and do the work of its own queue.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "sim/base/rng.h"
#include "sim/core/engine.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/kernel_harness.h"

namespace sim {
namespace sorted_queue_test {

using Tasks = std::vector<TaskId>;

struct Kernel : StepwiseKernel {
    explicit Kernel(const std::string& spec = "sorted-queue") : StepwiseKernel(spec) {}
};

TEST(SortedQueue, ReadyTasksAreSortedByGoodness) {
    for (const char* spec : {"sorted-queue", "sorted-queue:insert=head"}) {
        SCOPED_TRACE(spec);
        Kernel k(spec);
        const TaskId a = k.make(5), b = k.make(9), c = k.make(7), d = k.make(0, 20, SchedClass::fifo, 1),
                     e = k.make(9);
        EXPECT_EQ(k.queue(), (Tasks{d, b, e, c, a}));
    }
}

TEST(SortedQueue, TheRunningTaskIsOffTheQueue) {
    Kernel k;
    const TaskId a = k.make(9), b = k.make(5);
    EXPECT_EQ(k.schedule().next, a);
    EXPECT_EQ(k.queue(), (Tasks{b}));
    EXPECT_FALSE(k.policy->keeps_running_task_queued());
}

TEST(SortedQueue, DecisionConsidersHeadAndPrevOnly) {
    Kernel k;
    for (int i = 0; i < 9; ++i) k.make(20);
    EXPECT_EQ(k.schedule().considered, 1u);   // the head
    EXPECT_EQ(k.schedule().considered, 2u);   // the head, and prev
    EXPECT_EQ(k.schedule().queue_steps, 0u);  // prev kept the CPU
}

TEST(SortedQueue, InsertionCountsOneStepPerComparison) {
    Kernel head("sorted-queue:insert=head");
    head.make(20);
    EXPECT_EQ(head.steps, 0u);
    head.make(10);
    EXPECT_EQ(head.steps, 1u);  // inserted after 20
    head.make(5);
    EXPECT_EQ(head.steps, 2u);  // inserted after 20 and 10
    head.make(30);
    EXPECT_EQ(head.steps, 1u);  // inserted before 20
    head.make(15);
    EXPECT_EQ(head.steps, 3u);  // inserted after 30 and 20, before 10

    Kernel tail;
    tail.make(20);
    EXPECT_EQ(tail.steps, 0u);
    tail.make(10);
    EXPECT_EQ(tail.steps, 1u);
    tail.make(5);
    EXPECT_EQ(tail.steps, 1u);
    tail.make(30);
    EXPECT_EQ(tail.steps, 3u);
    tail.make(15);
    EXPECT_EQ(tail.steps, 3u);  // compared with 5, 10 and 20 from the tail; inserted after 20
    EXPECT_EQ(head.queue(), tail.queue());
}

TEST(SortedQueue, YieldingPrevIsInsertedInOrder) {
    Kernel k("sorted-queue:insert=head");
    const TaskId a = k.make(20), b = k.make(15), c = k.make(10);
    k.schedule();
    k.yield();
    const Decision d = k.schedule();
    EXPECT_EQ(d.next, b);
    EXPECT_EQ(d.considered, 2u);
    EXPECT_EQ(d.queue_steps, 2u);  // a moves past b, which is still queued, and c
    EXPECT_EQ(k.queue(), (Tasks{c, a}));
}

TEST(SortedQueue, RecalculationSortsQueueInLinearSteps) {
    Kernel k;
    const TaskId low = k.make(0, 1), high = k.make(0, 40), middle = k.make(0, 20), equal = k.make(0, 20);
    const Decision d = k.schedule();
    EXPECT_EQ(d.next, low);  // first in the queue, as in linux-2.0
    EXPECT_EQ(d.recalculations, 1u);
    EXPECT_EQ(d.recalculated, 4u);
    EXPECT_EQ(d.queue_steps, 3u);
    EXPECT_EQ(k.queue(), (Tasks{high, middle, equal}));
    EXPECT_EQ(k.m.counter[low], 1);
}

TEST(SortedQueue, QueueStepsCostTime) {
    // Durations in us: 56.1 = 5 + 1 considered + 1 queue step (insertion of the second task) + 50. 59.1 = 2 +
    // 5 + 2 considered + 1 queue step + 50. 59.22 = 2 + 5 + 2 considered + 2 queue steps (insertion of the
    // yielding task, sorting after the recalculation) + 2 recalculated + 50. 58 = 2 + 5 + 1 considered + 50.
    const Scenario scenario = parse_scenario("steps.json", R"({"format": "switchyard-scenario/1",
        "machine": {"hz": 1, "costs": {"syscall": "2us", "schedule": "5us", "considered": "1us", "recalculated": "10ns",
                    "queue_step": "100ns", "switch_same_mm": "20us", "switch_other_mm": "50us"}},
        "tasks": [{"name": "a", "program": ["yield"]}, {"name": "b", "program": ["yield"]}]})");
    const auto policy = make_policy("sorted-queue").policy;
    const Engine engine(scenario, *policy);
    Machine m = engine.initial_state();
    EXPECT_EQ(engine.run(m, {}, {}), StopReason::all_exited);
    EXPECT_EQ(m.globals().now.count(), 56'100 + 59'100 + 59'220 + 58'000);
}

// Makes the same calls to both kernels; need_resched, the chosen task and all counters must be equal.
class Pair {
  public:
    Pair(const std::string& options, const std::string& insert, std::uint64_t seed)
        : a_("linux-2.0:" + options), b_("sorted-queue:" + options + ",insert=" + insert), random_(seed) {}

    void step() {
        bool resched = false;
        const TaskId p = a_.current();
        const std::uint64_t choice = random_below(random_, 100);
        if (choice < 12 && a_.m.globals().nr_tasks < 24) {
            resched = make();
        } else if (choice < 35 && !sleeping_.empty()) {
            resched = wake();
        } else if (p != 0) {
            if (choice < 70)
                resched = both([](Kernel& k) { return k.tick(); });
            else if (choice < 82)
                resched = both([](Kernel& k) { return k.yield(); });
            else if (choice < 94)
                resched = leave(p, TaskState::waiting);
            else if (choice < 96)
                resched = leave(p, TaskState::exited);
            else
                resched = true;  // no event requests this schedule()
        }
        if (!resched) return;
        const Decision da = a_.schedule(), db = b_.schedule();
        ASSERT_EQ(da.next, db.next);
        ASSERT_EQ(da.recalculations, db.recalculations);
        ASSERT_EQ(da.recalculated, db.recalculated);
        recalculations += da.recalculations;
        stays += da.next == p;
        moves += da.next != p;
        for (TaskId q = 1; q < a_.m.globals().high_row; ++q) {
            if (!a_.m.is_live(q)) continue;
            ASSERT_EQ(a_.m.counter[q], b_.m.counter[q]);
            ASSERT_EQ(a_.m.task[q].processor, b_.m.task[q].processor);
        }
    }

    int recalculations = 0, stays = 0, moves = 0;

  private:
    template <class Call>
    bool both(Call call) {
        const bool answer = call(a_);
        EXPECT_EQ(answer, call(b_));
        return answer;
    }

    bool make() {
        const TaskId parent = a_.current();
        const auto sched_class =
            static_cast<SchedClass>(random_below(random_, 6) == 0 ? 1 + random_below(random_, 2) : 0);
        const auto rt =
            sched_class == SchedClass::other ? 0 : 1 + static_cast<std::int32_t>(random_below(random_, 3));
        const auto priority = 1 + static_cast<std::int32_t>(random_below(random_, 3) * 10);
        return both([&](Kernel& k) {
            if (parent == 0) return k.make(priority, priority, sched_class, rt), true;
            const TaskId p = k.m.allocate_task();
            k.m.priority[p] = priority;
            k.m.sched_class[p] = sched_class;
            k.m.rt_priority[p] = rt;
            k.policy->fork(k.m, parent, p);
            return k.wake(p);
        });
    }

    bool wake() {
        std::swap(sleeping_[random_below(random_, sleeping_.size())], sleeping_.back());
        const TaskId p = sleeping_.back();
        sleeping_.pop_back();
        return both([p](Kernel& k) { return k.wake(p); });
    }

    bool leave(TaskId p, TaskState state) {
        if (state == TaskState::waiting) sleeping_.push_back(p);
        return both([&](Kernel& k) { return k.leave(p, state), true; });
    }

    Kernel a_, b_;
    std::uint64_t random_;
    Tasks sleeping_;
};

TEST(SortedQueue, DecidesLikeLinux20) {
    for (const char* yield : {"original", "one_tick", "move_last_only"}) {
        for (const char* rt : {"yes", "no"}) {
            for (const char* insert : {"head", "tail"}) {
                int recalculations = 0, stays = 0, moves = 0;
                for (std::uint64_t seed = 1; seed <= 20; ++seed) {
                    const std::string options = std::string("yield=") + yield + ",rt_wake_preempts=" + rt;
                    SCOPED_TRACE(options + ", insert " + insert + ", seed " + std::to_string(seed));
                    Pair pair(options, insert, seed);
                    for (int i = 0; i < 1'000; ++i) {
                        pair.step();
                        if (HasFatalFailure()) return;
                    }
                    recalculations += pair.recalculations;
                    stays += pair.stays;
                    moves += pair.moves;
                }
                EXPECT_GT(recalculations, 20);
                EXPECT_GT(stays, 100);
                EXPECT_GT(moves, 1'000);
            }
        }
    }
}

// If scheduling costs nothing, whole simulations are identical.
TEST(SortedQueue, SwitchTimesMatchLinux20) {
    const Scenario scenario = parse_scenario("mixed.json", R"({"format": "switchyard-scenario/1",
        "machine": {"hz": 100, "costs": {"syscall": "1us"}}, "until": "5s",
        "tasks": [
            {"name": "editor", "count": 3, "program": [{"loop": "forever", "steps": [
                {"arrival": {"exponential": "30ms"}}, {"run": {"uniform": ["10us", "20ms"]}}]}]},
            {"name": "hog", "priority": 10, "program": [{"loop": "forever", "steps": [{"run": "5ms"}]}]},
            {"name": "spinner", "count": 2, "program": [{"loop": "forever", "steps": [{"run": "1ms"}, "yield"]}]},
            {"name": "shell", "program": [{"loop": "forever", "steps": [{"fork": "child"}, {"arrival": "500ms"}]}]},
            {"name": "child", "count": 0, "program": [{"run": "30ms"}, "yield", {"run": "10ms"}]},
            {"name": "poll", "class": "rr", "rt_priority": 10, "program": [{"loop": "forever", "steps": [
                {"run": "1ms"}, {"arrival": "30ms"}]}]}]})");
    for (const std::string yield : {"original", "one_tick", "move_last_only"}) {
        using Switch = std::tuple<std::int64_t, TaskId, TaskId>;
        std::vector<Switch> switches[2];
        int which = 0;
        for (const std::string name : {"linux-2.0", "sorted-queue"}) {
            const auto policy = make_policy(name + ":yield=" + yield).policy;
            const Engine engine(scenario, *policy);
            Machine m = engine.initial_state();
            Trace trace;
            EXPECT_EQ(engine.run(m, {.until = *scenario.until}, {.trace = &trace}), StopReason::until);
            for (const TraceRecord& r : trace.records)
                if (r.kind == TraceKind::schedule)
                    switches[which].emplace_back(r.time.count(), r.other, r.task);
            ++which;
        }
        EXPECT_GT(switches[0].size(), 500u);
        EXPECT_TRUE(switches[0] == switches[1]) << yield;
    }
}

}  // namespace sorted_queue_test
}  // namespace sim
