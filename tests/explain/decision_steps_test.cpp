// Tests of decision_steps(): the costs add up to what the engine charged, and the descriptions are correct.
#include "sim/explain/decision_steps.h"
#include "sim/scenario/builtin_files.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "sim/scenario/scenario_json.h"
#include "tests/support/decision_views.h"
#include "tests/support/random_scenario.h"
#include "tests/support/smp_scenario.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace decision_steps_test {

using Lines = std::vector<std::string>;

const std::vector<std::string> kPolicies{"linux-2.0",
                                         "linux-2.0:yield=one_tick",
                                         "linux-2.0:yield=move_last_only",
                                         "sorted-queue",
                                         "sorted-queue:insert=head,yield=one_tick",
                                         "round-robin:quantum=3",
                                         "linux-1.2",
                                         "linux-2.2",
                                         "linux-2.2:prev_goodness=yes",
                                         "linux-2.4.0",
                                         "linux-2.4.22:lone_yield=schedules",
                                         "linux-2.6.20",
                                         "linux-2.6.24",
                                         "linux-2.6.32",
                                         "linux-6.6",
                                         "linux-6.6:group_sched=yes",
                                         "nt4"};

// Checks the steps of a decision against rules that hold for every decision. Adds the phases of the steps
// to `seen`.
void check(const DecisionView& view, const NamedPolicy& policy, const Scenario& scenario,
           std::set<Phase>& seen) {
    const CostModel& costs = scenario.machine.costs;
    const std::vector<DecisionStep> steps = decision_steps(view, policy, costs);
    const TaskNamer name = make_task_namer(view, scenario);
    const auto& code = policy.pseudo_code;
    ASSERT_GE(steps.size(), 3u);
    EXPECT_EQ(steps.front().phase, Phase::enter);
    EXPECT_EQ(steps.back().phase, Phase::resume);
    EXPECT_EQ(steps.back().until, view.record.span);
    EXPECT_EQ(steps.back().best, view.record.task);
    EXPECT_EQ(steps.back().candidates, view.log.candidates.size());
    EXPECT_EQ(steps.back().counter_changes, view.log.counter_changes.size());
    EXPECT_EQ(decision_overhead(view, costs).total(), view.record.span);

    std::array<std::size_t, kPhases> line_of{};
    for (std::size_t i = code.size(); i-- > 0;) line_of[static_cast<std::size_t>(code[i].phase)] = i;

    Nanos sum{};
    Overhead parts;
    std::uint32_t considered = 0, refilled = 0;
    TaskId best = kNoTask;
    Phase latest = Phase::enter;
    for (const DecisionStep& step : steps) {
        sum += step.cost;
        parts.*overhead_part_of(step.phase) += step.cost;
        bool good = step.line == line_of[static_cast<std::size_t>(step.phase)] && step.cost >= Nanos{} &&
                    step.until == sum;
        if (step.phase == Phase::consider) {
            if (considered == 0 || considered == view.log.searched_before) {  // a search starts
                best = view.log.prev_first ? view.log.prev : kNoTask;
                latest = Phase::consider;
            }
            ++considered;
            good = good && step.candidates == considered && step.best == best &&
                   view.log.candidates[considered - 1].task == step.task;
        } else if (step.phase == Phase::keep) {
            best = step.task;
            good = good && view.log.candidates[considered - 1].task == step.task;
        } else {
            good = good && step.phase >= latest;
            latest = step.phase;
        }
        if (step.phase != Phase::resume) good = good && step.best == best;
        if (step.phase == Phase::recalculate) ++refilled;
        seen.insert(step.phase);
        // A recalculation can have a thousand similar steps; only the first ones are described.
        std::string text = "-.";
        if (step.phase != Phase::recalculate || refilled < 20) text = describe(step, view, policy, name);
        good = good && text.size() >= 2 && text.back() == '.';
        ASSERT_TRUE(good) << "line " << step.line << ", " << to_string(step.phase) << ": " << text;
    }
    EXPECT_EQ(considered, view.log.decision.considered);
    EXPECT_EQ(refilled, view.log.decision.recalculated);
    const Overhead charged = decision_overhead(view, costs);
    EXPECT_EQ(parts.system, charged.system);
    EXPECT_EQ(parts.select, charged.select);
    EXPECT_EQ(parts.recalculation, charged.recalculation);
    EXPECT_EQ(parts.context_switch, charged.context_switch);
    EXPECT_EQ(parts.address_space, charged.address_space);
    EXPECT_EQ(parts.cache_refill, charged.cache_refill);
}

// --- all scenarios and policies ---

TEST(DecisionSteps, ShippedScenarioStepsSumToCharge) {
    for (const std::string& shipped : builtin_file_names("")) {
        const Scenario scenario = load_scenario(shipped);
        for (const std::string& spec : kPolicies) {
            SCOPED_TRACE(shipped + " " + spec);
            const auto policy = make_policy(spec);
            if (policy.policy->max_cpus() < scenario.cpus) continue;
            std::uint64_t decisions = 0;
            std::set<Phase> seen;
            for_each_decision(scenario, *policy.policy, kManyRounds ? 1'000 : 50,
                              [&](const DecisionView& view) {
                                  ++decisions;
                                  if (!testing::Test::HasFailure()) check(view, policy, scenario, seen);
                              });
            ASSERT_FALSE(testing::Test::HasFailure());
            const bool yields_switch = spec != "linux-2.0:yield=move_last_only" && spec != "linux-1.2";
            const bool has_few = shipped == "lazy-tlb" || shipped == "goroutines-one-loop" ||
                                 shipped == "pipe-alone" || shipped == "lesson-11-convoy";
            EXPECT_GE(decisions, yields_switch && !has_few ? 15u : 1u);
        }
    }
}

TEST(DecisionSteps, RandomScenarioStepsSumToCharge) {
    std::set<Phase> seen;
    std::uint64_t decisions = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const Scenario scenario = random_scenario(seed);
        const std::string& spec = kPolicies[seed % kPolicies.size()];
        SCOPED_TRACE(fmt::format("seed {} {}", seed, spec));
        const auto policy = make_policy(spec);
        for_each_decision(scenario, *policy.policy, kManyRounds ? 2'000 : 70, [&](const DecisionView& view) {
            ++decisions;
            if (!testing::Test::HasFailure()) check(view, policy, scenario, seen);
        });
        ASSERT_FALSE(testing::Test::HasFailure());
    }
    EXPECT_GT(decisions, 10'000u);
    EXPECT_EQ(seen.size(), kPhases) << "every kind of work was met";
}

TEST(DecisionSteps, SmpScenarioStepsSumToCharge) {
    for (const std::uint32_t cpus : {1u, 2u, 8u}) {
        for (const char* spec : {"linux-2.4.22", "linux-2.2", "linux-2.0", "nt4"}) {
            SCOPED_TRACE(fmt::format("{} CPUs {}", cpus, spec));
            const Scenario scenario = smp_scenario(cpus);
            const auto policy = make_policy(spec, cpus);
            std::set<Phase> seen;
            Nanos refills{}, extra{};
            for_each_decision(scenario, *policy.policy, kManyRounds ? 1'000 : 50,
                              [&](const DecisionView& view) {
                                  if (!testing::Test::HasFailure()) check(view, policy, scenario, seen);
                                  refills += view.record.refill;
                                  extra += view.record.extra;
                              });
            ASSERT_FALSE(testing::Test::HasFailure());
            EXPECT_GT(refills, 0ns);
            EXPECT_GT(extra, 0ns);
        }
    }
}

// --- exact lists ---

const std::string kCosts =
    R"({"syscall": "500ns", "schedule": "300ns", "considered": "100ns", "recalculated": "10ns",
    "queue_step": "50ns", "switch_same_mm": "1us", "switch_other_mm": "4us"})";

Scenario scenario_of(const std::string& tasks, int hz = 1) {
    return parse_scenario("test.json",
                          fmt::format(R"({{"format": "switchyard-scenario/1", "until": "1h", "machine":
        {{"hz": {}, "costs": {}}}, "tasks": [{}]}})",
                                      hz, kCosts, tasks));
}

// The steps of decision `number` as lines: "consider 100 A best=B: sentence".
Lines steps_of(const Scenario& scenario, std::uint64_t number, const std::string& spec = "linux-2.0") {
    const auto policy = make_policy(spec);
    Lines lines;
    look_at_decision(scenario, *policy.policy, number, [&](const DecisionView& view) {
        const TaskNamer name = make_task_namer(view, scenario);
        for (const DecisionStep& step : decision_steps(view, policy, scenario.machine.costs))
            lines.push_back(fmt::format("{} {} {}: {}", step.line, to_string(step.phase), step.cost.count(),
                                        describe(step, view, policy, name)));
    });
    return lines;
}

// Two tasks that yield and one that sleeps; no ticks.
const std::string kYielding = R"(
    {"name": "A", "program": [{"loop": "forever", "steps": ["yield"]}]},
    {"name": "B", "program": [{"loop": "forever", "steps": ["yield"]}]},
    {"name": "S", "start": "1h", "program": ["exit"]})";

TEST(DecisionSteps, YieldWithSwitchListsEveryStep) {
    EXPECT_EQ(
        steps_of(scenario_of(kYielding), 2),
        (Lines{"0 enter 500: A calls sched_yield().",
               "1 yield 0: sched_yield() has put A after the others; its counter went from 20 to 0.",
               "2 begin 300: schedule() begins: prev is A.",
               "5 consider 100: B: counter 20, goodness 20: the first task examined.",
               "8 keep 0: B is the best so far, with goodness 20.",
               "5 consider 100: A: counter 0, goodness 0: less than B's 20.",
               "9 recalc_test 0: The best goodness is 20: nothing is recalculated.",
               "11 switch_context 1000: B replaces A: the state of A is saved, the state of B is loaded.",
               "12 switch_mm 3000: B has another address space: its page tables are loaded, and the TLB is "
               "flushed.",
               "13 resume 0: B runs."}));
}

TEST(DecisionSteps, RecalculationIsListedPerTask) {
    const Scenario scenario = scenario_of(kYielding);
    EXPECT_EQ(
        steps_of(scenario, 3),
        (Lines{"0 enter 500: B calls sched_yield().",
               "1 yield 0: sched_yield() has put B after the others; its counter went from 20 to 0.",
               "2 begin 300: schedule() begins: prev is B.",
               "5 consider 100: A: counter 0, goodness 0: the first task examined.",
               "8 keep 0: A is the best so far, with goodness 0.",
               "5 consider 100: B: counter 0, goodness 0: the same as A, which comes first.",
               "9 recalc_test 0: The best goodness is 0: every runnable task's counter is 0.",
               "10 refill 10: A: half of 0 is 0, plus 20 is 20.",
               "10 refill 10: B: half of 0 is 0, plus 20 is 20.",
               "10 refill 10: S, asleep: half of 20 is 10, plus 20 is 30.",
               "11 switch_context 1000: A replaces B: the state of B is saved, the state of A is loaded.",
               "12 switch_mm 3000: A has another address space: its page tables are loaded, and the TLB is "
               "flushed.",
               "13 resume 0: A runs."}));
}

TEST(DecisionSteps, RecalculationListsUnchangedCounter) {
    // The sleeper's counter: 20, 30, 35, 37, 38, 39, 39. The sixth recalculation changes nothing but still
    // costs time.
    const Lines lines = steps_of(scenario_of(kYielding), 13);
    EXPECT_EQ(lines[lines.size() - 4], "10 refill 10: S, asleep: half of 39 is 19, plus 20 is 39.");
    EXPECT_EQ(std::count_if(lines.begin(), lines.end(), [](auto& l) { return l.starts_with("10 refill"); }),
              3);
}

TEST(DecisionSteps, IdleTaskRunsIfNoneIsRunnable) {
    EXPECT_EQ(
        steps_of(scenario_of(R"({"name": "A", "program": [{"run": "1ms"}, {"arrival": "1s"}]})"), 2),
        (Lines{
            "0 enter 500: A makes a system call and goes to sleep in it.",
            "2 begin 300: schedule() begins: prev is A.", "4 leave 0: A is asleep: it leaves the queue.",
            "9 recalc_test 0: No task is runnable: nothing is recalculated.",
            "11 switch_context 1000: idle replaces A: the state of A is saved, the state of idle is loaded.",
            "12 switch_mm 3000: idle has another address space: its page tables are loaded, and the TLB "
            "is flushed.",
            "13 resume 0: idle runs and waits for an interrupt."}));
}

TEST(DecisionSteps, RecalculationIncludesExitingTask) {
    const Scenario scenario = scenario_of(R"({"name": "A", "program": ["yield", "yield"]},
                                             {"name": "B", "program": ["exit"]})");
    EXPECT_EQ(
        steps_of(scenario, 3),
        (Lines{"0 enter 500: B calls exit().", "2 begin 300: schedule() begins: prev is B.",
               "4 leave 0: B has exited: it leaves the queue.",
               "5 consider 100: A: counter 0, goodness 0: the first task examined.",
               "8 keep 0: A is the best so far, with goodness 0.",
               "9 recalc_test 0: The best goodness is 0: every runnable task's counter is 0.",
               "10 refill 10: A: half of 0 is 0, plus 20 is 20.",
               "10 refill 10: B, which has exited: half of 20 is 10, plus 20 is 30.",
               "11 switch_context 1000: A replaces B: the state of B is saved, the state of A is loaded.",
               "12 switch_mm 3000: A has another address space: its page tables are loaded, and the TLB is "
               "flushed.",
               "13 resume 0: A runs."}));
    const Lines alone = steps_of(scenario, 4);
    ASSERT_GE(alone.size(), 2u);
    EXPECT_EQ(alone[alone.size() - 2], "10 refill 10: A: half of 0 is 0, plus 20 is 20.");
    EXPECT_EQ(alone.back(), "13 resume 0: A continues.");
}

TEST(DecisionSteps, BonusForPrevIsStated) {
    const std::string spec = "linux-2.0:yield=one_tick";
    const Lines lines = steps_of(scenario_of(kYielding), 2, spec);
    EXPECT_EQ(lines[1],
              "1 yield 0: sched_yield() has put A after the others; its counter went from 20 to 19.");
    EXPECT_EQ(
        lines[5],
        "5 consider 100: A: counter 19, +1 for being prev, goodness 20: the same as B, which comes first.");
    const Lines stays = steps_of(scenario_of(kYielding), 3, spec);
    EXPECT_EQ(stays[5], "5 consider 100: B: counter 19, +1 for being prev, goodness 20: more than A's 19.");
    EXPECT_EQ(stays.back(), "13 resume 0: B continues.");
}

TEST(DecisionSteps, PreemptingWakeUpIsDescribed) {
    const Lines lines = steps_of(scenario_of(R"(
        {"name": "A", "program": [{"run": "10ms"}]},
        {"name": "R", "class": "fifo", "rt_priority": 7, "start": "5ms", "program": [{"run": "1ms"}]})"),
                                 2);
    EXPECT_EQ(lines[0], "0 enter 0: need_resched is set: A gives way before it returns to user mode.");
    EXPECT_EQ(lines[4], "5 consider 100: R: real time, goodness 1007: more than A's 21.");
}

TEST(DecisionSteps, NewSliceOfRrTaskIsDescribed) {
    const Lines lines = steps_of(scenario_of(R"(
        {"name": "A", "class": "rr", "rt_priority": 7, "program": ["yield"]},
        {"name": "B", "class": "rr", "rt_priority": 7, "program": [{"run": "1ms"}]})"),
                                 2);
    EXPECT_EQ(lines[1], "1 yield 0: sched_yield() has taken the slice of A.");
    EXPECT_EQ(lines[3],
              "3 renew 0: A (class rr) has used up its slice: it gets a new slice of 20 ticks and goes after "
              "all tasks that are equal to it.");
    EXPECT_EQ(lines[6], "5 consider 100: A: real time, goodness 1007: the same as B, which comes first.");
}

TEST(DecisionSteps, SameAddressSpaceOmitsMmSwitch) {
    const Lines lines =
        steps_of(scenario_of(R"({"name": "A", "count": 2, "mm": "x", "program": ["yield", "yield"]})"), 2);
    EXPECT_EQ(lines.back(), "13 resume 0: A.2 runs.");
    EXPECT_TRUE(lines[lines.size() - 2].starts_with("11 switch_context 1000: ")) << lines[lines.size() - 2];
}

TEST(DecisionSteps, SortedQueueComparisonsAreCharged) {
    const Scenario scenario = scenario_of(kYielding);
    // At the start of the run, both tasks were inserted in the queue. When B was inserted, it was compared
    // with A.
    const Lines first = steps_of(scenario, 1, "sorted-queue");
    EXPECT_EQ(
        first[1],
        "2 place_woken 50: Putting woken tasks into the queue took 1 comparison; the cost is charged now.");
    EXPECT_EQ(
        steps_of(scenario, 3, "sorted-queue"),
        (Lines{"0 enter 500: B calls sched_yield().",
               "1 yield 0: sched_yield() has put B after the others; its counter went from 20 to 0.",
               "3 begin 300: schedule() begins: prev is B.",
               "5 consider 100: A: counter 0, goodness 0: the first task examined.",
               "6 keep 0: A is the best so far, with goodness 0.",
               "5 consider 100: B: counter 0, goodness 0: the same as A, which comes first.",
               "7 insert 50: B is not chosen and is inserted into the queue: 1 comparison.",
               "8 recalc_test 0: The best goodness is 0: every runnable task's counter is 0.",
               "9 refill 10: A: half of 0 is 0, plus 20 is 20.",
               "9 refill 10: B: half of 0 is 0, plus 20 is 20.",
               "9 refill 10: S, asleep: half of 20 is 10, plus 20 is 30.",
               "10 reorder 50: The queue is sorted by priority again: 1 queue step.",
               "11 switch_context 1000: A replaces B: the state of B is saved, the state of A is loaded.",
               "12 switch_mm 3000: A has another address space: its page tables are loaded, and the TLB is "
               "flushed.",
               "13 resume 0: A runs."}));
}

TEST(DecisionSteps, RoundRobinStatesWhoseTurnItIs) {
    EXPECT_EQ(
        steps_of(scenario_of(kYielding), 2, "round-robin"),
        (Lines{"0 enter 500: A calls sched_yield().",
               "1 yield 0: sched_yield() has put A after the others; its counter stays 20.",
               "3 begin 300: schedule() begins: prev is A.", "5 consider 100: B: it is first in the queue.",
               "7 keep 0: B is chosen.",
               "8 switch_context 1000: B replaces A: the state of A is saved, the state of B is loaded.",
               "9 switch_mm 3000: B has another address space: its page tables are loaded, and the TLB is "
               "flushed.",
               "10 resume 0: B runs."}));
}

// --- policies of another kind ---

// A policy with two lines of pseudo-code that logs nothing.
class MinimalPolicy final : public Policy {
  public:
    void start(Machine&, TaskId) const override {}
    std::uint32_t enqueue(Machine&, TaskId) const override { return 0; }
    bool preempts(const Machine&, TaskId, TaskId) const override { return true; }
    bool tick(Machine&, TaskId) const override { return false; }
    bool yield(Machine&, TaskId) const override { return true; }
    void fork(Machine&, TaskId, TaskId) const override {}
    Decision pick_next(Machine&, CpuId, TaskId, DecisionLog*) const override { return {}; }
    bool keeps_running_task_queued() const override { return true; }
};

TEST(DecisionSteps, UnloggedWorkIsStillCharged) {
    const Scenario scenario = scenario_of(R"({"name": "A", "program": ["exit"]})");
    const CostModel& costs = scenario.machine.costs;
    const Machine m(MachineShape{.cpus = 1, .tasks = 3});
    DecisionView view{.before = m, .after = m};
    view.log.decision = {
        .next = 0, .considered = 5, .recalculations = 2, .recalculated = 7, .queue_steps = 3};
    view.record = {.time = {}, .kind = TraceKind::schedule, .cpu = 0, .task = 0, .other = 0};
    view.record.span = CostCalculator(costs).cost_of_schedule(view.log.decision, false, false);
    const NamedPolicy policy{.name = "taciturn",
                             .options = {},
                             .policy = std::make_shared<MinimalPolicy>(),
                             .criterion = "whim",
                             .pseudo_code = {{Phase::enter, 0, "in"}, {Phase::resume, 0, "out"}},
                             .recorded_kernel = {}};
    const auto steps = decision_steps(view, policy, costs);
    EXPECT_EQ(steps.back().until, view.record.span);
    Lines lines;
    for (const DecisionStep& step : steps)
        lines.push_back(fmt::format("{} {} {}", step.line, to_string(step.phase), step.cost.count()));
    EXPECT_EQ(lines, (Lines{"0 enter 0", "0 place_woken 150", "0 begin 300", "0 consider 500", "0 refill 70",
                            "1 resume 0"}));
    EXPECT_EQ(describe(steps[3], view, policy, make_task_namer(view, scenario)), "5 more tasks examined.");
    EXPECT_EQ(describe(steps[4], view, policy, make_task_namer(view, scenario)), "7 more tasks visited.");
}

TEST(DecisionSteps, RepeatedRecalculationsListEveryVisit) {
    const Scenario scenario = scenario_of(kYielding);
    const CostModel& costs = scenario.machine.costs;
    const auto policy = make_policy("linux-2.0");
    bool reached = false;
    look_at_decision(scenario, *policy.policy, 3, [&](const DecisionView& once) {
        reached = true;
        DecisionView view = once;
        view.log.decision.recalculations = 2;
        view.log.decision.recalculated = 6;
        view.log.counter_changes = {{1, 0, 20}, {2, 0, 20}, {3, 20, 30}, {1, 20, 30}, {3, 30, 35}};
        view.record.span += 3 * costs.recalculated.time;
        std::vector<TaskId> visited;
        std::vector<std::uint32_t> made;
        for (const DecisionStep& step : decision_steps(view, policy, costs)) {
            if (step.phase != Phase::recalculate) continue;
            visited.push_back(step.task);
            made.push_back(step.counter_changes);
        }
        EXPECT_EQ(visited, (std::vector<TaskId>{1, 2, 3, 1, 2, 3}));
        EXPECT_EQ(made, (std::vector<std::uint32_t>{1, 2, 3, 4, 4, 5}));
    });
    EXPECT_TRUE(reached);
}

TEST(DecisionSteps, RecalculationOf65000TasksIsFast) {
    Scenario scenario = scenario_of(R"(
        {"name": "A", "count": 2, "program": [{"loop": "forever", "steps": ["yield"]}]},
        {"name": "S", "count": 64998, "start": "1h", "program": ["exit"]})");
    const auto policy = make_policy("linux-2.0");
    bool reached = false;
    look_at_decision(scenario, *policy.policy, 3, [&](const DecisionView& view) {
        reached = true;
        const auto began = std::chrono::steady_clock::now();
        const auto steps = decision_steps(view, policy, scenario.machine.costs);
        const auto took = std::chrono::steady_clock::now() - began;
        EXPECT_EQ(steps.size(), 65'000u + 10);
        EXPECT_EQ(steps.back().until, view.record.span);
        EXPECT_LT(took, kOptimised ? std::chrono::milliseconds(50) : std::chrono::milliseconds(1'000));
        RecordProperty("microseconds",
                       std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(took).count()));
    });
    EXPECT_TRUE(reached);
}

}  // namespace decision_steps_test
}  // namespace sim
