// `signal`, `broadcast` and `wait` with a mutex: the semantics of condition variables.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/simulation.h"

namespace sim {
namespace signal_test {

TEST(Signal, IsLostWithoutAWaitingTask) {
    Simulation run(small_scenario(R"(
        {"name": "w", "program": [{"signal": "c"}, {"broadcast": "c"}, {"run": "1ms"}, {"wait": "c"}]})"));
    EXPECT_EQ(run.go(), StopReason::deadlock);
    EXPECT_EQ(run.events(TraceKind::wait), "1000000 w");
}

TEST(Signal, WakesLongestWaitingTaskOnly) {
    Simulation run(small_scenario(R"(
        {"name": "w", "count": 3, "program": [{"wait": "c"}]},
        {"name": "s", "start": "1ms", "program": [{"signal": "c"}]})"));
    EXPECT_EQ(run.go(), StopReason::deadlock);
    EXPECT_EQ(run.events(TraceKind::exit), "1000000 s, 1000000 w.1");
}

TEST(Broadcast, WakesAllWaitingTasks) {
    Simulation run(small_scenario(R"(
        {"name": "w", "count": 3, "program": [{"wait": "c"}]},
        {"name": "s", "start": "1ms", "program": [{"broadcast": "c"}]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.events(TraceKind::exit), "1000000 s, 1000000 w.1, 1000000 w.2, 1000000 w.3");
}

// The woken task has a higher priority, but cannot answer before the wait has begun.
TEST(Signal, BelongsToWaitThatFollows) {
    Simulation run(small_scenario(R"(
        {"name": "high", "class": "fifo", "rt_priority": 9, "program": [{"wait": "ask"}, {"signal": "answer"}]},
        {"name": "low", "start": "1ms", "program": [{"signal": "ask"}, {"wait": "answer"}]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.events(TraceKind::exit), "1000000 high, 1000000 low");
}

TEST(WaitWithMutex, ReleasesMutexDuringWait) {
    Simulation run(small_scenario(R"(
        {"name": "w", "program": [{"lock": "m"}, {"wait": "c", "mutex": "m"}, {"run": "1ms"}, {"unlock": "m"}]},
        {"name": "s", "start": "1ms", "program": [{"lock": "m"}, {"signal": "c"}, {"run": "2ms"}, {"unlock": "m"}]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.events(TraceKind::exit), "3000000 s, 4000000 w");
}

TEST(WaitWithMutex, WakesTaskThatWaitsForMutex) {
    Simulation run(small_scenario(R"(
        {"name": "w", "program": [{"lock": "m"}, {"sleep": "20ms"}, {"wait": "c", "mutex": "m"}, {"unlock": "m"}]},
        {"name": "s", "program": [{"sleep": "10ms"}, {"lock": "m"}, {"signal": "c"}, {"unlock": "m"}]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
}

TEST(WaitWithMutex, KeepsMutexIfWakeUpIsStored) {
    Simulation run(small_scenario(R"(
        {"name": "w", "program": [{"wake": "c"}, {"lock": "m"}, {"wait": "c", "mutex": "m"}, {"run": "1ms"},
                                  {"unlock": "m"}]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.events(TraceKind::wait), "");
}

// A wait counts as time, unless the loop itself wakes the channel.
TEST(EndlessLoop, MayWaitForAnotherTask) {
    const auto problems = [](const std::string& steps) {
        try {
            small_scenario(R"({"name": "w", "program": [{"loop": "forever", "steps": [)" + steps + "]}]}");
            return std::string();
        } catch (const ScenarioError& error) {
            return error.problems().front().message;
        }
    };
    EXPECT_EQ(problems(R"({"wait": "a"}, {"signal": "b"})"), "");
    EXPECT_EQ(problems(R"({"loop": 2, "steps": [{"wait": "a"}]})"), "");
    EXPECT_EQ(problems(R"({"wake": "a"}, {"wait": "a"})"),
              "no time passes in this endless loop, so the simulation would not advance");
    EXPECT_EQ(problems(R"({"wait": "a", "mutex": "m"}, {"run": "1ms"})"), "'m' is not locked here");
}

}  // namespace signal_test
}  // namespace sim
