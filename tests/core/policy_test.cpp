// The list of policies, their options, and the contract of all policies.
#include "sim/core/policy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/rng.h"
#include "tests/support/test_name.h"

namespace sim {
namespace policy_test {

const PolicyInfo* find(const std::string& name) {
    for (const PolicyInfo& info : policies())
        if (info.name == name) return &info;
    return nullptr;
}

std::string error_of(const std::string& spec) {
    try {
        make_policy(spec);
    } catch (const PolicyError& error) {
        return error.what();
    }
    return "no error";
}

TEST(Policies, AreListedByName) {
    ASSERT_GE(policies().size(), 3u);
    EXPECT_TRUE(std::is_sorted(policies().begin(), policies().end(),
                               [](const PolicyInfo& a, const PolicyInfo& b) { return a.name < b.name; }));
    for (const char* name :
         {"linux-1.2", "linux-2.0", "linux-2.2", "linux-2.4.0", "linux-2.4.22", "linux-2.6.20",
          "linux-2.6.24", "linux-2.6.32", "linux-6.6", "nt4", "round-robin", "sorted-queue"})
        EXPECT_NE(find(name), nullptr) << name;
}

TEST(Policies, HaveSummaryAndSource) {
    for (const PolicyInfo& info : policies()) {
        SCOPED_TRACE(info.name);
        EXPECT_FALSE(info.summary.empty());
        EXPECT_FALSE(info.source.empty());
        for (const OptionInfo& option : info.options) {
            EXPECT_FALSE(option.summary.empty()) << option.name;
            EXPECT_GE(option.values.size(), 2u) << option.name;
        }
    }
}

TEST(Policies, FirstOptionValueIsDefault) {
    const NamedPolicy policy = make_policy("linux-2.0");
    EXPECT_EQ(policy.name, "linux-2.0");
    EXPECT_EQ(policy.options, (PolicyOptions{{"yield", "original"}, {"rt_wake_preempts", "yes"}}));
    EXPECT_NE(policy.policy, nullptr);
    EXPECT_EQ(make_policy("round-robin").options.at("quantum"), "20");
}

TEST(Policies, OptionsFollowTheNameInAnyOrder) {
    const NamedPolicy policy = make_policy("linux-2.0:rt_wake_preempts=no,yield=one_tick");
    EXPECT_EQ(policy.options, (PolicyOptions{{"yield", "one_tick"}, {"rt_wake_preempts", "no"}}));
    EXPECT_EQ(make_policy("round-robin:quantum=7").options.at("quantum"), "7");
}

TEST(Policies, SpecListsOnlyNonDefaultOptions) {
    EXPECT_EQ(make_policy("linux-2.0").spec(), "linux-2.0");
    EXPECT_EQ(make_policy("linux-2.0:yield=original").spec(), "linux-2.0");
    EXPECT_EQ(make_policy("linux-2.0:rt_wake_preempts=no,yield=one_tick").spec(),
              "linux-2.0:yield=one_tick,rt_wake_preempts=no");
    EXPECT_EQ(make_policy("sorted-queue:insert=head").spec(), "sorted-queue:insert=head");
    EXPECT_EQ(make_policy("round-robin:quantum=20").spec(), "round-robin");
}

TEST(Policies, UnknownNameSuggestsSimilarName) {
    const std::string error = error_of("round-robbin");
    EXPECT_NE(error.find("unknown policy 'round-robbin'; did you mean 'round-robin'?"), std::string::npos)
        << error;
    for (const PolicyInfo& info : policies()) EXPECT_NE(error.find(info.name), std::string::npos) << error;
    EXPECT_EQ(error_of("gang-scheduling").find("unknown policy 'gang-scheduling'"), 0u)
        << error_of("gang-scheduling");
    EXPECT_EQ(error_of("gang-scheduling").find("did you mean"), std::string::npos)
        << error_of("gang-scheduling");
    EXPECT_EQ(error_of("").find("unknown policy ''"), 0u) << error_of("");
}

TEST(Policies, OptionErrorsListAllowedValues) {
    EXPECT_EQ(error_of("linux-2.0:"), "policy 'linux-2.0:': expected options after ':'");
    const std::string unknown = error_of("linux-2.0:yeild=one_tick");
    EXPECT_EQ(unknown.find("policy 'linux-2.0' has no option 'yeild'; did you mean 'yield'?"), 0u) << unknown;
    EXPECT_NE(unknown.find("options: yield, rt_wake_preempts"), std::string::npos) << unknown;
    EXPECT_EQ(
        error_of("linux-2.0:yield=one_tik"),
        "policy 'linux-2.0': option 'yield': expected original or one_tick or move_last_only, got 'one_tik'; "
        "did you mean 'one_tick'?");
    EXPECT_EQ(error_of("linux-2.0:yield"),
              "policy 'linux-2.0': option 'yield' needs a value: yield=original");
    EXPECT_EQ(error_of("linux-2.0:yield="),
              "policy 'linux-2.0': option 'yield': expected original or one_tick or move_last_only, got ''");
    EXPECT_EQ(error_of("linux-2.0:yield=one_tick,yield=original"),
              "policy 'linux-2.0': option 'yield' is specified twice");
}

TEST(Policies, NumericOptionOutOfRangeIsRefused) {
    for (const char* number : {"1", "20", "1000000"})
        EXPECT_EQ(error_of(std::string("round-robin:quantum=") + number), "no error");
    for (const std::string number :
         {"0", "-1", "1000001", "99999999999999999999", "x", "5x", "", "1.5", " 5"})
        EXPECT_EQ(error_of("round-robin:quantum=" + number),
                  "policy 'round-robin': option 'quantum': expected a whole number from 1 to 1000000, got '" +
                      number + "'");
}

// --- contract ---

// Every policy with default options, and with each value of each option.
std::vector<std::string> every_policy() {
    std::vector<std::string> specs;
    for (const PolicyInfo& info : policies()) {
        specs.push_back(info.name);
        for (const OptionInfo& option : info.options)
            for (std::size_t i = 1; i < option.values.size(); ++i)
                specs.push_back(info.name + ":" + option.name + "=" +
                                (option.values[i] == "N" ? "3" : option.values[i]));
    }
    return specs;
}

// Calls a policy like the engine does, at random events.
class Driver {
  public:
    Driver(const std::string& spec, std::uint64_t seed, bool with_log)
        : policy(make_policy(spec).policy),
          m(with_policy_state_size(*policy, {.cpus = 1, .tasks = 12})),
          random(seed),
          with_log_(with_log) {
        policy->initialize_cpu_state(m);
    }

    TaskId current() const { return m.cpu(0).current; }

    // Creates a task, forked by the running task if there is one.
    bool make(SchedClass sched_class = SchedClass::other, std::int32_t rt_priority = 0) {
        const TaskId parent = current();
        const TaskId p = m.allocate_task();
        if (p == kNoTask) return false;
        m.priority[p] = 20;
        m.sched_class[p] = sched_class;
        m.rt_priority[p] = rt_priority;
        if (m.is_idle_task(parent))
            policy->start(m, p);
        else
            policy->fork(m, parent, p);
        return wake(p, m.is_idle_task(parent) ? WakeUp::Waker::start : WakeUp::Waker::fork);
    }

    bool wake(TaskId p, WakeUp::Waker by = WakeUp::Waker::task) {
        m.task[p].state = TaskState::runnable;
        ++m.globals().nr_running;
        const WakeResult woken = policy->wake(m, p, {.by = by});
        pending_steps += woken.queue_steps;
        return woken.reschedule != 0 || std::exchange(m.cpu(0).need_resched, false);
    }

    bool tick() {
        ++m.globals().ticks;
        m.globals().now += 10ms;
        return policy->tick(m, current());
    }

    // Performs the next event; returns whether schedule() must be called.
    bool event() {
        const std::uint64_t choice = random_below(random, 100);
        const TaskId p = current();
        if (choice < 10 && m.globals().nr_tasks < 6) {
            const bool real_time = random_below(random, 4) == 0;
            return make(real_time ? SchedClass::rr : SchedClass::other, real_time ? 5 : 0);
        }
        if (choice < 25) {
            for (TaskId q = m.first_task(); q < m.globals().high_row; ++q)
                if (m.task[q].state == TaskState::waiting) return wake(q);
            return false;
        }
        if (m.is_idle_task(p)) return false;
        if (choice < 55) return tick();
        m.globals().now += Nanos{static_cast<std::int64_t>(random_below(random, 5'000'000))};
        if (choice < 65) return policy->yield(m, p);
        if (choice >= 96) policy->exit(m, p);
        m.task[p].state = choice < 96 ? TaskState::waiting : TaskState::exited;
        --m.globals().nr_running;
        return true;
    }

    Decision schedule() {
        const TaskId prev = current();
        pending_steps = 0;
        m.cpu(0).need_resched = false;
        log.clear();
        const Decision d = policy->pick_next(m, 0, prev, with_log_ ? &log : nullptr);
        m.cpu(0).current = d.next;
        if (m.task[prev].state == TaskState::exited) m.free_task(prev);
        EXPECT_EQ(policy->find_violation(m), "");
        return d;
    }

    bool is_queued(TaskId p) const {
        for (TaskId q = m.next_run[0]; q != 0; q = m.next_run[q])
            if (q == p) return true;
        return false;
    }

    std::shared_ptr<const Policy> policy;
    Machine m;
    std::uint64_t random;
    DecisionLog log;
    std::uint32_t pending_steps = 0;  // queue steps of enqueue() since the last schedule()

  private:
    bool with_log_;
};

class PolicyContract : public testing::TestWithParam<std::string> {};

TEST_P(PolicyContract, IdlesOnlyWithoutRunnableTasks) {
    Driver d(GetParam(), 1, false);
    int idle = 0, busy = 0;
    for (int i = 0; i < 5'000; ++i) {
        if (!d.event()) continue;
        const TaskId next = d.schedule().next;
        ASSERT_EQ(d.m.is_idle_task(next), d.m.globals().nr_running == 0);
        ASSERT_EQ(d.m.task[next].state, TaskState::runnable);
        ++(d.m.is_idle_task(next) ? idle : busy);
    }
    EXPECT_GT(idle, 10);
    EXPECT_GT(busy, 500);
}

TEST_P(PolicyContract, OnlyChosenTaskHasProcessor) {
    Driver d(GetParam(), 2, false);
    for (int i = 0; i < 5'000; ++i) {
        if (!d.event()) continue;
        const TaskId next = d.schedule().next;
        ASSERT_EQ(d.m.task[next].processor, 0u);
        ASSERT_EQ(d.m.task[next].last_processor, 0u);
        for (TaskId p = 0; p < d.m.globals().high_row; ++p) {
            if (p == next || !d.m.is_live(p)) continue;
            ASSERT_EQ(d.m.task[p].processor, Task::kNoProcessor) << "row " << p;
        }
    }
}

TEST_P(PolicyContract, QueuesExactlyRunnableTasks) {
    Driver d(GetParam(), 3, false);
    for (int i = 0; i < 5'000; ++i) {
        if (!d.event()) continue;
        const TaskId next = d.schedule().next;
        std::uint32_t length = 0;
        for (TaskId p = d.m.next_run[0]; p != 0; p = d.m.next_run[p]) {
            ASSERT_EQ(d.m.task[p].state, TaskState::runnable);
            ASSERT_EQ(d.m.next_run[d.m.prev_run[p]], p);
            ++length;
        }
        const bool off = !d.m.is_idle_task(next) && !d.policy->keeps_running_task_queued();
        ASSERT_EQ(length + (off ? 1 : 0), d.m.globals().nr_running);
        ASSERT_EQ(d.is_queued(next), !d.m.is_idle_task(next) && d.policy->keeps_running_task_queued());
    }
}

TEST_P(PolicyContract, LogNamesChosenTaskWithoutSideEffects) {
    Driver plain(GetParam(), 4, false), logged(GetParam(), 4, true);
    for (int i = 0; i < 5'000; ++i) {
        const bool resched = plain.event();
        ASSERT_EQ(resched, logged.event());
        if (!resched) continue;
        const Decision a = plain.schedule(), b = logged.schedule();
        ASSERT_EQ(a.next, b.next);
        ASSERT_EQ(a.considered, b.considered);
        ASSERT_EQ(a.recalculations, b.recalculations);
        ASSERT_EQ(a.recalculated, b.recalculated);
        ASSERT_EQ(a.queue_steps, b.queue_steps);
        ASSERT_EQ(plain.m.hash(), logged.m.hash());
        ASSERT_EQ(logged.log.candidates.size(), b.considered);
        if (logged.m.is_idle_task(b.next)) continue;
        TaskId best = kNoTask;
        for (const Candidate& candidate : logged.log.candidates)
            if (candidate.best) best = candidate.task;
        ASSERT_EQ(best, b.next);
    }
}

TEST_P(PolicyContract, PseudoCodeCoversEveryWorkPhase) {
    Driver d(GetParam(), 4, true);
    const auto code = make_policy(GetParam()).pseudo_code;
    EXPECT_GE(code.size(), 8u);
    EXPECT_LE(code.size(), 14u);
    std::set<Phase> lines;
    for (const PseudoLine& line : code) {
        EXPECT_LE(4 * static_cast<std::size_t>(line.indent) + std::string_view(line.text).size(), 80u)
            << line.text;
        EXPECT_FALSE(std::string_view(line.text).empty());
        EXPECT_TRUE(lines.empty() || *lines.rbegin() <= line.phase) << "phases come in their order";
        lines.insert(line.phase);
    }
    const bool puts_back = lines.contains(Phase::put_back);
    std::set<Phase> needed{Phase::enter,          Phase::begin,     Phase::consider, Phase::keep,
                           Phase::switch_context, Phase::switch_mm, Phase::resume,   Phase::yield};
    for (int i = 0; i < 5'000; ++i) {
        if (!d.event()) continue;
        const std::uint32_t pending = d.pending_steps;
        const Decision decision = d.schedule();
        std::uint32_t own = d.log.bitmap_words + d.log.leave_steps + d.log.requeue_steps;
        if (d.log.bitmap_words > 0) needed.insert(Phase::find_bit);
        if (d.log.leave_steps > 0) needed.insert(Phase::leave);
        for (const Insertion& insertion : d.log.insertions) {
            own += insertion.steps;
            needed.insert(insertion.task == kNoTask ? Phase::reorder
                          : puts_back               ? Phase::put_back
                                                    : Phase::insert);
        }
        EXPECT_EQ(own, decision.queue_steps) << "what pick_next() counts, it logs";
        if (pending > 0) needed.insert(Phase::place_woken);
        if (decision.recalculated > 0) needed.insert(Phase::recalculate);
        if (d.log.prev_renewed) needed.insert(Phase::renew);
    }
    for (const Phase phase : needed) EXPECT_TRUE(lines.contains(phase)) << to_string(phase);
}

TEST_P(PolicyContract, KeepsAllStateInMachine) {
    Driver d(GetParam(), 5, false);
    for (int i = 0; i < 2'000; ++i) {
        // Another policy object continues from a copy of the machine, as after a rewind.
        Driver other(GetParam(), d.random, false);
        other.m = d.m;
        const bool resched = d.event();
        ASSERT_EQ(resched, other.event());
        if (!resched) continue;
        ASSERT_EQ(d.schedule().next, other.schedule().next);
        ASSERT_EQ(d.m.hash(), other.m.hash());
    }
}

TEST_P(PolicyContract, AnyWakeUpPreemptsTheIdleTask) {
    Driver d(GetParam(), 6, false);
    EXPECT_TRUE(d.make());
    EXPECT_NE(d.schedule().next, 0u);
    const TaskId p = d.current();
    d.m.task[p].state = TaskState::waiting;
    --d.m.globals().nr_running;
    EXPECT_EQ(d.schedule().next, 0u);
    EXPECT_TRUE(d.wake(p));
}

TEST_P(PolicyContract, ComputingTasksGetEqualTicks) {
    Driver d(GetParam(), 7, false);
    for (int i = 0; i < 5; ++i) {
        const TaskId p = d.m.allocate_task();
        d.m.priority[p] = 20;
        d.policy->start(d.m, p);
        d.wake(p, WakeUp::Waker::start);
    }
    d.schedule();
    std::vector<int> ticks(6);
    for (int i = 0; i < 5'000; ++i) {
        ++ticks[d.current()];
        if (d.tick()) d.schedule();
    }
    for (TaskId p = 1; p <= 5; ++p) EXPECT_NEAR(ticks[p], 1'000, 50);
}

TEST_P(PolicyContract, SingleTaskKeepsCpu) {
    Driver d(GetParam(), 8, false);
    d.make();
    const TaskId p = d.schedule().next;
    for (int i = 0; i < 200; ++i) {
        if (i % 3 == 0)
            d.policy->yield(d.m, p);
        else
            d.tick();
        ASSERT_EQ(d.schedule().next, p);
    }
}

INSTANTIATE_TEST_SUITE_P(All, PolicyContract, testing::ValuesIn(every_policy()), name_of_parameter);

}  // namespace policy_test
}  // namespace sim
