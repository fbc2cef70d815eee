// Interventions of a scenario: kill, renice, wake and block, of tasks in every state.
//
// Times computed by hand use a machine without costs unless stated. Properties are tested in random
// scenarios: invariants at every event, the same run however it is divided, and the same run as with an
// intervention of a branch.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/core/intervene.h"
#include "sim/lab/summary_json.h"
#include "sim/replay/run_history.h"
#include "tests/support/random_interventions.h"
#include "tests/support/random_scenario.h"
#include "tests/support/simulation.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace scenario_interventions_test {

using Kind = ScenarioIntervention::Kind;
using Result = InterventionResult;
using Json = nlohmann::ordered_json;

constexpr const char* kPolicies[] = {"linux-2.0", "linux-2.4.22", "linux-2.6.20", "linux-6.6", "rr:quantum=3",
                                     "fcfs",      "nt4",          "linux_2_0",    "stride",    "srtf"};

Small with(const std::string& interventions, Small small = {}) {
    small.more += fmt::format(R"("interventions": [{}], )", interventions);
    return small;
}

std::string job(const std::string& name, const std::string& program, const std::string& more = {}) {
    return fmt::format(R"({{"name": "{}", {} "program": [{}]}})", name, more, program);
}

// Runs to the end. The tick is so late that slices do not matter.
Simulation run_of(const std::string& tasks, const std::string& interventions, const Small& small = {},
                  const std::string& policy = {}) {
    Simulation run(small_scenario(tasks, with(interventions, small)), policy);
    run.go();
    return run;
}

const std::string kTwo = job("a", R"({"run": "10ms"})") + "," + job("b", R"({"run": "10ms"})");

// --- kill ---

TEST(ScenarioKill, RunningTaskExitsAtOnce) {
    Simulation run = run_of(kTwo, R"({"kill": "a", "at": "4ms"})");
    EXPECT_EQ(run.events(TraceKind::exit), "4000000 a, 14000000 b");
    EXPECT_EQ(run.statistics.interventions, std::vector{Result::done});
}

TEST(ScenarioKill, ReadyTaskExitsWhenChosen) {
    Simulation run = run_of(kTwo, R"({"kill": "b", "at": "4ms"})");
    EXPECT_EQ(run.events(TraceKind::exit), "10000000 a, 10000000 b");
    EXPECT_EQ(run.statistics.tasks[run.task("b")].user, 0ns);
}

TEST(ScenarioKill, SleepingAndWaitingTasksAreWoken) {
    Simulation run = run_of(job("a", R"({"arrival": "50ms"})") + "," + job("b", R"({"wait": "c"})") + "," +
                                job("holder", R"({"lock": "l"}, {"arrival": "20ms"}, {"unlock": "l"})") +
                                "," + job("d", R"({"lock": "l"}, {"unlock": "l"})"),
                            R"({"kill": "a", "at": "4ms"}, {"kill": "b", "at": "5ms"},
                               {"kill": "d", "at": "6ms"})");
    EXPECT_EQ(run.events(TraceKind::exit), "4000000 a, 5000000 b, 6000000 d, 20000000 holder");
}

TEST(ScenarioKill, LocksOfTheTaskStayTaken) {
    Simulation run = run_of(job("a", R"({"lock": "l"}, {"run": "9ms"}, {"unlock": "l"})") + "," +
                                job("b", R"({"lock": "l"}, {"unlock": "l"})"),
                            R"({"kill": "a", "at": "4ms"})");
    EXPECT_EQ(run.m.globals().stopped, StopReason::deadlock);
}

TEST(ScenarioKill, TaskInKernelExitsAtEndOfCall) {
    Simulation run =
        run_of(job("a", R"({"syscall": "5ms"}, {"run": "9ms"})"), R"({"kill": "a", "at": "2ms"})");
    EXPECT_EQ(run.events(TraceKind::exit), "5000000 a");
}

// --- renice ---

TEST(ScenarioRenice, ChangesThePriority) {
    Simulation run(small_scenario(kTwo, with(R"({"renice": "b", "priority": 35, "at": "4ms"})")));
    run.go(5ms);
    EXPECT_EQ(run.m.priority[run.task("b")], 35);
    EXPECT_EQ(run.m.priority[run.task("a")], 20);
}

TEST(ScenarioRenice, LaterKernelsRescheduleAtOnce) {
    // Linux 2.6.20: the renamed task preempts the other one at the time of the intervention.
    Simulation run = run_of(kTwo, R"({"renice": "b", "priority": 40, "at": "4ms"})", {}, "linux-2.6.20");
    EXPECT_EQ(run.decisions(), "0 idle>a, 4000000 a>b, 14000000 b>a, 20000000 a>idle");
}

// --- wake ---

TEST(ScenarioWake, EndsSleepsAndWaits) {
    Simulation run = run_of(job("a", R"({"arrival": "50ms"})") + "," + job("b", R"({"wait": "c"})"),
                            R"({"wake": "a", "at": "4ms"}, {"wake": "b", "at": "5ms"})");
    EXPECT_EQ(run.events(TraceKind::exit), "4000000 a, 5000000 b");
}

TEST(ScenarioWake, PendingOnePreventsDeadlock) {
    Simulation run = run_of(job("b", R"({"wait": "c"}, {"wait": "c"})"),
                            R"({"wake": "b", "at": "5ms"}, {"wake": "b", "at": "8ms"})");
    EXPECT_EQ(run.m.globals().stopped, StopReason::all_exited);
    EXPECT_EQ(run.now(), 8'000'000);
    Simulation stuck = run_of(job("b", R"({"wait": "c"}, {"wait": "c"})"),
                              R"({"wake": "b", "at": "5ms"}, {"renice": "b", "priority": 1, "at": "8ms"})");
    EXPECT_EQ(stuck.m.globals().stopped, StopReason::deadlock);
    EXPECT_EQ(stuck.now(), 8'000'000);
}

// --- block ---

TEST(ScenarioBlock, RunningTaskSleepsAndContinues) {
    for (const char* policy : kPolicies) {
        SCOPED_TRACE(policy);
        // Exact timers, so that the sleep has the stated length.
        Simulation run = run_of(job("a", R"({"run": "2ms"})"), R"({"block": "a", "for": "5ms", "at": "1ms"})",
                                {.machine = R"("hrtimers": true,)"}, policy);
        EXPECT_EQ(run.decisions(), "0 idle>a, 1000000 a>idle, 6000000 idle>a, 7000000 a>idle");
        EXPECT_EQ(run.events(TraceKind::sleep), "1000000 a");
        EXPECT_EQ(run.statistics.tasks[run.task("a")].voluntary, 2u);  // the block and the exit
        EXPECT_EQ(run.statistics.tasks[run.task("a")].user, 2ms);
        EXPECT_EQ(run.statistics.sleeps.switches, 1u);
        EXPECT_EQ(run.statistics.sleeps.waited, 5ms);
    }
}

TEST(ScenarioBlock, SleepIsRoundedToTicks) {
    // As with nanosleep() of Linux: at least the time, plus the rest of the current tick.
    Simulation run = run_of(job("a", R"({"run": "2ms"})"), R"({"block": "a", "for": "5ms", "at": "1ms"})",
                            {.hz = 100}, "linux-2.0");
    EXPECT_EQ(run.events(TraceKind::wake_up), "20000000 a");
}

TEST(ScenarioBlock, WithoutLengthLastsUntilWake) {
    Simulation run = run_of(kTwo, R"({"block": "a", "at": "4ms"}, {"wake": "a", "at": "30ms"})");
    EXPECT_EQ(run.decisions(), "0 idle>a, 4000000 a>b, 14000000 b>idle, 30000000 idle>a, 36000000 a>idle");
    EXPECT_EQ(run.statistics.waits.back().waited, 26ms);
    Simulation stuck = run_of(kTwo, R"({"block": "a", "at": "4ms"})");
    EXPECT_EQ(stuck.m.globals().stopped, StopReason::deadlock);
    Simulation killed = run_of(kTwo, R"({"block": "a", "at": "4ms"}, {"kill": "a", "at": "30ms"})");
    EXPECT_EQ(killed.events(TraceKind::exit), "14000000 b, 30000000 a");
}

TEST(ScenarioBlock, ReadyTaskSleepsWhenChosen) {
    for (const char* policy : {"linux-2.0", "linux-2.4.22", "linux-2.6.20", "rr:quantum=100", "fcfs"}) {
        SCOPED_TRACE(policy);
        Simulation run = run_of(kTwo, R"({"block": "b", "for": "5ms", "at": "4ms"})",
                                {.machine = R"("hrtimers": true,)"}, policy);
        EXPECT_EQ(run.decisions(),
                  "0 idle>a, 10000000 a>b, 10000000 b>idle, 15000000 idle>b, 25000000 b>idle");
    }
}

TEST(ScenarioBlock, TaskInKernelSleepsAtEndOfCall) {
    Simulation run =
        run_of(job("a", R"({"syscall": "5ms"}, {"run": "9ms"})"),
               R"({"block": "a", "for": "10ms", "at": "2ms"})", {.machine = R"("hrtimers": true,)"});
    EXPECT_EQ(run.events(TraceKind::sleep), "5000000 a");
    EXPECT_EQ(run.events(TraceKind::exit), "24000000 a");
}

TEST(ScenarioBlock, CostsASystemCallAndASchedule) {
    Simulation run = run_of(job("a", R"({"run": "5ms"})"), R"({"block": "a", "at": "2ms"})",
                            {.costs = R"("syscall": "10us", "schedule": "1us")"});
    EXPECT_EQ(run.statistics.tasks[run.task("a")].user, 1'999'000ns);  // from 1 us to 2 ms
    EXPECT_EQ(run.statistics.tasks[run.task("a")].system, 11us);
    EXPECT_EQ(run.statistics.syscalls, 1u);
}

TEST(ScenarioBlock, SleepingTaskIsNotAffected) {
    Simulation run =
        run_of(job("a", R"({"arrival": "9ms"}, {"run": "1ms"})"), R"({"block": "a", "at": "4ms"})");
    EXPECT_EQ(run.statistics.interventions, std::vector{Result::asleep});
    EXPECT_EQ(run.events(TraceKind::exit), "10000000 a");
}

TEST(ScenarioBlock, PendingOneIsCancelledByWakeAndKill) {
    Simulation run = run_of(kTwo, R"({"block": "b", "at": "4ms"}, {"wake": "b", "at": "5ms"})");
    EXPECT_EQ(run.statistics.interventions, (std::vector{Result::done, Result::done}));
    EXPECT_EQ(run.decisions(), "0 idle>a, 10000000 a>b, 20000000 b>idle");
    Simulation now = run_of(kTwo, R"({"block": "a", "at": "4ms"}, {"kill": "a", "at": "4ms"})");
    EXPECT_EQ(now.events(TraceKind::exit), "4000000 a, 14000000 b");
}

TEST(ScenarioBlock, WakeUpForALockIsPassedOn) {
    // At 10 ms, b and c wait for the lock, and a wakes b. b is blocked before it runs, so c gets the lock.
    Simulation run = run_of(
        job("a", R"({"lock": "l"}, {"run": "10ms"}, {"unlock": "l"}, {"run": "5ms"})", R"("priority": 40,)") +
            "," +
            job("b", R"({"arrival": "1ms"}, {"lock": "l"}, {"unlock": "l"})",
                R"("class": "fifo", "rt_priority": 1,)") +
            "," +
            job("c", R"({"arrival": "2ms"}, {"lock": "l"}, {"run": "1ms"}, {"unlock": "l"})",
                R"("class": "fifo", "rt_priority": 1,)"),
        R"({"block": "b", "for": "9ms", "at": "10ms"})", {.machine = R"("hrtimers": true,)"});
    EXPECT_EQ(run.statistics.interventions, std::vector{Result::asleep});
    Simulation later = run_of(
        job("a", R"({"lock": "l"}, {"run": "10ms"}, {"unlock": "l"}, {"syscall": "5ms"}, {"run": "5ms"})") +
            "," + job("b", R"({"arrival": "1ms"}, {"lock": "l"}, {"unlock": "l"})") + "," +
            job("c", R"({"arrival": "2ms"}, {"lock": "l"}, {"run": "1ms"}, {"unlock": "l"})"),
        R"({"block": "b", "for": "50ms", "at": "11ms"})", {.machine = R"("hrtimers": true,)"}, "fcfs");
    EXPECT_EQ(later.statistics.interventions, std::vector{Result::done});
    EXPECT_EQ(later.m.globals().stopped, StopReason::all_exited);
    const std::string exits = later.events(TraceKind::exit);
    EXPECT_LT(exits.find(" c"), exits.find(" b")) << exits;
}

TEST(ScenarioBlock, TasksOnSeveralCpus) {
    Simulation run = run_of(kTwo, R"({"block": "b", "for": "5ms", "at": "4ms"}, {"block": "a", "at": "4ms"},
                                     {"wake": "a", "at": "6ms"})",
                            {.cpus = 2, .machine = R"("hrtimers": true,)"});
    EXPECT_EQ(run.events(TraceKind::exit), "12000000 cpu0 a, 15000000 cpu1 b");
}

// --- every kind in every state, under all kinds of policies ---

TEST(ScenarioInterventions, HaveTheStatedResultInEveryState) {
    // At 5 ms, the task "x" is in the named state.
    const std::string holder = job("h", R"({"lock": "l"}, {"arrival": "1s"}, {"unlock": "l"})") + ",";
    struct State {
        const char* name;
        std::string tasks;
        bool is_asleep;
    };
    const State states[] = {
        {"running", job("x", R"({"run": "20ms"})"), false},
        {"ready", job("a", R"({"run": "20ms"})") + "," + job("x", R"({"run": "20ms"})"), false},
        {"in the kernel", job("x", R"({"syscall": "20ms"}, {"run": "1ms"})"), false},
        {"before its start", job("x", R"({"run": "20ms"})", R"("start": "9ms",)"), true},
        {"asleep", job("x", R"({"sleep": "9ms"}, {"run": "20ms"})"), true},
        {"waiting for an event", job("x", R"({"arrival": "9ms"}, {"run": "20ms"})"), true},
        {"waiting on a channel", job("x", R"({"wait": "c"}, {"run": "20ms"})"), true},
        {"waiting for a lock",
         holder + job("x", R"({"arrival": "1ms"}, {"lock": "l"}, {"unlock": "l"}, {"run": "20ms"})"), true},
        {"waiting for a pipe", job("x", R"({"pipe_read": "p"}, {"run": "20ms"})"), true},
        {"parked", job("x", R"("park", {"run": "20ms"})"), true},
        {"served by a device", job("x", R"({"io": "d"}, {"run": "20ms"})"), true},
        {"waiting for a device",
         job("h", R"({"io": "d"})") + "," + job("x", R"({"io": "d"}, {"run": "20ms"})"), true},
    };
    for (const char* policy : kPolicies)
        for (const std::uint32_t cpus : {1u, 2u})
            for (const State& state : states)
                for (const char* kind : {"kill", "renice", "wake", "block"}) {
                    SCOPED_TRACE(fmt::format("{} a task that is {}, under {}, {} CPUs", kind, state.name,
                                             policy, cpus));
                    const bool is_ready = state.name == std::string_view("ready");
                    if (is_ready && cpus == 2) continue;  // x runs on the second CPU
                    const std::string more = kind == std::string_view("renice") ? R"("priority": 7,)" : "";
                    Small small{.cpus = cpus,
                                .costs = R"("syscall": "2us", "schedule": "1us", "switch_other_mm": "3us")",
                                .machine = R"("hrtimers": true,)",
                                .more = R"("devices": {"d": {"service_time": "20ms"}},)"};
                    const std::string one = fmt::format(R"({{"{}": "x", {} "at": "5ms"}})", kind, more);
                    Simulation run(small_scenario(state.tasks, with(one, small)), policy);
                    run.go(5ms);
                    const TaskId x = run.task("x");
                    if (is_ready && run.m.task[x].processor != Task::kNoProcessor) continue;
                    const StepId step = run.m.task[x].step;
                    run.go({.events = run.m.globals().events + 1});
                    ASSERT_EQ(run.statistics.interventions.size(), 1u);
                    const Result expected =
                        kind == std::string_view("wake") && !state.is_asleep   ? Result::awake
                        : kind == std::string_view("block") && state.is_asleep ? Result::asleep
                                                                               : Result::done;
                    ASSERT_EQ(run.statistics.interventions[0], expected);
                    const bool awake = run.m.task[x].state == TaskState::runnable;
                    EXPECT_EQ(run.m.has_pending_block(x),
                              kind == std::string_view("block") && !state.is_asleep);
                    if (kind == std::string_view("kill")) {
                        EXPECT_TRUE(awake);
                        EXPECT_TRUE(run.m.task[x].step != step || state.is_asleep || is_ready ||
                                    run.m.task[x].remaining == 0ns);
                    } else if (kind == std::string_view("wake") || kind == std::string_view("block")) {
                        EXPECT_EQ(awake, !state.is_asleep || kind == std::string_view("wake"));
                    } else if (policy != std::string_view("nt4")) {
                        EXPECT_EQ(run.m.priority[x], 7);
                    }
                    run.go(900ms);
                    if (kind == std::string_view("kill")) {
                        EXPECT_FALSE(run.m.is_live(x));
                    }
                    if (kind == std::string_view("block") && !state.is_asleep) {
                        EXPECT_EQ(run.m.task[x].state, TaskState::waiting);
                    }
                }
}

// --- names, times and results ---

TEST(ScenarioInterventions, FindTasksByShownName) {
    Simulation run = run_of(
        job("g", R"({"run": "1ms"})", R"("count": 3,)") + "," + job("p", R"({"fork": "g"}, {"run": "1s"})"),
        R"({"kill": "g.2", "at": "0ns"}, {"kill": "g.5", "at": "1us"}, {"kill": "g.6", "at": "2us"})");
    EXPECT_EQ(run.statistics.interventions, (std::vector{Result::done, Result::no_task, Result::no_task}));
    Simulation later = run_of(
        job("g", R"({"run": "9ms"})", R"("count": 0,)") + "," + job("p", R"({"fork": "g"}, {"run": "1ms"})"),
        R"({"kill": "g.2", "at": "2ms"})");
    EXPECT_EQ(later.statistics.interventions, std::vector{Result::done});
    EXPECT_EQ(later.events(TraceKind::exit), "1000000 p, 2000000 g.2");
}

TEST(ScenarioInterventions, AreOrderedByTimeThenFile) {
    Simulation run = run_of(kTwo, R"({"kill": "b", "at": "5ms"}, {"wake": "a", "at": "3ms"},
                                     {"renice": "a", "priority": 1, "at": "5ms"},
                                     {"renice": "a", "priority": 9, "at": "5ms"})");
    EXPECT_EQ(run.statistics.interventions,
              (std::vector{Result::awake, Result::done, Result::done, Result::done}));
    EXPECT_EQ(run.scenario.interventions[1].kind, Kind::kill);
    EXPECT_EQ(run.events(TraceKind::intervention), "3000000 a, 5000000 b, 5000000 a, 5000000 a");
}

TEST(ScenarioInterventions, ResultsAreInTheSummary) {
    Simulation run =
        run_of(job("a", R"({"run": "10ms"})"),
               R"({"wake": "a", "at": "5ms"}, {"kill": "a", "at": "6ms"}, {"kill": "a", "at": "60ms"})");
    const Json json =
        lab::to_json(summarize(run.scenario, "x", run.m, run.statistics, run.m.globals().stopped));
    EXPECT_EQ(json.at("interventions").dump(),
              R"([{"at_ns":5000000,"kind":"wake","task":"a","result":"awake"},)"
              R"({"at_ns":6000000,"kind":"kill","task":"a","result":"done"},)"
              R"({"at_ns":60000000,"kind":"kill","task":"a","result":null}])");
}

TEST(ScenarioInterventions, TimeLimitIsExclusive) {
    Simulation run(small_scenario(kTwo, with(R"({"kill": "a", "at": "5ms"})")));
    run.go(5ms);
    EXPECT_EQ(run.m.globals().next_intervention, 0u);
    run.go(5ms + 1ns);
    EXPECT_EQ(run.m.globals().next_intervention, 1u);
}

// --- random scenarios ---

Json random_json(std::uint64_t seed) {
    return Json::parse(seed % 2 == 0 ? random_scenario_json(seed) : random_smp_scenario_json(seed));
}

bool can_run(const char* spec, const Scenario& scenario) {
    try {
        make_policy(spec, scenario.cpus);
        return true;
    } catch (const PolicyError&) {
        return false;
    }
}

// Invariants hold at every event, and the run is the same in one piece, in pieces, and observed.
TEST(ScenarioInterventions, RandomRunsKeepInvariantsAndHashes) {
    std::mt19937_64 random(7);
    std::map<Kind, std::map<Result, std::uint64_t>> made;
    std::uint64_t in_kernel = 0, ready = 0, user = 0, retrying = 0;
    const std::uint64_t kEvents = kManyRounds ? 3'000 : 700;
    for (std::uint64_t seed = 1; seed <= rounds(2'000u, 160u, 16u); ++seed) {
        const char* const spec = kPolicies[seed / 2 % std::size(kPolicies)];
        const Json plain = random_json(seed);
        if (!can_run(spec, parse_scenario("random.json", plain.dump()))) continue;
        const Json json = with_interventions(plain, random, spec, 12);
        const Scenario scenario = parse_scenario("random.json", json.dump());
        SCOPED_TRACE(fmt::format("seed {} under {}", seed, spec));
        const NamedPolicy policy = make_policy(spec, scenario.cpus);
        const Engine engine(scenario, *policy.policy);
        Machine stepped = engine.initial_state();
        Statistics statistics(stepped.shape());
        bool is_over = false;
        for (std::uint64_t event = 0; event < kEvents; ++event) {
            const Globals& g = stepped.globals();
            const std::uint32_t next = g.next_intervention;
            if (!engine.step(stepped, *scenario.until, {.statistics = &statistics})) {
                is_over = true;
                break;
            }
            ASSERT_EQ(check_invariants(stepped, scenario, *policy.policy, &statistics), "")
                << "after event " << g.events << " at " << g.now.count() << " ns\n"
                << json.dump(1);
            if (g.next_intervention == next) continue;
            const ScenarioIntervention& one = scenario.interventions[next];
            ++made[one.kind][statistics.interventions.back()];
            for (TaskId p = stepped.first_task(); p < g.high_row; ++p) {
                if (!stepped.has_pending_block(p) || stepped.block[p] != next + 1) continue;
                const std::uint16_t cpu = stepped.task[p].processor;
                retrying += stepped.task[p].waiting_on != kNoChannel;
                if (cpu == Task::kNoProcessor)
                    ++ready;
                else
                    ++(stepped.cpu(cpu).kernel_until > g.now ? in_kernel : user);
            }
        }
        const Limits end =
            is_over ? Limits{.until = *scenario.until} : Limits{.events = stepped.globals().events};
        Machine whole = engine.initial_state();
        engine.run(whole, end, {});
        ASSERT_EQ(whole.hash(), stepped.hash());

        Machine pieces = engine.initial_state();
        Statistics of_pieces(pieces.shape());
        for (bool goes_on = true; goes_on;) {
            Limits limits{
                .until = std::min(
                    end.until, pieces.globals().now + Nanos{static_cast<std::int64_t>(random() % 400'000)}),
                .events = std::min(end.events, pieces.globals().events + 1 + random() % 9)};
            if (random() % 3 == 0) limits.until = end.until;
            Machine copy = pieces;
            Trace trace;
            DecisionLog log;
            engine.run(copy, limits, {&of_pieces, &trace, random() % 2 == 0 ? &log : nullptr});
            pieces = copy;
            const Globals& g = pieces.globals();
            goes_on = !g.is_stopped && g.events < end.events && g.now < end.until;
        }
        ASSERT_EQ(pieces.hash(), stepped.hash());
        ASSERT_EQ(of_pieces.user, statistics.user);
    }
    for (const Kind kind : {Kind::kill, Kind::renice, Kind::wake, Kind::block})
        EXPECT_GT(made[kind][Result::done], kOptimised ? 20u : 0u) << to_string(kind);
    EXPECT_GT(made[Kind::block][Result::asleep] + made[Kind::wake][Result::awake], kOptimised ? 20u : 0u);
    if (!kOptimised) return;
    EXPECT_GT(user, 20u);
    EXPECT_GT(ready, 20u);
    EXPECT_GT(in_kernel, 5u);
    EXPECT_GT(retrying, 0u);
}

// A branch of the run of the scenario without the intervention has the same state.
TEST(ScenarioInterventions, EqualThoseOfABranch) {
    std::mt19937_64 random(8);
    std::uint64_t compared = 0;
    for (std::uint64_t seed = 1; seed <= rounds(1'000u, 120u, 12u); ++seed) {
        const char* const spec = kPolicies[seed / 2 % std::size(kPolicies)];
        Json json = random_json(seed + 5'000);
        const auto without = std::make_shared<Scenario>(parse_scenario("random.json", json.dump()));
        if (!can_run(spec, *without)) continue;
        json = with_interventions(json, random, spec, 1);
        if (json["interventions"].empty() || json["interventions"][0].contains("block")) continue;
        const auto scenario = std::make_shared<const Scenario>(parse_scenario("random.json", json.dump()));
        const ScenarioIntervention& one = scenario->interventions.front();
        SCOPED_TRACE(fmt::format("seed {} under {}", seed, spec));
        const NamedPolicy policy = make_policy(spec, scenario->cpus);
        RunHistory original(without, policy);
        original.extend_to_end();
        Moment moment = original.beginning();
        original.state_at(one.at, moment);
        if (moment.machine.globals().is_stopped || moment.machine.globals().now != one.at) continue;
        Intervention i;
        i.kind = one.kind == Kind::kill     ? Intervention::Kind::kill
                 : one.kind == Kind::renice ? Intervention::Kind::renice
                                            : Intervention::Kind::wake;
        i.after_events = moment.machine.globals().events;
        i.time = one.at;
        i.task = find_task(moment.machine, one.group, one.ordinal);
        i.priority = one.priority;
        if (i.task == kNoTask || !refusal(i, moment.machine).empty()) continue;
        const auto branch = original.branch(i);
        branch->extend_to_end();
        RunHistory stored(scenario, policy);
        stored.extend_to_end();
        Moment simulated_end = stored.simulated_end();
        ASSERT_EQ(simulated_end.machine.globals().next_intervention, 1u);
        ASSERT_EQ(simulated_end.machine.globals().events,
                  branch->simulated_end().machine.globals().events + 1);
        simulated_end.machine.globals().next_intervention = 0;
        EXPECT_EQ(simulated_end.machine.hash(), branch->simulated_end().machine.hash());
        EXPECT_EQ(stored.stop_reason(), branch->stop_reason());
        EXPECT_EQ(simulated_end.statistics.user, branch->simulated_end().statistics.user);
        EXPECT_EQ(simulated_end.statistics.switches.voluntary,
                  branch->simulated_end().statistics.switches.voluntary);
        for (std::size_t k = 0; k + 1 < stored.keyframe_count(); ++k) EXPECT_FALSE(stored.check_replay(k));
        ++compared;
    }
    EXPECT_GT(compared, kOptimised ? 15u : 0u);
}

}  // namespace scenario_interventions_test
}  // namespace sim
