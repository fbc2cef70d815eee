// Properties of all scenarios under all policies. The rules of sim/check/invariants.h hold between any two
// events; observing, pausing, copying or moving a run does not change it.
//
// Scenarios are random ones (random_scenario.h) and those of scenarios/. A failure reports seed, policy and
// event.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/check/invariants.h"
#include "sim/core/engine.h"
#include "sim/lab/summary_json.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/random_scenario.h"
#include "tests/support/scale_by_task_count.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace invariants_test {

constexpr const char* kPolicies[] = {"linux-2.0",
                                     "linux-2.0:yield=one_tick",
                                     "linux-2.0:yield=move_last_only",
                                     "sorted-queue",
                                     "round-robin",
                                     "linux-1.2",
                                     "linux-2.2",
                                     "linux-2.4.0",
                                     "linux-2.4.22",
                                     "linux-2.6.20",
                                     "linux-2.6.24",
                                     "linux-2.6.24:yield=compat",
                                     "linux-2.6.32",
                                     "linux-6.6",
                                     "linux-6.6:group_sched=yes",
                                     "nt4"};

// Returns the first violated rule of a run and its position; empty if there is none. Checks every event up
// to `closely` and then every 101st, so that the end of long runs is reached. Adds the number of events to
// `events`. `stopped`: receives the reason if the run ends early; may be null.
std::string first_broken_rule(const Scenario& scenario, const char* spec, Nanos until, std::uint64_t closely,
                              std::uint64_t most_events, std::uint64_t& events,
                              StopReason* stopped = nullptr) {
    const NamedPolicy policy = make_policy(spec, scenario.cpus);
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    Statistics statistics(m.shape());
    const auto broken = [&] { return check_invariants(m, scenario, *policy.policy, &statistics); };
    std::string problem = broken();
    std::uint64_t event = 0;
    while (problem.empty() && event < most_events && engine.step(m, until, {.statistics = &statistics})) {
        ++event;
        if (event <= closely || event % 101 == 0) problem = broken();
    }
    if (problem.empty()) problem = broken();  // also check at `until`, which is between two events
    events += event;
    if (stopped != nullptr && m.globals().is_stopped) *stopped = m.globals().stopped;
    if (problem.empty()) return {};
    return fmt::format("{}, after event {} at {} under {}", problem, event, format_time(m.globals().now),
                       spec);
}

TEST(Invariants, HoldInRandomScenarios) {
    constexpr std::uint64_t kEvents = kManyRounds ? 2'000 : 100;
    std::uint64_t events = 0;
    for (std::uint64_t seed = 1; seed <= rounds(1'000u, 1'000u, 120u); ++seed) {
        const Scenario scenario = random_scenario(seed);
        for (const char* policy : kPolicies)
            ASSERT_EQ(first_broken_rule(scenario, policy, *scenario.until, kEvents, kEvents, events), "")
                << "seed " << seed;
    }
    std::cout << events << " events\n";
    EXPECT_GT(events, 1'000 * kEvents);
}

TEST(Invariants, HoldInGalleryScenarios) {
    constexpr std::uint64_t kClosely = rounds(2'000, 300, 150), kEvents = rounds(150'000, 6'000, 1'000);
    std::uint64_t files = 0, events = 0;
    for (const auto& entry : std::filesystem::directory_iterator(SWITCHYARD_SOURCE_DIR "/scenarios")) {
        if (entry.path().extension() != ".json" || entry.path().filename() == "schema.json") continue;
        ++files;
        const Scenario scenario = load_scenario(entry.path().string());
        const Nanos until = std::min<Nanos>(scenario.until.value_or(kHorizon), 2min);
        for (const char* policy : kPolicies) {
            if (make_policy(policy).policy->max_cpus() < scenario.cpus) continue;
            EXPECT_EQ(first_broken_rule(scenario, policy, until, scale_by_task_count(kClosely, scenario),
                                        kEvents, events),
                      "")
                << entry.path();
        }
    }
    std::cout << events << " events\n";
    EXPECT_GT(files, 0u);
}

TEST(Invariants, HoldWhenTaskTableIsFull) {
    const Scenario scenario =
        parse_scenario("test.json", R"({"format": "switchyard-scenario/1", "machine": {},
        "max_tasks": 1, "tasks": [{"name": "a", "program": [{"run": "5ms"}, {"fork": "a"}]}]})");
    for (const char* policy : kPolicies) {
        std::uint64_t events = 0;
        StopReason stopped = StopReason::until;
        EXPECT_EQ(first_broken_rule(scenario, policy, 1s, 100, 100, events, &stopped), "");
        EXPECT_EQ(stopped, StopReason::task_limit) << policy;
    }
}

TEST(Invariants, HoldWhenRunEndsInLivelock) {
    const Scenario scenario =
        parse_scenario("test.json", R"({"format": "switchyard-scenario/1", "machine": {},
        "tasks": [{"name": "a", "program": [{"run": "5ms"}, {"loop": 10000000, "steps": [{"wake": "c"}]}]}]})");
    std::uint64_t events = 0;
    StopReason stopped = StopReason::until;
    EXPECT_EQ(first_broken_rule(scenario, "linux-2.0", 1s, 100, 100, events, &stopped), "");
    EXPECT_EQ(stopped, StopReason::livelock);
}

// --- random scenarios ---

TEST(RandomScenario, LoaderAcceptsEveryScenario) {
    for (std::uint64_t seed = 1; seed <= rounds(20'000u, 2'000u, 700u); ++seed) {
        const std::string text = random_scenario_json(seed);
        ASSERT_NO_THROW(parse_scenario("random.json", text)) << "seed " << seed << "\n" << text;
    }
}

TEST(RandomScenario, CoversTaskActionsAndStopReasons) {
    std::map<TraceKind, std::uint64_t> kinds;
    std::map<StopReason, std::uint64_t> reasons;
    std::map<SchedClass, std::uint64_t> classes;
    std::uint64_t decisions = 0, idle = 0, recalculations = 0, coincidences = 0;
    constexpr std::uint64_t kRuns = 200;
    for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
        const Scenario scenario = random_scenario(seed);
        for (const TaskGroup& group : scenario.groups) ++classes[group.sched_class];
        const NamedPolicy policy = make_policy("linux-2.0");
        const Engine engine(scenario, *policy.policy);
        Machine m = engine.initial_state();
        Trace trace;
        ++reasons[engine.run(m, {.until = *scenario.until, .decisions = 5'000}, {.trace = &trace})];
        Nanos last_tick{-1};
        for (const TraceRecord& record : trace.records) {
            ++kinds[record.kind];
            if (record.kind == TraceKind::tick)
                last_tick = record.time;
            else if (record.time == last_tick)
                ++coincidences;
            if (record.kind != TraceKind::schedule) continue;
            ++decisions;
            idle += m.is_idle_task(record.task);
            recalculations += record.decision.recalculations;
        }
    }
    for (const TraceKind kind : {TraceKind::wake_up, TraceKind::tick, TraceKind::yield, TraceKind::sleep,
                                 TraceKind::wait, TraceKind::fork, TraceKind::exit, TraceKind::schedule})
        EXPECT_GT(kinds[kind], kRuns) << to_string(kind);
    for (const StopReason reason :
         {StopReason::until, StopReason::deadlock, StopReason::all_exited, StopReason::task_limit})
        EXPECT_GT(reasons[reason], 0u) << to_string(reason);
    EXPECT_EQ(reasons[StopReason::livelock], 0u);
    for (const SchedClass sched_class : {SchedClass::other, SchedClass::fifo, SchedClass::rr})
        EXPECT_GT(classes[sched_class], 10u) << to_string(sched_class);
    EXPECT_GT(decisions, kRuns * 300);
    EXPECT_GT(idle, decisions / 100);
    EXPECT_GT(recalculations, decisions / 100);
    EXPECT_GT(coincidences, decisions / 100);
}

// --- operations without effect ---

constexpr std::uint64_t kFirstSeed = 5'000;
constexpr std::uint64_t kSeeds = rounds(400, 150, 50);
constexpr std::uint64_t kDecisions = kManyRounds ? 3'000 : 500;

// Calls visit(seed, scenario, policy name, policy, limits) for many scenarios, with alternating policies.
template <class Visit>
void for_many_runs(Visit visit) {
    for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kSeeds; ++seed) {
        const Scenario scenario = random_scenario(seed);
        const NamedPolicy policy = make_policy(kPolicies[seed % std::size(kPolicies)]);
        SCOPED_TRACE(fmt::format("seed {}, {}", seed, policy.spec()));
        visit(seed, scenario, *policy.policy, Limits{.until = *scenario.until, .decisions = kDecisions});
        if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(Run, PausesDoNotChangeResult) {
    for_many_runs([](std::uint64_t seed, const Scenario& scenario, const Policy& policy,
                     const Limits& limits) {
        const Engine engine(scenario, policy);
        Machine straight = engine.initial_state();
        Statistics whole(straight.shape());
        const StopReason reason = engine.run(straight, limits, {.statistics = &whole});

        Machine paused = engine.initial_state();
        Statistics parts(paused.shape());
        std::mt19937_64 random(seed);
        StopReason last{};
        for (int pauses = 0;; ++pauses) {
            ASSERT_LT(pauses, 1'000'000);
            Limits some = limits;
            const std::uint64_t kind = random() % 3;
            const Nanos ahead{static_cast<std::int64_t>(random() % 2'000'000'000)};
            if (kind != 0)
                some.until = std::min(some.until, paused.globals().now + ahead / (kind == 1 ? 1 : 100));
            if (kind != 1)
                some.decisions = std::min(some.decisions, paused.globals().decisions + random() % 50);
            last = engine.run(paused, some, {.statistics = &parts});
            const bool by_a_pause = (last == StopReason::until && some.until < limits.until) ||
                                    (last == StopReason::decision_limit && some.decisions < limits.decisions);
            if (!by_a_pause) break;
        }
        ASSERT_EQ(last, reason);
        ASSERT_EQ(paused.hash(), straight.hash());
        ASSERT_EQ(lab::to_json(summarize(scenario, "p", paused, parts, last)),
                  lab::to_json(summarize(scenario, "p", straight, whole, reason)));
    });
}

TEST(Run, CopiedMachineEndsLikeOriginal) {
    for_many_runs(
        [](std::uint64_t seed, const Scenario& scenario, const Policy& policy, const Limits& limits) {
            const Engine engine(scenario, policy);
            Machine original = engine.initial_state();
            engine.run(original, {.until = limits.until, .decisions = seed * 37 % limits.decisions}, {});
            const std::uint64_t halfway = original.hash();
            Machine copy = original;
            ASSERT_EQ(copy.hash(), halfway);
            engine.run(copy, limits, {});
            ASSERT_EQ(original.hash(), halfway) << "the copy's run reached into the original";
            engine.run(original, limits, {});
            ASSERT_EQ(original.hash(), copy.hash());
        });
}

TEST(Run, ObserversDoNotChangeResult) {
    for_many_runs([](std::uint64_t, const Scenario& scenario, const Policy& policy, const Limits& limits) {
        const Engine engine(scenario, policy);
        Machine unseen = engine.initial_state();
        engine.run(unseen, limits, {});
        for (unsigned observers = 1; observers < 8; ++observers) {
            Machine seen = engine.initial_state();
            Statistics statistics(seen.shape());
            Trace trace;
            DecisionLog log;
            engine.run(seen, limits,
                       {.statistics = (observers & 1) != 0 ? &statistics : nullptr,
                        .trace = (observers & 2) != 0 ? &trace : nullptr,
                        .log = (observers & 4) != 0 ? &log : nullptr});
            ASSERT_EQ(seen.hash(), unseen.hash());
        }
    });
}

TEST(Run, EventSteppingDoesNotChangeResult) {
    for_many_runs([](std::uint64_t, const Scenario& scenario, const Policy& policy, const Limits& limits) {
        const Engine engine(scenario, policy);
        Machine at_once = engine.initial_state();
        engine.run(at_once, limits, {});
        Machine stepped = engine.initial_state();
        while (stepped.globals().decisions < limits.decisions && engine.step(stepped, limits.until, {})) {
        }
        ASSERT_EQ(stepped.hash(), at_once.hash());
    });
}

TEST(Machine, ContinuesAfterMoveAndAssignment) {
    for_many_runs(
        [](std::uint64_t seed, const Scenario& scenario, const Policy& policy, const Limits& limits) {
            const Engine engine(scenario, policy);
            Machine expected = engine.initial_state();
            engine.run(expected, limits, {});

            const auto go_on = [&](Machine& m) {
                engine.run(m,
                           {.until = limits.until,
                            .decisions = std::min(limits.decisions, m.globals().decisions + seed % 200)},
                           {});
            };
            Machine first = engine.initial_state();
            go_on(first);
            Machine moved(std::move(first));
            go_on(moved);
            Machine assigned(MachineShape{.cpus = 2, .tasks = 7, .channels = 9, .loop_depth = 1});
            assigned = moved;
            ASSERT_EQ(assigned.hash(), moved.hash());
            ASSERT_EQ(assigned.shape(), moved.shape());
            go_on(assigned);
            Machine taken(MachineShape{.cpus = 1, .tasks = 300});
            taken = std::move(assigned);
            go_on(taken);
            const Machine& itself = taken;
            taken = itself;
            Machine other = engine.initial_state();
            std::swap(taken, other);
            engine.run(other, limits, {});
            ASSERT_EQ(other.hash(), expected.hash());
            ASSERT_EQ(taken.hash(), engine.initial_state().hash());
        });
}

TEST(Machine, HashChangesWithEachEvent) {
    std::uint64_t compared = 0;
    for_many_runs([&](std::uint64_t, const Scenario& scenario, const Policy& policy, const Limits& limits) {
        const Engine engine(scenario, policy);
        Machine m = engine.initial_state();
        std::uint64_t before = m.hash();
        for (int event = 0; event < 50 && engine.step(m, limits.until, {}); ++event) {
            ASSERT_NE(m.hash(), before);
            before = m.hash();
            ++compared;
        }
    });
    EXPECT_GT(compared, kSeeds * 10);
}

TEST(Run, PreemptionKeepsUserTimeOfBursts) {
    const Scenario scenario = parse_scenario("test.json", R"({"format": "switchyard-scenario/1",
        "machine": {"hz": 1000, "costs": {"syscall": "3us", "schedule": "7us", "considered": "300ns",
                                          "switch_same_mm": "11us", "switch_other_mm": "13us"}},
        "tasks": [
            {"name": "a", "priority": 3, "program": [{"loop": 40, "steps": [{"run": "9.7ms"}, "yield"]}]},
            {"name": "b", "priority": 9, "program": [{"loop": 40, "steps": [{"run": "31ms"}, {"arrival": "2ms"}]}]},
            {"name": "c", "priority": 1, "program": [{"run": "1.5s"}]},
            {"name": "d", "priority": 30, "program": [{"loop": 300, "steps": [{"run": "777us"}, {"arrival": "1ms"}]}]}
        ]})");
    const Nanos expected[] = {40 * 9'700us, 40 * 31ms, 1'500ms, 300 * 777us};
    for (const char* spec : kPolicies) {
        const NamedPolicy policy = make_policy(spec);
        const Engine engine(scenario, *policy.policy);
        Machine m = engine.initial_state();
        Statistics statistics(m.shape());
        ASSERT_EQ(engine.run(m, {}, {.statistics = &statistics}), StopReason::all_exited);
        for (TaskId p = 0; p < 4; ++p)
            EXPECT_EQ(statistics.tasks[m.first_task() + p].user, expected[p])
                << "task " << p << " under " << spec;
        EXPECT_GT(statistics.switches.involuntary, 20u) << spec;
    }
}

// One draw of random numbers: the state of the task's stream after the draw, and the burst that was drawn.
// The type `Draws` contains the draws of each task, by the initial stream of the task.
struct Draw {
    std::uint64_t stream;
    Nanos burst;
    bool operator==(const Draw&) const = default;
};
using Draws = std::map<std::uint64_t, std::vector<Draw>>;

Draws draws_of(const Scenario& scenario, const char* spec) {
    struct Known {
        std::uint64_t born_with, stream;
    };
    const NamedPolicy policy = make_policy(spec);
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    std::map<std::uint32_t, Known> known;  // by pid
    Draws draws;
    const auto look = [&] {
        for (TaskId p = m.first_task(); p < m.globals().high_row; ++p) {
            if (!m.is_live(p)) continue;
            const Task& task = m.task[p];
            // When a new task is first seen here, it may have drawn its first burst; birth_stream still
            // contains its initial stream.
            Known& k = known.emplace(task.pid, Known{task.birth_stream, task.birth_stream}).first->second;
            if (k.stream == task.stream) continue;
            k.stream = task.stream;
            draws[k.born_with].push_back({task.stream, task.remaining});
        }
    };
    look();
    while (m.globals().decisions < kDecisions && engine.step(m, *scenario.until, {})) look();
    return draws;
}

TEST(Policy, DoesNotChangeTaskDraws) {
    std::uint64_t compared = 0;
    for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kSeeds; ++seed) {
        const Scenario scenario = random_scenario(seed);
        const Draws linux20 = draws_of(scenario, "linux-2.0");
        for (const char* other :
             {"round-robin", "linux-2.0:yield=move_last_only", "sorted-queue:yield=one_tick"}) {
            for (const auto& [task, draws] : draws_of(scenario, other)) {
                const auto same = linux20.find(task);
                if (same == linux20.end()) continue;  // drew nothing, or was not forked before the end
                const std::size_t both = std::min(draws.size(), same->second.size());
                for (std::size_t n = 0; n < both; ++n)
                    ASSERT_EQ(draws[n], same->second[n])
                        << "seed " << seed << ", draw " << n << " under " << other;
                compared += both;
            }
        }
    }
    EXPECT_GT(compared, kSeeds * 500);
}

}  // namespace invariants_test
}  // namespace sim
