// Re-execution is exact: the run history returns the same states as an uninterrupted run of the engine.
#include "sim/replay/run_history.h"
#include "sim/scenario/builtin_files.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sim/explain/decision_steps.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/decision_views.h"
#include "tests/support/recorded.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace recording_test {

constexpr std::uint64_t kEvents = kManyRounds ? 10'000 : 400;

RunHistory recorded(const RunCase& run, const RecordingLimits& limits) {
    RunHistory recording(run.scenario, run.policy, {}, limits);
    recording.extend_to_end();
    return recording;
}

// Returns memory limits that alternate between a large amount, almost none, and an amount in between.
RecordingLimits limits_for(std::uint64_t number) {
    constexpr std::size_t kBytes[] = {std::size_t{64} << 20, 1, 300'000};
    return {.keyframe_bytes = kBytes[number % 3], .keyframe_spacing = 30 + 30 * (number % 4)};
}

std::vector<RunCase> runs_of_every_kind(std::uint64_t seed) {
    return some_runs(kEvents, kManyRounds ? 60 : 10, seed);
}

TEST(RunHistory, EndMatchesPlainRun) {
    std::uint64_t number = 0;
    for (const RunCase& run : runs_of_every_kind(1'000)) {
        SCOPED_TRACE(run.name);
        const RunHistory recording = recorded(run, limits_for(number++));
        const Engine engine(*run.scenario, *run.policy.policy);
        Moment plain{engine.initial_state(), Statistics(run.scenario->shape)};
        const StopReason reason = engine.run(plain.machine, {.until = run.scenario->until.value_or(kHorizon)},
                                             {.statistics = &plain.statistics});
        ASSERT_EQ(digest(recording.simulated_end()), digest(plain));
        ASSERT_EQ(recording.stop_reason(), reason);
    }
}

TEST(RunHistory, StateAtAnyTimeMatchesPlainRun) {
    std::mt19937_64 random(2);
    std::uint64_t number = 0;
    for (const RunCase& run : runs_of_every_kind(2'000)) {
        SCOPED_TRACE(run.name);
        const RunHistory recording = recorded(run, limits_for(number++));
        const auto simulated_end =
            static_cast<std::uint64_t>(recording.simulated_end().machine.globals().now.count());
        Moment moment = recording.beginning();
        for (int i = 0; i < 12; ++i) {
            const Nanos t{static_cast<std::int64_t>(i == 0   ? 0
                                                    : i == 1 ? simulated_end
                                                             : random() % (simulated_end + 1))};
            recording.state_at(t, moment);
            ASSERT_EQ(digest(moment), digest(plain_until(run, t))) << t.count();
        }
        recording.state_at(kHorizon, moment);
        ASSERT_EQ(digest(moment), digest(recording.simulated_end()));
    }
}

// If there is a keyframe after every event, some keyframes are at the requested time: before the events at
// this time, or between two of them.
TEST(RunHistory, StateExcludesEventsAtRequestedTime) {
    for (const RunCase& run : some_runs(30, 20, 2'500)) {
        if (run.scenario->shape.tasks > 50) continue;
        SCOPED_TRACE(run.name);
        const RunHistory recording = recorded(run, {.keyframe_spacing = 1});
        Moment moment = recording.beginning();
        Nanos last{-1};
        for_each_event(run, [&](const Moment& plain) {
            const Nanos t = plain.machine.globals().now;
            if (std::exchange(last, t) == t) return;
            recording.state_at(t, moment);
            ASSERT_EQ(digest(moment), digest(plain_until(run, t))) << t.count();
        });
    }
}

TEST(RunHistory, FindsNthStepOfEveryKind) {
    std::mt19937_64 random(3);
    std::uint64_t number = 0;
    for (const RunCase& run : runs_of_every_kind(3'000)) {
        SCOPED_TRACE(run.name);
        const RunHistory recording = recorded(run, limits_for(number++));
        // Random event numbers of each kind, in order, and the states of the uninterrupted run after these
        // events.
        struct Wanted {
            StepEventKind kind;
            std::uint64_t n;
            bool found = false;
        };
        std::vector<Wanted> wanted;
        for (const StepEventKind kind : kStepKinds) {
            const std::uint64_t all =
                count_steps(kind, recording.simulated_end().machine, recording.simulated_end().statistics);
            for (int i = 0; i < 5; ++i) wanted.push_back({kind, random() % (all + 1)});
            wanted.push_back({kind, all});
        }
        Moment moment = recording.beginning();
        for_each_event(run, [&](const Moment& plain) {
            for (Wanted& w : wanted) {
                if (w.found || count_steps(w.kind, plain.machine, plain.statistics) < w.n) continue;
                w.found = true;
                ASSERT_TRUE(recording.find_step(w.kind, w.n, moment));
                ASSERT_EQ(digest(moment), digest(plain)) << to_string(w.kind) << " " << w.n;
                recording.state_after(plain.machine.globals().events, moment);
                ASSERT_EQ(digest(moment), digest(plain));
            }
        });
        for (const Wanted& w : wanted) ASSERT_TRUE(w.found);
        for (const StepEventKind kind : kStepKinds)
            ASSERT_FALSE(recording.find_step(
                kind,
                count_steps(kind, recording.simulated_end().machine, recording.simulated_end().statistics) +
                    1,
                moment));
    }
}

TEST(RunHistory, IncrementalExtensionMatchesWholeRun) {
    std::mt19937_64 random(4);
    for (const RunCase& run : some_runs(kEvents, rounds(20, 4, 2), 4'000)) {
        SCOPED_TRACE(run.name);
        const RunHistory whole = recorded(run, limits_for(0));
        RunHistory pieces(run.scenario, run.policy, {}, limits_for(0));
        while (!pieces.is_complete()) pieces.extend(1 + random() % 300);
        ASSERT_EQ(digest(pieces.simulated_end()), digest(whole.simulated_end()));
        ASSERT_EQ(pieces.keyframe_count(), whole.keyframe_count());
        ASSERT_EQ(pieces.overview().samples().size(), whole.overview().samples().size());
    }
}

TEST(RunHistory, KeyframesStayWithinMemoryLimit) {
    for (const RunCase& run : some_runs(kEvents, kManyRounds ? 10 : 2, 5'000)) {
        SCOPED_TRACE(run.name);
        const RunHistory recording = recorded(run, {.keyframe_bytes = 300'000, .keyframe_spacing = 10});
        if (recording.keyframe_count() > 3) {
            ASSERT_LE(recording.keyframe_bytes(), 300'000u);
        }
        const std::uint64_t events = recording.simulated_end().machine.globals().events;
        ASSERT_GE((recording.keyframe_count() + 1) * recording.keyframe_spacing(), events);
    }
}

// A hog makes no decisions, but its ticks are events.
TEST(RunHistory, KeyframesExistWithoutDecisions) {
    const auto scenario = std::make_shared<const Scenario>(parse_scenario(
        "test.json", R"({"format": "switchyard-scenario/1", "machine": {"hz": 10000}, "until": "10s",
        "tasks": [{"name": "hog", "program": [{"run": "1h"}]}]})"));
    RunHistory recording(scenario, make_policy("linux-2.0"));
    recording.extend(1);
    EXPECT_FALSE(recording.is_complete()) << "a piece is a piece";
    recording.extend_to_end();
    EXPECT_GT(recording.keyframe_count(), 40u);
}

TEST(RunHistory, ReplayFindsNoDifference) {
    std::uint64_t number = 0, compared = 0;
    for (const RunCase& run : runs_of_every_kind(6'000)) {
        SCOPED_TRACE(run.name);
        const RunHistory recording = recorded(run, limits_for(number++));
        for (std::size_t k = 0; k + 1 < recording.keyframe_count(); ++k, ++compared)
            ASSERT_FALSE(recording.check_replay(k)) << k;
    }
    EXPECT_GT(compared, kManyRounds ? 500u : 100u);
}

// Violates the rule that all state of a policy is in Machine: the decisions depend on the number of earlier
// calls.
class ImpurePolicy final : public Policy {
  public:
    void start(Machine& m, TaskId p) const override { real_->start(m, p); }
    std::uint32_t enqueue(Machine& m, TaskId p) const override { return real_->enqueue(m, p); }
    bool preempts(const Machine& m, TaskId woken, TaskId current) const override {
        return real_->preempts(m, woken, current);
    }
    bool tick(Machine& m, TaskId p) const override { return real_->tick(m, p); }
    bool yield(Machine& m, TaskId p) const override { return real_->yield(m, p); }
    void fork(Machine& m, TaskId parent, TaskId child) const override { real_->fork(m, parent, child); }
    Decision pick_next(Machine& m, CpuId cpu, TaskId prev, DecisionLog* log) const override {
        Decision decision = real_->pick_next(m, cpu, prev, log);
        decision.considered += ++calls_ % 1'009 == 0 ? 1 : 0;
        return decision;
    }
    bool keeps_running_task_queued() const override { return real_->keeps_running_task_queued(); }
    bool has_linux_counters() const override { return real_->has_linux_counters(); }

  private:
    std::shared_ptr<const Policy> real_ = make_policy("linux-2.0").policy;
    mutable std::uint64_t calls_ = 0;
};

TEST(RunHistory, ReportsNondeterministicPolicy) {
    const RunCase run{"",
                      std::make_shared<const Scenario>(load_scenario("yield-processes")),
                      {"forgetful", {}, std::make_shared<const ImpurePolicy>(), "goodness", {}, {}}};
    const RunHistory recording = recorded(run, {.keyframe_spacing = 512});
    std::size_t differences = 0;
    for (std::size_t k = 0; k + 1 < recording.keyframe_count(); ++k) {
        const std::optional<ReplayDifference> difference = recording.check_replay(k);
        if (!difference) continue;
        ++differences;
        EXPECT_NE(difference->recorded, difference->replayed);
        EXPECT_EQ(difference->after_events, (k + 1) * recording.keyframe_spacing());
    }
    EXPECT_GT(differences, recording.keyframe_count() / 4);
}

TEST(RunHistory, DecisionsMatchPlainRun) {
    for (std::size_t turn = 0; const std::string& name : builtin_file_names("")) {
        for (const char* spec : {"linux-2.0", "sorted-queue", "round-robin"}) {
            if (!kManyRounds && turn++ % 4 != 0) continue;  // one or two policies per scenario, alternating
            SCOPED_TRACE(name + " under " + spec);
            const NamedPolicy policy = make_policy(spec);
            const Scenario whole = load_scenario(name);
            if (!kManyRounds && whole.shape.tasks > 500) continue;  // takes too long
            const auto scenario = std::make_shared<const Scenario>(
                shortened(whole, policy, scale_by_task_count(kManyRounds ? 20'000 : 350, whole)));
            RunHistory recording(scenario, policy, {}, {.keyframe_spacing = 200});
            recording.extend_to_end();
            const std::uint64_t every = kManyRounds ? 47 : 97;
            const CostCalculator calculator(scenario->machine.costs);
            std::uint64_t last = 0;
            const auto wanted = [&](std::uint64_t n) { return n % every == 0 || n <= 20; };
            for_each_decision(*scenario, *policy.policy, 20'000, wanted, [&](const DecisionView& plain) {
                last = plain.number;
                const std::optional<DecisionView> view = recording.decision_at(plain.number);
                ASSERT_TRUE(view);
                ASSERT_EQ(view->number, plain.number);
                ASSERT_EQ(view->switch_number, plain.switch_number);
                ASSERT_EQ(view->record.time, plain.record.time);
                ASSERT_EQ(view->record.task, plain.record.task);
                ASSERT_EQ(view->record.other, plain.record.other);
                ASSERT_EQ(view->log.decision.next, plain.record.task);
                ASSERT_EQ(view->log.prev, plain.record.other);
                ASSERT_EQ(view->log.candidates.size(), plain.record.decision.considered);
                ASSERT_EQ(view->log.candidates.size(), plain.log.candidates.size());
                ASSERT_EQ(view->log.counter_changes.size(), plain.log.counter_changes.size());
                ASSERT_EQ(view->after.hash(), plain.after.hash());
                const Decision& d = view->record.decision;
                ASSERT_EQ(
                    view->record.span,
                    (view->record.from_syscall ? calculator.syscall_cost() : 0ns) + view->record.extra +
                        calculator.cost_of_schedule(d, d.next != view->record.other, view->record.loads_mm) +
                        view->record.refill);
                const Cpu& cpu = view->after.cpu(view->record.cpu);
                ASSERT_EQ(cpu.current, d.next);
                ASSERT_EQ(cpu.kernel_until, view->record.time + view->record.span);
            });
            if (testing::Test::HasFatalFailure()) return;
            ASSERT_GT(last, 0u);
            ASSERT_FALSE(recording.decision_at(0));
            ASSERT_FALSE(recording.decision_at(recording.simulated_end().machine.globals().decisions + 1));
        }
    }
}

}  // namespace recording_test
// Acceptance test of the decision pane: every decision of all short scenarios.
TEST(RunHistory, DecisionStepCostsSumToDuration) {
    for (const std::string& name : builtin_file_names("")) {
        if (name == "web-server") continue;  // the only long scenario
        const Scenario whole = load_scenario(name);
        const NamedPolicy policy = make_policy(whole.policy);
        const auto scenario = std::make_shared<const Scenario>(
            kManyRounds ? whole : shortened(whole, policy, kOptimised ? 1'500 : 250));
        RunHistory recording(scenario, policy, {}, {.keyframe_spacing = 128});
        recording.extend_to_end();
        Moment moment = recording.beginning();
        Trace trace;
        const std::uint64_t all = recording.simulated_end().machine.globals().decisions;
        const std::uint64_t every = all / (kManyRounds ? scale_by_task_count(1'500, whole) : 5) + 1;
        for (std::uint64_t n = 1; n <= all; n += every) {
            trace.records.clear();
            recording.advance(moment, {.decisions = n}, &trace);
            // Records about address spaces and reschedule requests follow the schedule record.
            const auto last = std::find_if(trace.records.rbegin(), trace.records.rend(),
                                           [](const auto& r) { return r.kind == TraceKind::schedule; });
            ASSERT_NE(last, trace.records.rend());
            const Cpu& cpu = moment.machine.cpu(last->cpu);
            const std::optional<DecisionView> view = recording.decision_at(n);
            ASSERT_TRUE(view) << name << ", decision " << n;
            ASSERT_EQ(view->log.decision.next, cpu.current) << name << ", decision " << n;
            ASSERT_EQ(view->record.task, last->task);
            const std::vector<DecisionStep> steps = decision_steps(*view, policy, scenario->machine.costs);
            Nanos sum{};
            for (const DecisionStep& step : steps) sum += step.cost;
            ASSERT_EQ(sum, last->span) << name << ", decision " << n;
            ASSERT_EQ(cpu.kernel_until, moment.machine.globals().now + sum);
        }
    }
}

}  // namespace sim
