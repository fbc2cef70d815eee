// What a run is reported as: the prices and programs are those of engine_test.cpp, worked out there.
#include "sim/core/summary.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>

#include "sim/core/engine.h"
#include "sim/scenario/scenario_json.h"

namespace sim {
namespace summary_test {

using nlohmann::ordered_json;

Scenario scenario_of(const std::string& tasks) {
    return parse_scenario("folder/small.json",
                          R"({"format": "switchyard-scenario/1", "seed": 7, "until": "10s",
        "machine": {"hz": 1, "costs": {"syscall": "2us", "schedule": "5us", "considered": "1us", "recalculated": "10ns",
                    "queue_step": "100ns", "switch_same_mm": "20us", "switch_other_mm": "50us"}},
        "tasks": [)" + tasks + "]}");
}

struct Simulation {
    explicit Simulation(const std::string& tasks)
        : scenario(scenario_of(tasks)),
          policy(make_policy("linux-2.0:yield=original")),
          engine(scenario, *policy.policy),
          m(engine.initial_state()),
          statistics(m.shape()) {}

    void go(Nanos until) { reason = engine.run(m, {.until = until}, {.statistics = &statistics}); }
    ordered_json summary() const { return summarize(scenario, policy.spec(), m, statistics, reason); }

    // "user idle system select recalc switch address_space", in ns
    std::string parts() const {
        const TimeParts t = settled_time(scenario, statistics, m);
        EXPECT_EQ(t.total().count(), m.globals().now.count());
        return fmt::format("{} {} {} {} {} {} {}", t.user.count(), t.idle.count(), t.overhead.system.count(),
                           t.overhead.select.count(), t.overhead.recalc.count(),
                           t.overhead.context_switch.count(), t.overhead.address_space.count());
    }

    Scenario scenario;
    NamedPolicy policy;
    Engine engine;
    Machine m;
    Statistics statistics;
    StopReason reason = StopReason::until;
};

const char* const kTwoYields = R"({"name": "a", "program": ["yield"]}, {"name": "b", "program": ["yield"]})";

TEST(SettledTime, OfACallInProgressCountsWhatHasPassed) {
    // A schedule() of 6 us of selecting, 20 us of switching and 30 us for the address space; then 100 us in
    // user mode.
    Simulation run(R"({"name": "a", "program": [{"run": "100us"}, {"sleep": "1ms"}]})");
    run.go(0us);
    EXPECT_EQ(run.parts(), "0 0 0 0 0 0 0");
    run.go(1us);
    EXPECT_EQ(run.parts(), "0 0 0 1000 0 0 0");
    run.go(6us);
    EXPECT_EQ(run.parts(), "0 0 0 6000 0 0 0");
    run.go(10us);
    EXPECT_EQ(run.parts(), "0 0 0 6000 0 4000 0");
    run.go(30us);
    EXPECT_EQ(run.parts(), "0 0 0 6000 0 20000 4000");
    run.go(56us);
    EXPECT_EQ(run.parts(), "0 0 0 6000 0 20000 30000");
    run.go(57us);
    EXPECT_EQ(run.parts(), "1000 0 0 6000 0 20000 30000");
    // From 156 us on the sleep: a system call of 2 us, then schedule(), to idle at 213 us.
    run.go(156us);
    EXPECT_EQ(run.parts(), "100000 0 0 6000 0 20000 30000");
    run.go(157us);
    EXPECT_EQ(run.parts(), "100000 0 1000 6000 0 20000 30000");
    run.go(160us);
    EXPECT_EQ(run.parts(), "100000 0 2000 8000 0 20000 30000");
    run.go(213us);
    EXPECT_EQ(run.parts(), "100000 0 2000 11000 0 40000 60000");
    run.go(500us);
    EXPECT_EQ(run.parts(), "100000 287000 2000 11000 0 40000 60000");
    run.go(1157us);
    EXPECT_EQ(run.parts(), "100000 943000 2000 12000 0 40000 60000");
}

TEST(SettledTime, CountsRefillsBetweenSelectingAndSwitching) {
    // From 116 us on: 2 us of the system call, 7 us of selecting, 20 ns of refilling, then the switch.
    Simulation run(kTwoYields);
    run.go(116us + 9'010ns);
    EXPECT_EQ(run.parts(), "0 0 4000 21000 10 40000 60000");
    run.go(116us + 9'021ns);
    EXPECT_EQ(run.parts(), "0 0 4000 21000 20 40001 60000");
}

TEST(SettledTime, OfASystemCallInProgress) {
    Simulation run(R"({"name": "a", "program": [{"wake": "c"}, {"run": "1ms"}]})");
    run.go(57us);
    EXPECT_EQ(run.parts(), "0 0 1000 6000 0 20000 30000");
    EXPECT_EQ(settled_tasks(run.scenario, run.statistics, run.m)[1].system.count(), 1'000);
    run.go(58us);
    EXPECT_EQ(run.parts(), "0 0 2000 6000 0 20000 30000");
}

TEST(SettledTasks, CountWhatIsInProgressForTheTaskThatCausesIt) {
    Simulation run(
        R"({"name": "a", "program": [{"run": "100us"}]}, {"name": "b", "program": [{"run": "100us"}]})");
    run.go(10us);  // in the first schedule(), which the idle task called
    auto tasks = settled_tasks(run.scenario, run.statistics, run.m);
    EXPECT_EQ(tasks[0].system.count(), 10'000);
    EXPECT_EQ(tasks[1].user.count(), 0);
    EXPECT_EQ(tasks[1].ready.count(), 0);
    EXPECT_EQ(tasks[2].ready.count(), 10'000);
    run.go(60us);  // a runs since 57 us
    tasks = settled_tasks(run.scenario, run.statistics, run.m);
    EXPECT_EQ(tasks[0].system.count(), 57'000);
    EXPECT_EQ(tasks[1].user.count(), 3'000);
    EXPECT_EQ(tasks[2].ready.count(), 60'000);
    run.go(170us);  // since 157 us in a's exit, with b chosen
    tasks = settled_tasks(run.scenario, run.statistics, run.m);
    EXPECT_EQ(tasks[1].user.count(), 100'000);
    EXPECT_EQ(tasks[1].system.count(), 13'000);
    EXPECT_EQ(tasks[2].ready.count(), 157'000);
    EXPECT_EQ(tasks[2].user.count(), 0);
}

TEST(Summary, SaysWhatWasRunAndHowItEnded) {
    Simulation run(kTwoYields);
    run.go(1s);
    const ordered_json s = run.summary();
    EXPECT_EQ(s.at("format"), "switchyard-run/1");
    EXPECT_EQ(s.at("scenario"), "small");
    EXPECT_EQ(s.at("policy"), "linux-2.0");
    EXPECT_EQ(s.at("seed"), 7);
    EXPECT_EQ(s.at("cpus"), 1);
    EXPECT_EQ(s.at("simulated_ns"), 233'020);
    EXPECT_EQ(s.at("stop_reason"), "all_exited");
    EXPECT_EQ(s.at("hash"), fmt::format("{:016x}", run.m.hash()));
}

TEST(Summary, CountsSwitchesBothWays) {
    Simulation run(kTwoYields);
    run.go(1s);
    const ordered_json s = run.summary();
    const ordered_json& switches = s.at("switches");
    EXPECT_EQ(switches.at("total"), 5);
    EXPECT_EQ(switches.at("voluntary"), 2);    // the exits
    EXPECT_EQ(switches.at("involuntary"), 2);  // the yields
    EXPECT_EQ(switches.at("from_idle"), 1);
    EXPECT_EQ(switches.at("to_idle"), 1);
    EXPECT_EQ(switches.at("same_mm"), 0);
    EXPECT_EQ(switches.at("other_mm"), 4);
    EXPECT_EQ(switches.at("kernel_thread"), 0);
    EXPECT_EQ(s.at("/yields/calls"_json_pointer), 2);
    EXPECT_EQ(s.at("/yields/switched"_json_pointer), 2);
    EXPECT_EQ(s.at("/tlb/flushes"_json_pointer), 5);
    EXPECT_EQ(s.at("/tlb/same_mm_avoided"_json_pointer), 0);
}

TEST(Summary, CountsTheWorkOfTheScheduler) {
    Simulation run(kTwoYields);
    run.go(1s);
    const ordered_json s = run.summary();
    const ordered_json& schedule = s.at("schedule");
    EXPECT_EQ(schedule.at("calls"), 5);
    EXPECT_EQ(schedule.at("considered"), 7);
    EXPECT_EQ(schedule.at("recalcs"), 1);
    EXPECT_EQ(schedule.at("recalculated"), 2);
    EXPECT_EQ(schedule.at("queue_steps"), 0);
}

TEST(Summary, SplitsTheTimeWithoutARemainder) {
    Simulation run(kTwoYields);
    run.go(1s);
    const ordered_json s = run.summary();
    const ordered_json& time = s.at("time_ns");
    EXPECT_EQ(time.at("user"), 0);
    EXPECT_EQ(time.at("system"), 6'000);
    EXPECT_EQ(time.at("select"), 27'000);
    EXPECT_EQ(time.at("recalc"), 20);
    EXPECT_EQ(time.at("switch"), 80'000);
    EXPECT_EQ(time.at("address_space"), 120'000);
    EXPECT_EQ(time.at("idle"), 0);
    std::int64_t sum = 0;
    for (const auto& [name, part] : time.items()) sum += part.get<std::int64_t>();
    EXPECT_EQ(sum, 233'020);
}

TEST(Summary, CountsHowManyTasksEachScheduleHadToChooseFrom) {
    Simulation run(kTwoYields);
    run.go(1s);
    const ordered_json s = run.summary();
    EXPECT_EQ(s.at("/runqueue/histogram"_json_pointer), (ordered_json{1, 1, 3}));  // 2, 2, 2, 1, 0
    EXPECT_EQ(s.at("/runqueue/max"_json_pointer), 2);
    EXPECT_DOUBLE_EQ(s.at("/runqueue/mean"_json_pointer).get<double>(), 1.4);
    EXPECT_DOUBLE_EQ(s.at("/runqueue/share_over_10"_json_pointer).get<double>(), 0);
}

TEST(Summary, SharesOfLongQueuesAreOverTenAndTwentyOrMore) {
    // 21 exits: schedule() finds 21, 20, ..., 1, 0 tasks.
    Simulation run(R"({"name": "a", "count": 21, "program": []})");
    run.go(1s);
    const ordered_json s = run.summary();
    EXPECT_DOUBLE_EQ(s.at("/runqueue/share_over_10"_json_pointer).get<double>(), 11.0 / 22);
    EXPECT_DOUBLE_EQ(s.at("/runqueue/share_20_or_more"_json_pointer).get<double>(), 2.0 / 22);
    EXPECT_EQ(s.at("/runqueue/max"_json_pointer), 21);
    EXPECT_DOUBLE_EQ(s.at("/runqueue/mean"_json_pointer).get<double>(), 10.5);
}

TEST(Summary, HasARowForEachTask) {
    Simulation run(R"({"name": "a", "program": [{"run": "1ms"}]}, {"name": "s", "program": [{"sleep": "1s"}]},
                      {"name": "w", "program": [{"wait": "c"}]}, {"name": "b", "program": [{"run": "1ms"}]},
                      {"name": "x", "count": 2, "program": [{"run": "1ms"}]})");
    run.go(2ms);  // a is gone, s and w block at once, b runs
    const ordered_json s = run.summary();
    const ordered_json& tasks = s.at("tasks");
    ASSERT_EQ(tasks.size(), 6u);
    const char* expected[][2] = {{"a", "exited"},  {"s", "sleeping"}, {"w", "waiting"},
                                 {"b", "running"}, {"x.1", "ready"},  {"x.2", "ready"}};
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(tasks[i].at("pid"), i + 1);
        EXPECT_EQ(tasks[i].at("name"), expected[i][0]);
        EXPECT_EQ(tasks[i].at("state"), expected[i][1]);
    }
    EXPECT_EQ(tasks[0].at("user_ns"), 1'000'000);
    EXPECT_EQ(tasks[0].at("voluntary"), 1);
    EXPECT_EQ(tasks[4].at("ready_ns"), 2'000'000);
    EXPECT_EQ(s.at("stop_reason"), "until");
}

TEST(Summary, OfARunThatHasNotBegunIsAllZero) {
    Simulation run(kTwoYields);
    const ordered_json s = run.summary();
    EXPECT_EQ(s.at("/switches/total"_json_pointer), 0);
    EXPECT_DOUBLE_EQ(s.at("/runqueue/mean"_json_pointer).get<double>(), 0);
    EXPECT_EQ(s.at("/runqueue/histogram"_json_pointer), ordered_json::array());
}

TEST(Claims, HoldWithinTheirBoundsInclusive) {
    const ordered_json summary = {{"a", 10}, {"b", {{"c", 4}}}, {"zero", 0}, {"name", "x"}};
    const auto holds = [&](const char* pointer, const char* per, double least, double most) {
        return check_claim({pointer, per, least, most, ""}, summary).holds;
    };
    EXPECT_TRUE(holds("/a", "", 10, 10));
    EXPECT_TRUE(holds("/a", "", 9, 10));
    EXPECT_TRUE(holds("/a", "", 10, 11));
    EXPECT_FALSE(holds("/a", "", 10.5, 11));
    EXPECT_FALSE(holds("/a", "", 9, 9.5));
    EXPECT_TRUE(holds("/a", "/b/c", 2.5, 2.5));
    EXPECT_FALSE(holds("/a", "/b/c", 10, 10));
}

TEST(Claims, SayWhatIsTrueInstead) {
    const ordered_json summary = {{"a", 10}, {"b", {{"c", 4}}}};
    const std::string text = check_claim({"/a", "/b/c", 3, 4, ""}, summary).text;
    EXPECT_NE(text.find("/a per /b/c is 2.5"), std::string::npos) << text;
    EXPECT_NE(text.find("[3, 4]"), std::string::npos) << text;
}

TEST(Claims, AboutWhatIsNotThereDoNotHold) {
    const ordered_json summary = {{"a", 10}, {"zero", 0}, {"name", "x"}};
    for (const char* pointer : {"/missing", "/a/b", "/name"}) {
        const ClaimResult result = check_claim({pointer, "", -1e9, 1e9, ""}, summary);
        EXPECT_FALSE(result.holds) << pointer;
        EXPECT_NE(result.text.find(pointer), std::string::npos) << result.text;
    }
    EXPECT_FALSE(check_claim({"/a", "/zero", -1e9, 1e9, ""}, summary).holds);
    EXPECT_FALSE(check_claim({"/a", "/missing", -1e9, 1e9, ""}, summary).holds);
}

}  // namespace summary_test
}  // namespace sim
