// Properties of machines with one to eight CPUs in random scenarios with all features. The rules of
// sim/check/invariants.h hold between any two events; nothing is left over at the end; observing, pausing,
// replaying or intervening breaks no rule.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <string>

#include "sim/base/units.h"
#include "sim/check/invariants.h"
#include "sim/core/action.h"
#include "sim/core/address_space.h"
#include "sim/core/engine.h"
#include "sim/lab/summary_json.h"
#include "sim/replay/intervention.h"
#include "sim/replay/run_history.h"
#include "sim/replay/session.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/random_scenario.h"
#include "tests/support/recorded.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace smp_invariants_test {

constexpr const char* kPolicies[] = {"linux-2.0",
                                     "linux-2.0:yield=one_tick",
                                     "linux-2.2",
                                     "linux-2.4.0",
                                     "linux-2.4.22",
                                     "nt4",
                                     "round-robin",
                                     "sorted-queue",
                                     "linux-2.2:prev_goodness=yes",
                                     "linux-2.6.20",
                                     "linux-2.6.24",
                                     "linux-2.6.32:yield=compat",
                                     "linux-6.6",
                                     "linux-6.6:group_sched=yes,yield=forfeit"};

// Each policy is combined with each number of CPUs.
const char* policy_for(std::uint64_t number) { return kPolicies[number / 8 % std::size(kPolicies)]; }

struct Counted {
    std::uint64_t events = 0;
    std::map<StopReason, std::uint64_t> reasons;
};

// Checks the first events of a run. Returns the first violated rule and its position; empty if there is
// none.
std::string first_broken_rule(const Scenario& scenario, const char* spec, std::uint64_t most_events,
                              Counted& counted) {
    const NamedPolicy policy = make_policy(spec, scenario.cpus);
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    Statistics statistics(m.shape());
    const auto broken = [&] { return check_invariants(m, scenario, *policy.policy, &statistics); };
    const Nanos until = scenario.until.value_or(kHorizon);
    std::string problem = broken();
    std::uint64_t event = 0;
    for (; problem.empty() && event < most_events && engine.step(m, until, {.statistics = &statistics});
         ++event)
        problem = broken();
    counted.events += event;
    if (m.globals().is_stopped) ++counted.reasons[m.globals().stopped];
    if (problem.empty()) problem = broken();  // also check at `until`, which is between two events
    if (problem.empty()) return {};
    return fmt::format("{}, after event {} at {} under {}", problem, event, format_time(m.globals().now),
                       spec);
}

TEST(SmpInvariants, HoldInRandomScenarios) {
    Counted counted;
    const std::uint64_t scenarios = rounds(1'000, 1'000, 250);
    for (std::uint64_t number = 1; number <= scenarios; ++number) {
        const Scenario scenario = random_smp_scenario(number);
        constexpr std::uint64_t kRounds = kManyRounds ? 4 : 1;
        for (std::uint64_t round = 0; round < kRounds; ++round)
            ASSERT_EQ(first_broken_rule(scenario, policy_for(number + 16 * round), 2'500, counted), "")
                << "scenario " << number;
    }
    std::cout << counted.events << " events\n";
    EXPECT_GT(counted.events, 1'000 * scenarios);
    for (const StopReason reason : {StopReason::all_exited, StopReason::deadlock, StopReason::task_limit})
        EXPECT_GT(counted.reasons[reason], 0u) << to_string(reason);
    EXPECT_EQ(counted.reasons[StopReason::livelock], 0u);
}

TEST(SmpInvariants, NoCpuIdlesBesideReadyTask) {
    for (std::uint64_t number = 2'000; number < (kManyRounds ? 2'400 : 2'050); ++number) {
        Scenario scenario = random_smp_scenario(number);
        for (TaskGroup& group : scenario.groups) group.affinity = ~std::uint64_t{0};
        const NamedPolicy policy = make_policy(policy_for(number), scenario.cpus);
        if (policy.name == "linux-2.2") continue;  // picks the waker's CPU, which may stay busy
        if (policy.policy->has_queue_per_cpu()) continue;
        const Engine engine(scenario, *policy.policy);
        Machine m = engine.initial_state();
        for (int event = 0; event < 1'500; ++event) {
            const TaskId p = find_unserved_ready_task(m, scenario, *policy.policy);
            ASSERT_EQ(p, kNoTask) << "scenario " << number << ", event " << event << ", " << policy.spec()
                                  << ": " << scenario.task_name(m, p);
            if (!engine.step(m, *scenario.until, {})) break;
        }
    }
}

TEST(SmpInvariants, ResourcesAreFreeAfterAllExits) {
    Counted counted;
    for (std::uint64_t number = 1; number <= rounds(1'000u, 300u, 100u); ++number) {
        const Scenario scenario = parse_scenario("random.json", random_ending_scenario_json(number));
        const NamedPolicy policy = make_policy(policy_for(number), scenario.cpus);
        const Engine engine(scenario, *policy.policy);
        Machine m = engine.initial_state();
        Statistics statistics(m.shape());
        std::string problem;
        while (problem.empty() && engine.step(m, kHorizon, {.statistics = &statistics})) {
            ++counted.events;
            problem = check_invariants(m, scenario, *policy.policy, &statistics);
        }
        ASSERT_EQ(problem, "") << "scenario " << number << ", " << policy.spec();
        ASSERT_TRUE(m.globals().is_stopped);
        ASSERT_EQ(m.globals().stopped, StopReason::all_exited) << "scenario " << number;
        EXPECT_EQ(m.globals().nr_running, 0u);
        for (ChannelId c = 0; c < m.shape().channels; ++c) {
            EXPECT_EQ(m.channel(c).first, kNoTask);
            EXPECT_EQ(m.channel(c).owner, kNoTask);
            const ChannelSpec::Kind kind = scenario.channels[c].kind;
            if (kind == ChannelSpec::Kind::lock || kind == ChannelSpec::Kind::pipe_readers) {
                // Locks are free (1 token), pipes are empty (0).
                const bool is_lock = kind == ChannelSpec::Kind::lock;
                EXPECT_EQ(m.channel(c).tokens, is_lock ? 1u : 0u);
            }
        }
        drop_borrowed_mms(m);
        std::uint32_t free = 0;
        for (MmId id = m.globals().free_mm; id != kKernelMm; id = m.mm(id).users) ++free;
        EXPECT_EQ(free, m.globals().next_mm - 1 - scenario.shared_mms) << "scenario " << number;
        for (MmId id = 1; id < m.shape().mms; ++id)
            ASSERT_EQ(m.mm(id).count, 0u) << "scenario " << number << ", address space " << id;
        for (CpuId c = 0; c < m.shape().cpus; ++c) EXPECT_EQ(m.cpu(c).recent, 0u);
    }
    std::cout << counted.events << " events\n";
}

TEST(RandomSmpScenario, CoversEventsChannelsAndKernelWork) {
    std::map<TraceKind, std::uint64_t> kinds;
    std::map<ChannelSpec::Kind, std::uint64_t> waits;
    std::array<std::uint64_t, kKernelWorks> work{};
    std::uint64_t migrations = 0, lazy_avoided = 0, refilled = 0, handed_on = 0;
    for (std::uint64_t number = 1; number <= rounds(300u, 300u, 150u); ++number) {
        const Scenario scenario = random_smp_scenario(number);
        EXPECT_EQ(scenario.cpus, 1 + number % 8);
        const NamedPolicy policy = make_policy(policy_for(number), scenario.cpus);
        const Engine engine(scenario, *policy.policy);
        Machine m = engine.initial_state();
        Trace trace;
        Statistics s(m.shape());
        engine.run(m, {.until = *scenario.until, .decisions = 3'000}, {.statistics = &s, .trace = &trace});
        for (const TraceRecord& record : trace.records) ++kinds[record.kind];
        for (ChannelId c = 0; c < s.waits.size(); ++c)
            waits[scenario.channels[c].kind] += s.waits[c].switches;
        for (std::size_t kind = 0; kind < kKernelWorks; ++kind) work[kind] += s.work[kind];
        migrations += s.migrations;
        lazy_avoided += s.lazy_avoided;
        refilled += s.tlb_entries + s.cache_lines + s.streamed_lines;
        for (const WaitAttribution& b : s.wait_attributions) handed_on += b.waits;
    }
    for (int kind = 0; kind <= static_cast<int>(TraceKind::reschedule_ipi); ++kind)
        EXPECT_GT(kinds[static_cast<TraceKind>(kind)], 100u) << to_string(static_cast<TraceKind>(kind));
    for (const auto kind :
         {ChannelSpec::Kind::channel, ChannelSpec::Kind::parking, ChannelSpec::Kind::lock,
          ChannelSpec::Kind::pipe_readers, ChannelSpec::Kind::pipe_writers, ChannelSpec::Kind::device})
        EXPECT_GT(waits[kind], 20u) << to_string(kind);
    for (std::size_t kind = 0; kind < kKernelWorks; ++kind)
        EXPECT_GT(work[kind], 100u) << to_string(static_cast<KernelWork>(kind));
    EXPECT_GT(migrations, 1'000u);
    EXPECT_GT(lazy_avoided, 1'000u);
    EXPECT_GT(refilled, 10'000u);
    EXPECT_GT(handed_on, 1'000u);
}

// --- operations without effect ---

constexpr std::uint64_t kFirst = 10'000;
constexpr std::uint64_t kRuns = rounds(200, 60, 30);

// Calls visit(number, scenario, policy, limits) for many scenarios, with alternating policies.
template <class Visit>
void for_many_runs(Visit visit) {
    for (std::uint64_t number = kFirst; number < kFirst + kRuns; ++number) {
        const Scenario scenario = random_smp_scenario(number);
        const NamedPolicy policy = make_policy(policy_for(number), scenario.cpus);
        SCOPED_TRACE(fmt::format("scenario {}, {}", number, policy.spec()));
        visit(number, scenario, *policy.policy, Limits{.until = *scenario.until, .decisions = 1'500});
        if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(SmpRun, PausesDoNotChangeResult) {
    for_many_runs(
        [](std::uint64_t number, const Scenario& scenario, const Policy& policy, const Limits& limits) {
            const Engine engine(scenario, policy);
            Machine straight = engine.initial_state();
            Statistics whole(straight.shape());
            const StopReason reason = engine.run(straight, limits, {.statistics = &whole});

            Machine paused = engine.initial_state();
            Statistics parts(paused.shape());
            std::mt19937_64 random(number);
            StopReason last{};
            for (;;) {
                Limits some = limits;
                const Nanos ahead{static_cast<std::int64_t>(random() % 200'000'000)};
                if (random() % 2 == 0) some.until = std::min(some.until, paused.globals().now + ahead);
                if (random() % 2 == 0)
                    some.decisions = std::min(some.decisions, paused.globals().decisions + random() % 50);
                if (random() % 2 == 0) some.events = paused.globals().events + random() % 100;
                last = engine.run(paused, some, {.statistics = &parts});
                const bool by_a_pause =
                    (last == StopReason::until && some.until < limits.until) ||
                    (last == StopReason::decision_limit && some.decisions < limits.decisions) ||
                    last == StopReason::event_limit;
                if (!by_a_pause) break;
            }
            ASSERT_EQ(last, reason);
            ASSERT_EQ(paused.hash(), straight.hash());
            ASSERT_EQ(lab::to_json(summarize(scenario, "p", paused, parts, last)),
                      lab::to_json(summarize(scenario, "p", straight, whole, reason)));
        });
}

TEST(SmpRun, ObservingAndCopyingDoNotChangeResult) {
    for_many_runs([](std::uint64_t, const Scenario& scenario, const Policy& policy, const Limits& limits) {
        const Engine engine(scenario, policy);
        Machine alone = engine.initial_state(), watched = alone, copied = alone;
        engine.run(alone, limits, {});
        Statistics statistics(watched.shape());
        Trace trace;
        DecisionLog log;
        engine.run(watched, limits, {&statistics, &trace, &log});
        ASSERT_EQ(alone.hash(), watched.hash());
        for (bool happened = true; happened && copied.globals().decisions < limits.decisions;) {
            Machine copy = copied;
            happened = engine.step(copy, limits.until, {});
            copied = std::move(copy);
        }
        ASSERT_EQ(alone.hash(), copied.hash());
    });
}

TEST(SmpRunHistory, ReplaysAndStepsBothWays) {
    for (std::uint64_t number = 20'000; number < rounds(20'060u, 20'016u, 20'008u); ++number) {
        const auto scenario = std::make_shared<const Scenario>(random_smp_scenario(number));
        const NamedPolicy policy = make_policy(policy_for(number), scenario->cpus);
        SCOPED_TRACE(fmt::format("scenario {}, {}", number, policy.spec()));
        const RecordingLimits limits{.keyframe_bytes = std::size_t{8} << 20, .keyframe_spacing = 64};
        Session session(std::make_shared<const Scenario>(shortened(*scenario, policy, 1'200)), policy, {},
                        limits);
        session.history().extend_to_end();
        for (std::size_t i = 0; i + 1 < session.history().keyframe_count(); ++i)
            ASSERT_FALSE(session.history().check_replay(i).has_value()) << "keyframe " << i;

        std::mt19937_64 random(number);
        for (const StepEventKind kind :
             {StepEventKind::event, StepEventKind::decision, StepEventKind::context_switch}) {
            session.seek(Nanos{static_cast<std::int64_t>(
                random() % static_cast<std::uint64_t>(
                               session.history().simulated_end().machine.globals().now.count() + 1))});
            if (!session.step_back(kind)) continue;
            std::vector<std::uint64_t> seen{session.machine().hash()};
            for (int i = 0; i < 12 && session.step_forward(kind); ++i)
                seen.push_back(session.machine().hash());
            // Skips a run that has reached its time limit: the last position of such a run does not follow
            // an event of kind `kind`.
            if (session.machine().globals().now == session.history().latest_end()) continue;
            for (std::size_t i = seen.size() - 1; i-- > 0;) {
                ASSERT_TRUE(session.step_back(kind));
                ASSERT_EQ(session.machine().hash(), seen[i]) << to_string(kind) << " " << i;
            }
        }
    }
}

// --- interventions ---

// A run with occasional interventions: kills, wake-ups, changes of priority and of policy.
std::string broken_by_interventions(std::uint64_t number, std::map<Intervention::Kind, std::uint64_t>& made,
                                    std::uint64_t& holders, std::uint64_t& woken) {
    const Scenario scenario = random_smp_scenario(number);
    std::mt19937_64 random(number);
    NamedPolicy policy = make_policy(policy_for(number), scenario.cpus);
    auto engine = std::make_unique<Engine>(scenario, *policy.policy);
    Machine m = engine->initial_state();
    Statistics statistics(m.shape());
    const Sinks sinks{.statistics = &statistics};
    const std::uint64_t how_often = 2 + random() % 60;
    for (int event = 0; event < 1'500; ++event) {
        if (!engine->step(m, *scenario.until, sinks) && m.globals().stopped != StopReason::deadlock)
            return {};
        if (random() % how_often == 0) {
            Intervention i;
            i.kind =
                std::array{Intervention::Kind::kill, Intervention::Kind::wake, Intervention::Kind::renice,
                           Intervention::Kind::wake, Intervention::Kind::policy}[random() % 5];
            i.task = m.first_task() + static_cast<TaskId>(random() % m.shape().tasks);
            // Prefers tasks that own a resource or have been granted one.
            for (ChannelId c = 0; c < m.shape().channels && random() % 3 != 0; ++c)
                if (m.channel(c).owner != kNoTask) i.task = m.channel(c).owner;
            for (TaskId p = m.first_task(); p < m.globals().high_row && random() % 4 != 0; ++p)
                if (m.task[p].state == TaskState::runnable && m.task[p].waiting_on != kNoChannel) i.task = p;
            i.priority = 1 + static_cast<std::int32_t>(random() % 40);
            i.policy = kPolicies[random() % std::size(kPolicies)];
            if (!refusal(i, m).empty()) continue;
            ++made[i.kind];
            if (i.kind == Intervention::Kind::kill) {
                for (ChannelId c = 0; c < m.shape().channels; ++c) holders += m.channel(c).owner == i.task;
                woken +=
                    m.task[i.task].state == TaskState::runnable && m.task[i.task].waiting_on != kNoChannel;
            }
            if (i.kind == Intervention::Kind::policy) {
                NamedPolicy next = make_policy(i.policy, scenario.cpus);
                auto other = std::make_unique<Engine>(scenario, *next.policy);
                intervene(i, other->context(m, sinks));
                engine = std::move(other);
                policy = std::move(next);
            } else {
                intervene(i, engine->context(m, sinks));
            }
            ++m.globals().interventions;
        }
        std::string broken = check_invariants(m, scenario, *policy.policy, &statistics);
        if (!broken.empty())
            return fmt::format("{} after event {}, under {}", broken, event + 1, policy.spec());
    }
    return {};
}

TEST(SmpInvariants, HoldUnderRandomInterventions) {
    std::map<Intervention::Kind, std::uint64_t> made;
    std::uint64_t holders = 0, woken = 0;
    for (std::uint64_t number = 30'000; number < (kManyRounds ? 31'000 : 30'200); ++number)
        ASSERT_EQ(broken_by_interventions(number, made, holders, woken), "") << "scenario " << number;
    for (const auto kind : {Intervention::Kind::kill, Intervention::Kind::wake, Intervention::Kind::renice,
                            Intervention::Kind::policy})
        EXPECT_GT(made[kind], 100u);
    EXPECT_GT(holders, 20u) << "of locks, killed";
    EXPECT_GT(woken, 5u) << "killed before they could try again";
}

}  // namespace smp_invariants_test
}  // namespace sim
