// Blocking on pipes, locks, parking and devices: order, wake-ups and costs.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/simulation.h"

namespace sim {
namespace blocking_test {

using Kind = ChannelSpec::Kind;

// For each pair of groups (the one that waited, the one that ended the wait), returns the number of waits
// on the channel: "reader<writer 2, reader<reader 1".
std::string wait_attributions(const Simulation& run, ChannelId channel) {
    std::string text;
    for (const WaitAttribution& b : run.statistics.wait_attributions) {
        if (b.channel != channel) continue;
        text += fmt::format(
            "{}{}<{} {}", text.empty() ? "" : ", ", run.scenario.groups[b.waiter].name,
            b.waker == WaitAttribution::kNoWaker ? "itself" : run.scenario.groups[b.waker].name, b.waits);
    }
    return text;
}

// --- pipes ---

TEST(Pipe, ReadTakesAvailableBytesUpToRequest) {
    Simulation run(small_scenario(R"(
        {"name": "w", "program": [{"pipe_write": "p", "bytes": "5B"}, {"pipe_write": "p", "bytes": "3B"}]},
        {"name": "r", "start": "1ms", "program": [{"pipe_read": "p", "bytes": "6B"}, {"run": "1ms"},
                                                  {"pipe_read": "p", "bytes": "6B"}, {"pipe_read": "p"}]})"));
    run.go(1500us);
    EXPECT_EQ(run.channel_of(Kind::pipe_readers).tokens, 2u);
    EXPECT_EQ(run.channel_of(Kind::pipe_writers).tokens, 4096u - 2);  // default capacity: one page
    EXPECT_EQ(run.go(), StopReason::deadlock);
    EXPECT_EQ(run.events(TraceKind::wait), "2000000 r");
    EXPECT_EQ(run.channel_of(Kind::pipe_readers).tokens, 0u);
}

TEST(Pipe, WriterWaitsUntilAllBytesFit) {
    Simulation run(small_scenario(R"(
        {"name": "w", "program": [{"pipe_write": "p", "bytes": "3B"}, {"pipe_write": "p", "bytes": "2B"}]},
        {"name": "r", "program": [{"loop": 5, "steps": [{"arrival": "1ms"}, {"pipe_read": "p"}]}]})",
                                  {.more = R"("pipes": {"p": {"capacity": "4B"}},)"}));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.events(TraceKind::wait), "0 w");  // w continues at 1 ms, when its 2 bytes fit
    EXPECT_EQ(run.events(TraceKind::exit), "1000000 w, 5000000 r");
}

TEST(Pipe, WriterWaitsAgainWhenRoomIsShort) {
    Simulation run(small_scenario(R"(
        {"name": "w", "program": [{"pipe_write": "p", "bytes": "4B"}, {"pipe_write": "p", "bytes": "3B"}]},
        {"name": "r", "program": [{"loop": 7, "steps": [{"arrival": "1ms"}, {"pipe_read": "p"}]}]})",
                                  {.more = R"("pipes": {"p": {"capacity": "4B"}},)"}));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.events(TraceKind::wait), "0 w, 1000000 w, 2000000 w");
    EXPECT_EQ(run.statistics.waits[run.channel(Kind::pipe_writers)].switches, 3u);
}

TEST(Pipe, ReaderWakesNextWhileBytesRemain) {
    Simulation run(small_scenario(R"(
        {"name": "r", "count": 4, "program": [{"pipe_read": "p"}]},
        {"name": "w", "start": "1ms", "program": [{"pipe_write": "p", "bytes": "3B"}]})"));
    EXPECT_EQ(run.go(), StopReason::deadlock);
    EXPECT_EQ(run.events(TraceKind::exit), "1000000 w, 1000000 r.1, 1000000 r.2, 1000000 r.3");
    EXPECT_EQ(wait_attributions(run, run.channel(Kind::pipe_readers)), "r<r 2, r<w 1");
}

TEST(Pipe, WriterWakesNextWhileRoomRemains) {
    Simulation run(small_scenario(R"(
        {"name": "full", "program": [{"pipe_write": "p", "bytes": "4B"}]},
        {"name": "w", "count": 3, "program": [{"pipe_write": "p"}]},
        {"name": "r", "start": "1ms", "program": [{"pipe_read": "p", "bytes": "4B"}]})",
                                  {.more = R"("pipes": {"p": {"capacity": "4B"}},)"}));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.events(TraceKind::exit), "0 full, 1000000 r, 1000000 w.1, 1000000 w.2, 1000000 w.3");
    EXPECT_EQ(wait_attributions(run, run.channel(Kind::pipe_writers)), "w<w 2, w<r 1");
    EXPECT_EQ(run.channel_of(Kind::pipe_readers).tokens, 3u);
}

TEST(Pipe, FirstReaderToRunTakesBytes) {
    // At 1 ms, the task `w` writes and thereby wakes the task `slow`. The task `quick` reads the bytes
    // before `slow` gets the CPU.
    Simulation run(small_scenario(R"(
        {"name": "slow", "priority": 1, "program": [{"pipe_read": "p"}]},
        {"name": "w", "start": "1ms", "program": [{"pipe_write": "p"}, {"wake": "c"}, {"arrival": "1ms"}, {"pipe_write": "p"}]},
        {"name": "quick", "priority": 40, "program": [{"wait": "c"}, {"pipe_read": "p"}]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.events(TraceKind::wait), "0 quick, 0 slow, 1000000 slow");
    EXPECT_EQ(run.events(TraceKind::exit), "1000000 quick, 2000000 w, 2000000 slow");
}

TEST(Pipe, ReadCostIsIndependentOfWait) {
    const std::string costs = R"("syscall": "1us", "pipe": "10us", "wake_up": "100us")";
    Simulation run(small_scenario(R"(
        {"name": "r", "program": [{"pipe_read": "p"}]},
        {"name": "w", "start": "1ms", "program": [{"pipe_write": "p"}]})",
                                  {.costs = costs}));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    // Costs in us: the write takes 1 + 10 + 100 and each of the two exits takes 1. The read takes 1 + 10
    // before the reader sleeps, and nothing after the reader has been woken.
    EXPECT_EQ(run.time().overhead.system.count(),
              111'000 + 2'000 + 11'000 - 1'000);  // the run ends when the last exit begins
    EXPECT_EQ(run.statistics.work[static_cast<std::size_t>(KernelWork::pipe)], 2u);
    EXPECT_EQ(run.statistics.work[static_cast<std::size_t>(KernelWork::wake_up)], 1u);
}

TEST(Pipe, KilledReaderLeavesBytesToNext) {
    Simulation run(small_scenario(R"(
        {"name": "r", "count": 2, "priority": 1, "program": [{"pipe_read": "p"}]},
        {"name": "w", "start": "1ms", "priority": 40, "program": [{"pipe_write": "p"}, {"run": "1ms"}]})"));
    run.go(1500us);
    EXPECT_EQ(run.events(TraceKind::wake_up), "1000000 w, 1000000 r.1");
    run.kill("r.1");
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.channel_of(Kind::pipe_readers).tokens, 0u);
}

// --- locks ---

TEST(Lock, FreeLockNeedsNoSystemCall) {
    Simulation run(small_scenario(R"({"name": "a", "program": [
        {"loop": 3, "steps": [{"lock": "l"}, {"run": "1ms"}, {"unlock": "l"}]}]})",
                                  {.costs = R"("syscall": "1us", "futex": "1ms", "wake_up": "1ms")"}));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.now(), 3'000'000);
    EXPECT_EQ(run.statistics.syscalls, 1u);  // the exit
    EXPECT_EQ(run.statistics.work[static_cast<std::size_t>(KernelWork::futex)], 0u);
}

TEST(Lock, ReleaseWakesSleepingWaiter) {
    Simulation run(
        small_scenario(R"(
        {"name": "a", "program": [{"lock": "l"}, {"run": "2ms"}, {"unlock": "l"}]},
        {"name": "b", "start": "1ms", "program": [{"lock": "l"}, {"run": "1ms"}, {"unlock": "l"}]})",
                       {.cpus = 2, .costs = R"("syscall": "1us", "futex": "10us", "wake_up": "100us")"}));
    run.go(1500us);
    EXPECT_EQ(run.channel_of(Kind::lock).owner, run.task("a"));
    EXPECT_EQ(run.channel_of(Kind::lock).first, run.task("b"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.events(TraceKind::wait), "1000000 cpu1 b");
    EXPECT_EQ(run.events(TraceKind::wake_up), "1000000 cpu0 b, 2000000 cpu0 b");
    EXPECT_EQ(run.events(TraceKind::exit), "2111000 cpu0 a, 3000000 cpu1 b");
    // Costs in us: b spends 1 + 10 to go to sleep, and a spends 1 + 10 + 100 to wake b. b's second attempt
    // to lock costs nothing.
    EXPECT_EQ(run.statistics.work[static_cast<std::size_t>(KernelWork::futex)], 2u);
    EXPECT_EQ(run.tasks()[run.task("b")].user.count(), 1'000'000);
    EXPECT_EQ(run.tasks()[run.task("a")].system.count(), 111'000 + 1'000);
}

TEST(Lock, HolderMayRelockBeforeWokenWaiter) {
    Simulation run(small_scenario(R"(
        {"name": "a", "priority": 40, "program": [
            {"loop": 3, "steps": [{"lock": "l"}, {"run": "2ms"}, {"unlock": "l"}]}]},
        {"name": "b", "start": "1ms", "priority": 1, "program": [{"lock": "l"}, {"unlock": "l"}]})"));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    // b is woken at 2 ms, but runs only after the exit of a.
    EXPECT_EQ(run.events(TraceKind::exit), "6000000 a, 6000000 b");
    EXPECT_EQ(run.events(TraceKind::wait), "");  // b first runs at 6 ms, when the lock is free
    Simulation smp(small_scenario(R"(
        {"name": "a", "program": [{"loop": 3, "steps": [{"lock": "l"}, {"run": "2ms"}, {"unlock": "l"}]}]},
        {"name": "b", "start": "1ms", "program": [{"lock": "l"}, {"unlock": "l"}]})",
                                  {.cpus = 2}));
    EXPECT_EQ(smp.go(), StopReason::all_exited);
    // With a CPU of its own, b runs as soon as it is woken. But at the same time a has taken the lock
    // again, so b sleeps again.
    EXPECT_EQ(smp.events(TraceKind::wait), "1000000 cpu1 b, 2000000 cpu1 b, 4000000 cpu1 b");
    EXPECT_EQ(smp.events(TraceKind::exit), "6000000 cpu0 a, 6000000 cpu0 b");  // a's exit comes first
}

TEST(Lock, WaitersWakeInArrivalOrder) {
    Simulation run(small_scenario(R"(
        {"name": "a", "program": [{"lock": "l"}, {"run": "5ms"}, {"unlock": "l"}]},
        {"name": "b", "start": "2ms", "program": [{"lock": "l"}, {"run": "1ms"}, {"unlock": "l"}]},
        {"name": "c", "start": "1ms", "program": [{"lock": "l"}, {"run": "1ms"}, {"unlock": "l"}]},
        {"name": "d", "start": "3ms", "program": [{"lock": "l"}, {"run": "1ms"}, {"unlock": "l"}]})",
                                  {.cpus = 4}));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.events(TraceKind::exit), "5000000 cpu0 a, 6000000 cpu0 c, 7000000 cpu0 b, 8000000 cpu0 d");
}

TEST(Lock, StaysTakenWhenHolderIsKilled) {
    Simulation run(small_scenario(R"(
        {"name": "a", "program": [{"lock": "l"}, {"run": "5ms"}, {"unlock": "l"}]},
        {"name": "b", "start": "1ms", "program": [{"lock": "l"}, {"unlock": "l"}]})",
                                  {.cpus = 2}));
    run.go(2ms);
    run.kill("a");
    EXPECT_EQ(run.go(), StopReason::deadlock);
    EXPECT_EQ(run.channel_of(Kind::lock).tokens, 0u);
    EXPECT_EQ(run.channel_of(Kind::lock).owner, kNoTask);
}

TEST(Lock, KilledWokenWaiterPassesTurnOn) {
    // There is one CPU. At 3 ms, the task a unlocks and thereby wakes b; then b is killed while a still
    // computes.
    Simulation run(small_scenario(R"(
        {"name": "a", "priority": 40, "program": [{"lock": "l"}, {"arrival": "3ms"}, {"unlock": "l"}, {"run": "2ms"}]},
        {"name": "b", "start": "1ms", "priority": 1, "program": [{"lock": "l"}, {"unlock": "l"}]},
        {"name": "c", "start": "2ms", "priority": 1, "program": [{"lock": "l"}, {"run": "1ms"}, {"unlock": "l"}]})"));
    run.go(4ms);
    EXPECT_EQ(run.m.task[run.task("b")].waiting_on, run.channel(Kind::lock));
    EXPECT_EQ(run.m.task[run.task("b")].state, TaskState::runnable);
    run.kill("b");
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.now(), 6'000'000);
}

TEST(Lock, OppositeOrderDeadlocks) {
    Simulation run(small_scenario(R"(
        {"name": "a", "program": [{"lock": "x"}, {"run": "1ms"}, {"lock": "y"}, {"unlock": "y"}, {"unlock": "x"}]},
        {"name": "b", "program": [{"lock": "y"}, {"run": "1ms"}, {"lock": "x"}, {"unlock": "x"}, {"unlock": "y"}]})",
                                  {.cpus = 2}));
    EXPECT_EQ(run.go(), StopReason::deadlock);
    EXPECT_EQ(run.now(), 1'000'000);
    EXPECT_EQ(run.channel_of(Kind::lock, "x").owner, run.task("a"));
    EXPECT_EQ(run.channel_of(Kind::lock, "y").owner, run.task("b"));
}

// --- parking ---

TEST(Park, RepeatedUnparksGiveOnePermit) {
    Simulation run(small_scenario(R"(
        {"name": "p", "start": "1ms", "program": ["park", "park"]},
        {"name": "u", "program": [{"unpark": "p"}, {"unpark": "p"}, {"unpark": "p"}]})"));
    EXPECT_EQ(run.go(), StopReason::deadlock);
    EXPECT_EQ(run.events(TraceKind::wait), "1000000 p");  // the second park
    EXPECT_EQ(run.channel_of(Kind::parking).tokens, 0u);
}

TEST(Park, SystemCallOnlyWhenSleepingOrWaking) {
    const std::string costs = R"("syscall": "1us", "futex": "10us", "wake_up": "100us")";
    Simulation run(small_scenario(R"(
        {"name": "p", "program": ["park", "park", {"run": "1ms"}]},
        {"name": "u", "start": "1ms", "program": [{"unpark": "p"}, {"unpark": "p"}, {"unpark": "p"}]})",
                                  {.costs = costs}));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    // Costs in us: p spends 11 to go to sleep, and u spends 111 to wake p. The second unpark leaves a
    // permit and the third has no effect; neither costs anything.
    EXPECT_EQ(run.statistics.work[static_cast<std::size_t>(KernelWork::futex)], 2u);
    EXPECT_EQ(run.statistics.syscalls, 4u);
    EXPECT_EQ(run.events(TraceKind::wait), "0 p");
}

TEST(Park, TwoTasksAlternate) {
    Simulation run(small_scenario(R"(
        {"name": "a", "program": [{"loop": 50, "steps": [{"run": "1us"}, {"unpark": "b"}, "park"]}]},
        {"name": "b", "program": [{"loop": 50, "steps": ["park", {"run": "1us"}, {"unpark": "a"}]}]})",
                                  {.cpus = 2}));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.now(), 100'000);
    EXPECT_EQ(wait_attributions(run, run.channel(Kind::parking, "a")), "a<b 50");
}

// --- devices ---

TEST(Device, ServesRequestsInOrder) {
    Simulation run(small_scenario(R"({"name": "a", "count": 3, "program": [{"io": "disk"}]})",
                                  {.more = R"("devices": {"disk": {"service_time": "8ms"}},)"}));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.events(TraceKind::wake_up), "8000000 a.1, 16000000 a.2, 24000000 a.3");
    EXPECT_EQ(run.statistics.waits[0].waited.count(), 48'000'000);
    EXPECT_EQ(wait_attributions(run, 0), "a<itself 3");
}

TEST(Device, ServesRequestsInParallelUpToLimit) {
    Simulation run(small_scenario(R"({"name": "a", "count": 3, "program": [{"io": "disk"}]})",
                                  {.more = R"("devices": {"disk": {"service_time": "8ms",
                                                                  "servers": 2}},)"}));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.events(TraceKind::wake_up), "8000000 a.1, 8000000 a.2, 16000000 a.3");
}

TEST(Device, KilledTaskFreesPlaceForNext) {
    const Small disk{.more = R"("devices": {"disk": {"service_time": "8ms"}},)"};
    Simulation served(small_scenario(R"({"name": "a", "count": 3, "program": [{"io": "disk"}]})", disk));
    served.go(3ms);
    served.kill("a.1");
    EXPECT_EQ(served.go(), StopReason::all_exited);
    EXPECT_EQ(served.events(TraceKind::wake_up), "3000000 a.1, 11000000 a.2, 19000000 a.3");
    Simulation waiting(small_scenario(R"({"name": "a", "count": 3, "program": [{"io": "disk"}]})", disk));
    waiting.go(3ms);
    waiting.kill("a.2");
    EXPECT_EQ(waiting.go(), StopReason::all_exited);
    EXPECT_EQ(waiting.events(TraceKind::wake_up), "3000000 a.2, 8000000 a.1, 16000000 a.3");
}

TEST(Device, ServiceOrderKeepsTaskDraws) {
    const auto user_times = [](int at_once) {
        Simulation run(small_scenario(
            R"({"name": "a", "count": 4, "program": [{"loop": 20, "steps": [{"io": "disk"}, {"run": {"exponential": "1ms"}}]}]})",
            {.cpus = 4,
             .more = fmt::format(
                 R"("devices": {{"disk": {{"service_time": {{"exponential": "5ms"}}, "servers": {}}}}},)",
                 at_once)}));
        EXPECT_EQ(run.go(), StopReason::all_exited);
        std::vector<std::int64_t> times;
        for (TaskId p = 4; p < 8; ++p) times.push_back(run.tasks()[p].user.count());
        return times;
    };
    EXPECT_EQ(user_times(1), user_times(4));
}

TEST(Device, StateHashIncludesPendingServiceTimes) {
    const auto hash_with = [](const char* service) {
        Simulation run(small_scenario(R"({"name": "a", "count": 2, "program": [{"io": "disk"}]})",
                                      {.more = fmt::format(R"("devices": {{"disk": {{"service_time":
                                 {{"uniform": {}}}}}}},)",
                                                           service)}));
        run.go(1ns);
        run.m.task[1].wake_at = 1s;  // the request in service ends at the same time in both runs
        return run.m.hash();
    };
    EXPECT_NE(hash_with(R"(["1ms", "2ms"])"), hash_with(R"(["1ms", "3ms"])"));
}

}  // namespace blocking_test
}  // namespace sim
