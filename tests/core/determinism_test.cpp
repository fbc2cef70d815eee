// Order of simultaneous events, as documented in sim/core/engine.h: interventions; wake-ups by timers, by
// task id; the timer interrupt; the end of the running burst and the following program steps; the schedule()
// that is due.
//
// Each test lists the entire trace of a very small scenario, without irrelevant records at other times.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/core/engine.h"
#include "sim/scenario/scenario_json.h"

namespace sim {
namespace determinism_test {

using Story = std::vector<std::string>;

// Returns a scenario with these task groups. `machine`: JSON members of the machine.
Scenario scenario_of(const std::string& tasks, const std::string& machine = R"("hz": 100)") {
    return parse_scenario("test.json", fmt::format(R"({{"format": "switchyard-scenario/1", "machine": {{{}}},
        "until": "1s", "tasks": [{}]}})",
                                                   machine, tasks));
}

// Trace records from `from` (inclusive) to `until` (exclusive), one per line: "10ms tick a", "10ms schedule a
// -> b".
Story story(const Scenario& scenario, Nanos from, Nanos until, const char* spec = "linux-2.0") {
    const NamedPolicy policy = make_policy(spec);
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    Trace trace;
    Story lines;
    while (engine.step(m, until, {.trace = &trace})) {
        for (const TraceRecord& r : trace.records) {
            if (r.time < from || r.kind == TraceKind::syscall) continue;
            const std::string task = scenario.task_name(m, r.task);
            std::string line = fmt::format("{} {} ", format_time(r.time), to_string(r.kind));
            if (r.kind == TraceKind::schedule)
                line += scenario.task_name(m, r.other) + " -> " + task;
            else if (r.kind == TraceKind::fork)
                line += scenario.task_name(m, r.other) + ": " + task;
            else
                line += task;
            lines.push_back(std::move(line));
        }
        trace.records.clear();
    }
    return lines;
}

// The slice of this task is 1 tick. It ends at the second tick, because the counter must fall below zero.
constexpr const char* kShortSlice = R"({"name": "short", "priority": 1, "program": [
    {"loop": "forever", "steps": [{"run": "20ms"}, {"arrival": "3ms"}]}]})";

TEST(SimultaneousEvents, TimersPrecedeTickBurstEndAndSchedule) {
    const Scenario scenario = scenario_of(R"(
        {"name": "first", "start": "10ms", "program": [{"run": "1ms"}]},
        {"name": "spinner", "program": [{"loop": "forever", "steps": [{"run": "10ms"}, "yield"]}]},
        {"name": "second", "start": "10ms", "program": [{"run": "1ms"}]},
        {"name": "third", "start": "10ms", "program": [{"run": "1ms"}]})");
    EXPECT_EQ(story(scenario, 10ms, 11ms),
              (Story{"10ms wake_up first", "10ms wake_up second", "10ms wake_up third", "10ms tick spinner",
                     "10ms yield spinner", "10ms schedule spinner -> first"}));
}

TEST(SimultaneousEvents, InterventionsPrecedeAllOtherEvents) {
    // "first" is killed before its start at the same time. "spinner" is to be blocked; it sleeps after the
    // tick, instead of its yield.
    const Scenario scenario = parse_scenario("test.json", R"({"format": "switchyard-scenario/1",
        "machine": {"hz": 100}, "until": "1s", "tasks": [
            {"name": "first", "start": "10ms", "program": [{"run": "1ms"}]},
            {"name": "spinner", "program": [{"loop": "forever", "steps": [{"run": "10ms"}, "yield"]}]},
            {"name": "second", "start": "10ms", "program": [{"run": "1ms"}]}],
        "interventions": [{"block": "spinner", "at": "10ms"}, {"kill": "first", "at": "10ms"}]})");
    EXPECT_EQ(story(scenario, 10ms, 11ms),
              (Story{"10ms intervention spinner", "10ms intervention first", "10ms wake_up first",
                     "10ms wake_up second", "10ms tick spinner", "10ms wait spinner",
                     "10ms schedule spinner -> first", "10ms exit first", "10ms schedule first -> second"}));
}

TEST(SimultaneousEvents, WakeUpsAreOrderedByTaskId) {
    // Three tasks sleep until the same time. The one that is last in the file is the first to go to sleep.
    const Scenario scenario = scenario_of(R"(
        {"name": "low", "start": "1ms", "priority": 40, "program": [{"arrival": "7ms"}, {"run": "1ms"}]},
        {"name": "middle", "start": "2ms", "priority": 40, "program": [{"arrival": "6ms"}, {"run": "1ms"}]},
        {"name": "high", "priority": 40, "program": [{"arrival": "8ms"}, {"run": "1ms"}]},
        {"name": "spinner", "program": [{"run": "1h"}]})");
    EXPECT_EQ(story(scenario, 8ms, 9ms), (Story{"8ms wake_up low", "8ms wake_up middle", "8ms wake_up high",
                                                "8ms schedule spinner -> low"}));
}

TEST(SimultaneousEvents, TickPrecedesBurstEnd) {
    // If the burst ended before the tick, the sleeper would be asleep and the tick would be charged to the
    // other task.
    const Scenario scenario = scenario_of(R"(
        {"name": "sleeper", "program": [{"run": "10ms"}, {"arrival": "5ms"}]},
        {"name": "other", "program": [{"run": "1h"}]})");
    EXPECT_EQ(story(scenario, 10ms, 11ms),
              (Story{"10ms tick sleeper", "10ms sleep sleeper", "10ms schedule sleeper -> other"}));
}

TEST(SimultaneousEvents, ProgramStepsPrecedeRescheduleByTick) {
    // The tick at 20 ms requests schedule(). The task sleeps at the same time, so one call of schedule()
    // serves both the tick and the sleep.
    const Scenario scenario = scenario_of(
        std::string(kShortSlice) + R"(, {"name": "other", "priority": 1, "program": [{"run": "1h"}]})");
    EXPECT_EQ(story(scenario, 20ms, 21ms),
              (Story{"20ms tick short", "20ms sleep short", "20ms schedule short -> other"}));
}

TEST(SimultaneousEvents, PendingRescheduleDelaysNextBurst) {
    const Scenario scenario = scenario_of(R"(
        {"name": "worker", "priority": 1, "program": [{"run": "20ms"}, {"run": "5ms"}, "exit"]},
        {"name": "other", "priority": 1, "program": [{"run": "4ms"}]})");
    EXPECT_EQ(story(scenario, 20ms, 30ms),
              (Story{"20ms tick worker", "20ms schedule worker -> other", "24ms exit other",
                     "24ms schedule other -> worker", "29ms exit worker", "29ms schedule worker -> idle"}));
}

TEST(SimultaneousEvents, TimerPreemptionFollowsSimultaneousBurstEnd) {
    const Scenario scenario = scenario_of(R"(
        {"name": "strong", "priority": 40, "start": "5ms", "program": [{"run": "1ms"}]},
        {"name": "poster", "program": [{"run": "5ms"}, {"wake": "c"}, {"run": "1ms"}]},
        {"name": "waiter", "priority": 30, "program": [{"wait": "c"}, {"run": "1ms"}]})");
    EXPECT_EQ(story(scenario, 5ms, 6ms),
              (Story{"5ms wake_up strong", "5ms wake_up waiter", "5ms schedule poster -> strong"}));
}

TEST(SimultaneousEvents, ZeroLengthTimerFollowsExistingEvents) {
    // The task sets a timer of length 0 after the tick at the same time. So the events at this time are
    // followed by a second round, which begins with the expiry of the timer.
    const Scenario scenario = scenario_of(R"(
        {"name": "blinker", "program": [{"run": "10ms"}, {"arrival": "0ns"}, {"run": "1ms"}, "exit"]},
        {"name": "other", "start": "10ms", "program": [{"run": "1h"}]})");
    EXPECT_EQ(story(scenario, 10ms, 11ms),
              (Story{"10ms wake_up other", "10ms tick blinker", "10ms sleep blinker",
                     "10ms schedule blinker -> other", "10ms wake_up blinker"}));
}

TEST(SimultaneousEvents, TimerSetLaterStillPrecedesTick) {
    // There is no tick at time 0. At 10 ms the tick and the timer of sleeper coincide. The timer was set
    // later than the tick, but expires first.
    const Scenario scenario = scenario_of(R"(
        {"name": "sleeper", "program": [{"arrival": "10ms"}, {"run": "1ms"}]},
        {"name": "other", "priority": 10, "program": [{"run": "1h"}]})");
    EXPECT_EQ(story(scenario, 1ms, 11ms),
              (Story{"10ms wake_up sleeper", "10ms tick other", "10ms schedule other -> sleeper"}));
    // The order is the same if the timer is set between two ticks.
    const Scenario between = scenario_of(R"(
        {"name": "sleeper", "program": [{"run": "3ms"}, {"arrival": "7ms"}, {"run": "1ms"}]},
        {"name": "other", "priority": 10, "program": [{"run": "1h"}]})");
    EXPECT_EQ(story(between, 3ms, 11ms),
              (Story{"3ms sleep sleeper", "3ms schedule sleeper -> other", "10ms wake_up sleeper",
                     "10ms tick other", "10ms schedule other -> sleeper"}));
}

TEST(SimultaneousEvents, FreeSystemCallsRunAtSameTime) {
    const Scenario scenario = scenario_of(R"(
        {"name": "busy", "start": "1ms", "program": [{"run": "4ms"}, {"wake": "c"}, {"wake": "c"}, {"fork": "child"}]},
        {"name": "a", "priority": 20, "program": [{"wait": "c"}]},
        {"name": "b", "priority": 20, "program": [{"wait": "c"}]},
        {"name": "child", "count": 0, "program": [{"run": "1ms"}]})");
    EXPECT_EQ(story(scenario, 5ms, 6ms),
              (Story{"5ms wake_up a", "5ms wake_up b", "5ms fork busy: child.4", "5ms wake_up child.4",
                     "5ms exit busy", "5ms schedule busy -> a", "5ms exit a", "5ms schedule a -> b",
                     "5ms exit b", "5ms schedule b -> child.4"}));
}

TEST(SimultaneousEvents, PreemptionInterruptsFreeSystemCalls) {
    const Scenario scenario = scenario_of(R"(
        {"name": "busy", "start": "1ms", "priority": 10,
         "program": [{"run": "4ms"}, {"wake": "c"}, {"wake": "d"}, {"run": "5ms"}]},
        {"name": "strong", "program": [{"wait": "c"}, {"run": "1ms"}]},
        {"name": "equal", "priority": 10, "program": [{"wait": "d"}]})");
    EXPECT_EQ(story(scenario, 5ms, 7ms),
              (Story{"5ms wake_up strong", "5ms schedule busy -> strong", "6ms exit strong",
                     "6ms schedule strong -> busy", "6ms wake_up equal"}));
}

TEST(SimultaneousEvents, WakeUpDuringSchedulePreemptsAfterwards) {
    // schedule() takes 4 ms and is first called at 0. The task that wakes at 2 ms must wait until 4 ms.
    const Scenario scenario = scenario_of(R"(
        {"name": "weak", "priority": 10, "program": [{"run": "1h"}]},
        {"name": "strong", "priority": 40, "start": "2ms", "program": [{"run": "1h"}]})",
                                          R"("hz": 100, "costs": {"schedule": "4ms"})");
    EXPECT_EQ(story(scenario, 0ms, 20ms), (Story{"0ns schedule idle -> weak", "2ms wake_up strong",
                                                 "4ms schedule weak -> strong", "10ms tick strong"}));
}

TEST(SimultaneousEvents, WakeUpAtScheduleEndPreemptsImmediately) {
    const Scenario scenario = scenario_of(R"(
        {"name": "weak", "priority": 10, "program": [{"run": "1h"}]},
        {"name": "strong", "priority": 40, "start": "4ms", "program": [{"run": "1h"}]})",
                                          R"("hz": 100, "costs": {"schedule": "4ms"})");
    EXPECT_EQ(story(scenario, 0ms, 9ms),
              (Story{"0ns schedule idle -> weak", "4ms wake_up strong", "4ms schedule weak -> strong"}));
}

TEST(SimultaneousEvents, SystemCallEndingAtTickReschedules) {
    // The system call takes from 9 to 10 ms. The task that wakes at 10 ms runs before the caller's next step.
    const Scenario scenario = scenario_of(R"(
        {"name": "caller", "priority": 10, "program": [{"run": "9ms"}, {"wake": "c"}, {"wake": "d"}, {"run": "1h"}]},
        {"name": "strong", "priority": 40, "start": "10ms", "program": [{"run": "1h"}]},
        {"name": "waiter", "priority": 2, "start": "1ms", "program": [{"wait": "d"}]})",
                                          R"("hz": 100, "costs": {"syscall": "1ms"})");
    EXPECT_EQ(story(scenario, 9ms, 11ms),
              (Story{"10ms wake_up strong", "10ms tick caller", "10ms schedule caller -> strong"}));
}

TEST(SimultaneousEvents, EventsAtPauseTimeStayPending) {
    const Scenario scenario = scenario_of(R"(
        {"name": "a", "start": "10ms", "program": [{"run": "1ms"}]},
        {"name": "spinner", "program": [{"run": "1h"}]})");
    const Story until_then = story(scenario, 0ms, 10ms);
    EXPECT_EQ(until_then, (Story{"0ns schedule idle -> spinner"}));
    const Story and_after = story(scenario, 0ms, 10ms + 1ns);
    EXPECT_EQ(and_after, (Story{"0ns schedule idle -> spinner", "10ms wake_up a", "10ms tick spinner"}));
}

TEST(TimerInterrupt, TickTimesDoNotDrift) {
    const Scenario scenario = scenario_of(R"({"name": "a", "program": [{"run": "1h"}]})", R"("hz": 1024)");
    Story ticks = story(scenario, 0ms, 2s + 1ns);
    std::erase_if(ticks, [](const std::string& line) { return line.find("tick") == std::string::npos; });
    ASSERT_EQ(ticks.size(), 2048u);
    EXPECT_EQ(ticks[0], "976.562us tick a");
    EXPECT_EQ(ticks[1], "1.953125ms tick a");
    EXPECT_EQ(ticks[1022], "999.023437ms tick a");
    EXPECT_EQ(ticks[1023], "1s tick a");
    EXPECT_EQ(ticks[2047], "2s tick a");
}

TEST(TaskIds, LastExitedIsReusedFirst) {
    // Simultaneous wake-ups are ordered by id, so the id of a forked task matters.
    const Scenario scenario = scenario_of(R"(
        {"name": "one", "priority": 40, "program": [{"run": "1ms"}]},
        {"name": "two", "priority": 40, "program": [{"run": "1ms"}]},
        {"name": "parent", "program": [{"run": "1ms"}, {"fork": "x"}, {"fork": "x"}, {"run": "1h"}]},
        {"name": "x", "count": 0, "priority": 40, "program": [{"arrival": "2ms"}]})");
    const NamedPolicy policy = make_policy("linux-2.0");
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    Trace trace;
    engine.run(m, {.until = 4ms}, {.trace = &trace});
    std::vector<TaskId> forked;
    for (const TraceRecord& record : trace.records)
        if (record.kind == TraceKind::fork) forked.push_back(record.task);
    EXPECT_EQ(forked, (std::vector<TaskId>{2, 1}));
}

}  // namespace determinism_test
}  // namespace sim
