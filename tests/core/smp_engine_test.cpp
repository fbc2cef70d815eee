// Several CPUs, to the nanosecond: the target CPU of woken tasks under each policy, the delay of IPIs,
// migrations, and the order of simultaneous events.
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/run_queue.h"
#include "tests/support/simulation.h"

namespace sim {
namespace smp_engine_test {

// Returns the CPU on which a task last started to run; kNoCpu: the task has not run.
CpuId last_cpu(const Simulation& run, const std::string& name) {
    const std::uint16_t cpu = run.m.task[run.task(name)].last_processor;
    return cpu == Task::kNoProcessor ? kNoCpu : cpu;
}

// --- CPU selection ---

TEST(SmpEngine, SimultaneousStartsSpreadOverCpus) {
    for (const char* spec : {"linux-2.0", "linux-2.2", "linux-2.4.0", "linux-2.4.22", "nt4", "round-robin"}) {
        Simulation run(
            small_scenario(R"({"name": "a", "count": 4, "program": [{"run": "10ms"}]})", {.cpus = 4}), spec);
        EXPECT_EQ(run.go(), StopReason::all_exited);
        EXPECT_EQ(run.now(), 10'000'000) << spec;
        for (CpuId c = 0; c < 4; ++c) EXPECT_EQ(run.statistics.cpus[c].switches, 2u) << spec;
    }
}

TEST(SmpEngine, ExtraTaskStartsAfterFirstExit) {
    for (const char* spec : {"linux-2.0", "linux-2.2", "linux-2.4.0", "linux-2.4.22", "nt4", "round-robin"}) {
        Simulation run(
            small_scenario(R"({"name": "a", "count": 3, "program": [{"run": "10ms"}]})", {.cpus = 2}), spec);
        EXPECT_EQ(run.go(), StopReason::all_exited);
        EXPECT_EQ(run.now(), 20'000'000) << spec;  // the third task starts after the exit of another
        EXPECT_EQ(run.time().user.count(), 30'000'000);
        EXPECT_EQ(run.time().idle.count(), 10'000'000);
    }
}

TEST(SmpEngine, WokenTaskReturnsToIdlePreviousCpu) {
    // All three tasks have run, each on its own CPU, before b sleeps.
    for (const char* spec : {"linux-2.4.0", "linux-2.4.22", "nt4", "round-robin", "linux-2.0", "linux-2.2"}) {
        Simulation run(small_scenario(R"(
            {"name": "a", "program": [{"run": "1ms"}]},
            {"name": "b", "affinity": [1], "program": [{"run": "2ms"}, {"exec": "free"}]},
            {"name": "c", "program": [{"run": "1ms"}]},
            {"name": "free", "count": 0, "program": [{"arrival": "5ms"}, {"run": "1ms"}]})",
                                      {.cpus = 3}),
                       spec);
        run.go(7500us);
        EXPECT_EQ(last_cpu(run, "free.2"), 1u) << spec;
        EXPECT_EQ(run.statistics.migrations, 0u) << spec;
    }
}

TEST(SmpEngine, BusyPreviousCpuSelectsLongestIdleCpu) {
    for (const char* spec : {"linux-2.4.0", "linux-2.4.22", "nt4", "round-robin"}) {
        Simulation run(small_scenario(R"(
            {"name": "hog", "start": "4ms", "affinity": [0], "class": "fifo", "rt_priority": 9, "program": [{"run": "50ms"}]},
            {"name": "s", "affinity": [0, 1, 2], "program": [{"run": "1ms"}, {"arrival": "9ms"}, {"run": "1ms"}]},
            {"name": "x", "affinity": [1], "program": [{"run": "3ms"}]},
            {"name": "y", "affinity": [2], "program": [{"run": "2ms"}]})",
                                      {.cpus = 3}),
                       spec);
        run.go(10500us);
        EXPECT_EQ(last_cpu(run, "s"), 2u) << spec;  // cpu2 is idle since 2 ms, cpu1 since 3 ms
        EXPECT_EQ(run.statistics.migrations, 1u) << spec;
    }
}

TEST(SmpEngine, Linux24PreemptsCpuWithLargestAdvantage) {
    // The CPU on which the advantage of w is largest is chosen, not the last one on which w has an
    // advantage.
    for (const CpuId cpu : {0u, 1u}) {
        Simulation run(small_scenario(fmt::format(R"(
            {{"name": "low", "priority": 10, "affinity": [{}], "program": [{{"run": "50ms"}}]}},
            {{"name": "lower", "priority": 2, "affinity": [{}], "program": [{{"run": "50ms"}}]}},
            {{"name": "w", "start": "5ms", "priority": 40, "program": [{{"run": "1ms"}}]}})",
                                                  1 - cpu, cpu),
                                      {.cpus = 2}));
        run.go(5500us);
        EXPECT_EQ(last_cpu(run, "w"), cpu);
        // cpu0 handled the interrupt that woke w, so cpu0 needs no IPI.
        EXPECT_EQ(run.events(TraceKind::reschedule_ipi), cpu == 0 ? "" : "5000000 cpu1 lower");
    }
}

TEST(SmpEngine, Linux22PreemptsAndMigratesWaker) {
    // w has more ticks left than its waker a, and preempts it although cpu1 is idle; a moves to cpu1.
    Simulation run(small_scenario(R"(
        {"name": "w", "priority": 40, "affinity": [0, 1], "program": [{"wait": "c"}, {"run": "5ms"}]},
        {"name": "a", "priority": 5, "affinity": [0, 1], "start": "1ms", "program": [{"run": "1ms"}, {"wake": "c"}, {"run": "5ms"}]})",
                                  {.cpus = 2}),
                   "linux-2.2");
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.decisions(),
              "0 cpu0 idle>w, 0 cpu0 w>idle, 1000000 cpu0 idle>a, 2000000 cpu0 a>w, 2000000 cpu1 idle>a, "
              "7000000 cpu0 w>idle, 7000000 cpu1 a>idle");
    EXPECT_EQ(run.statistics.migrations, 1u);
    EXPECT_EQ(run.statistics.cpus[1].migrations, 1u);
}

TEST(SmpEngine, Linux20ReschedulesOwnAndIdleCpu) {
    Simulation run(small_scenario(R"(
        {"name": "w", "priority": 40, "program": [{"wait": "c"}, {"run": "5ms"}]},
        {"name": "a", "priority": 5, "start": "1ms", "program": [{"run": "1ms"}, {"wake": "c"}, {"run": "5ms"}]})",
                                  {.cpus = 2}),
                   "linux-2.0");
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.events(TraceKind::reschedule_ipi), "2000000 cpu1 idle");
    EXPECT_EQ(run.now(), 7'000'000);
}

TEST(SmpEngine, Linux20UsesOnlyIdleInterruptedCpu) {
    // cpu1 has been idle for longer, but cpu0 handles the interrupt and then runs the task.
    Simulation run(small_scenario(R"(
        {"name": "x", "affinity": [0], "program": [{"run": "2ms"}]},
        {"name": "w", "start": "5ms", "affinity": [0, 1], "program": [{"run": "1ms"}]})",
                                  {.cpus = 2}),
                   "linux-2.0");
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.decisions(),
              "0 cpu0 idle>x, 2000000 cpu0 x>idle, 5000000 cpu0 idle>w, 6000000 cpu0 w>idle");
    EXPECT_EQ(run.events(TraceKind::reschedule_ipi), "");
}

// A policy: first come, first served, on the lowest CPU of the affinity. Each CPU has a queue, with the
// idle task at its head. The policy never asks a CPU to reschedule.
class QueuePerCpu final : public Policy {
  public:
    void start(Machine&, TaskId) const override {}
    std::uint32_t enqueue(Machine& m, TaskId p) const override {
        RunQueue(m, static_cast<TaskId>(std::countr_zero(m.cpus_allowed[p]))).add_last(p);
        return 0;
    }
    bool preempts(const Machine&, TaskId, TaskId) const override { return false; }
    std::uint64_t reschedule(const Machine&, TaskId, CpuId) const override { return 0; }
    bool tick(Machine&, TaskId) const override { return false; }
    bool yield(Machine&, TaskId) const override { return false; }
    void fork(Machine&, TaskId, TaskId) const override {}
    Decision pick_next(Machine& m, CpuId cpu, TaskId prev, DecisionLog*) const override {
        RunQueue queue(m, cpu);
        if (m.task[prev].state != TaskState::runnable) queue.remove(prev);
        m.task[prev].processor = Task::kNoProcessor;
        const TaskId next = queue.empty() ? cpu : queue.first();
        m.set_running_task(next, cpu);
        return {.next = next};
    }
    bool keeps_running_task_queued() const override { return true; }
};

TEST(SmpEngine, TickPollsQueueOfIdleCpu) {
    const Scenario scenario = small_scenario(R"(
        {"name": "a", "affinity": [0], "start": "4ms", "program": [{"run": "1ms"}]},
        {"name": "b", "affinity": [2], "start": "15ms", "program": [{"run": "1ms"}]})",
                                             {.cpus = 3, .hz = 100});
    const QueuePerCpu policy;
    const Engine engine(scenario, policy);
    Machine m = engine.initial_state();
    Trace trace;
    EXPECT_EQ(engine.run(m, {}, {.trace = &trace}), StopReason::all_exited);
    std::vector<std::pair<Nanos, CpuId>> began;
    for (const TraceRecord& r : trace.records)
        if (r.kind == TraceKind::schedule && !m.is_idle_task(r.task)) began.emplace_back(r.time, r.cpu);
    EXPECT_EQ(began, (std::vector<std::pair<Nanos, CpuId>>{{10ms, 0}, {20ms, 2}}));
}

TEST(SmpEngine, TasksWokenTogetherUseBothCpus) {
    for (const char* spec : {"linux-2.0", "linux-2.2", "linux-2.4.0", "linux-2.4.22", "nt4", "round-robin"}) {
        // Both tasks went to sleep on cpu0, whose timer wakes them at the same time.
        Simulation run(small_scenario(R"(
            {"name": "a", "count": 2, "affinity": [0, 1], "start": "1ms", "program": [{"run": "1ms"}]})",
                                      {.cpus = 2}),
                       spec);
        EXPECT_EQ(run.go(), StopReason::all_exited);
        EXPECT_EQ(run.now(), 2'000'000) << spec;
    }
}

TEST(SmpEngine, PassedOverTaskRunsByNextTick) {
    // The task `free` is woken first, and cpu1 receives an IPI. The task `bound`, which may use only cpu1,
    // is woken next and gets cpu1. cpu2 stays idle until its tick; then cpu2 runs the task `free`.
    constexpr const char* kTasks = R"(
        {"name": "hog", "affinity": [0], "class": "fifo", "rt_priority": 1, "program": [{"run": "100ms"}]},
        {"name": "free", "affinity": [1, 2], "priority": 1, "start": "5ms", "program": [{"run": "1ms"}]},
        {"name": "bound", "affinity": [1], "priority": 40, "start": "5ms", "program": [{"run": "50ms"}]})";
    for (const auto& [phases, exit] :
         {std::pair{"together", "11000000 cpu2 free"}, {"spread", "18500000 cpu2 free"}}) {
        Simulation run(small_scenario(kTasks, {.cpus = 3,
                                               .costs = R"("reschedule_ipi": "1us")",
                                               .machine = fmt::format(R"("tick_phases": "{}",)", phases),
                                               .hz = 100}));
        run.go(30ms);
        EXPECT_EQ(run.events(TraceKind::exit), exit);
    }
}

// --- affinity ---

TEST(Affinity, TaskRunsOnlyOnAllowedCpus) {
    for (const char* spec :
         {"linux-2.0", "linux-2.2", "linux-2.4.0", "linux-2.4.22", "nt4", "round-robin", "sorted-queue"}) {
        Simulation run(
            small_scenario(R"({"name": "a", "count": 3, "affinity": [1], "program": [{"run": "10ms"}]})",
                           {.cpus = 3}),
            spec);
        EXPECT_EQ(run.go(), StopReason::all_exited);
        EXPECT_EQ(run.now(), 30'000'000) << spec;
        EXPECT_EQ(run.statistics.cpus[0].switches + run.statistics.cpus[2].switches, 0u) << spec;
    }
}

TEST(Affinity, ForkInheritsUnlessTaskGroupSetsMask) {
    Simulation run(small_scenario(R"(
        {"name": "p", "affinity": [1], "program": [{"fork": "same"}, {"fork": "other"}, {"arrival": "1s"}]},
        {"name": "same", "count": 0, "program": [{"arrival": "1s"}]},
        {"name": "other", "count": 0, "affinity": [0, 2], "program": [{"arrival": "1s"}]})",
                                  {.cpus = 3}));
    run.go(1ms);
    EXPECT_EQ(run.m.cpus_allowed[run.task("same.2")], 0b010u);
    EXPECT_EQ(run.m.cpus_allowed[run.task("other.3")], 0b101u);
}

TEST(Affinity, BoundTaskWaitsDespiteIdleCpu) {
    Simulation run(small_scenario(R"(
        {"name": "a", "affinity": [0], "program": [{"run": "10ms"}]},
        {"name": "b", "affinity": [0], "priority": 1, "program": [{"run": "10ms"}]})",
                                  {.cpus = 2}));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.time().idle.count(), 20'000'000);
}

// --- reschedule IPIs ---

TEST(RescheduleIpi, DelaysTargetWithoutOverhead) {
    Simulation run(small_scenario(R"(
        {"name": "w", "affinity": [1], "program": [{"wait": "c"}, {"run": "1ms"}]},
        {"name": "a", "affinity": [0], "program": [{"run": "1ms"}, {"wake": "c"}, {"run": "5ms"}]})",
                                  {.cpus = 2, .costs = R"("reschedule_ipi": "3us")"}));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.events(TraceKind::reschedule_ipi), "1000000 cpu1 idle");
    EXPECT_EQ(run.decisions(),
              "0 cpu0 idle>a, 3000 cpu1 idle>w, 3000 cpu1 w>idle, 1003000 cpu1 idle>w, 2003000 cpu1 w>idle, "
              "6000000 cpu0 a>idle");
    EXPECT_EQ(run.time().overhead.total().count(), 0);
    EXPECT_EQ(run.statistics.reschedule_ipis, 1u);  // IPIs at time 0 are not counted
}

TEST(RescheduleIpi, ArrivalAtBurstEndPreempts) {
    // The IPI is sent at 1 ms and takes 100 us. The task `low` runs from 0.1 ms on and makes its system
    // call at 1.1 ms.
    Simulation run(small_scenario(R"(
        {"name": "low", "affinity": [1], "priority": 1, "program": [{"run": "1ms"}, {"wake": "nobody"}, {"run": "1ms"}]},
        {"name": "w", "affinity": [1], "priority": 40, "start": "1ms", "program": [{"run": "1ms"}]})",
                                  {.cpus = 2, .costs = R"("syscall": "10us", "reschedule_ipi": "100us")"}));
    run.go(5ms);
    // cpu1 checks need_resched when the task `low` makes the system call.
    EXPECT_EQ(run.decisions().substr(0, 46), "100000 cpu1 idle>low, 1100000 cpu1 low>w, 2110");
}

TEST(RescheduleIpi, SeveralWakeUpsSendSingleIpi) {
    Simulation run(small_scenario(
        R"({"name": "w", "count": 5, "affinity": [1], "start": "1ms", "program": [{"run": "1ms"}]})",
        {.cpus = 2, .costs = R"("reschedule_ipi": "3us")"}));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.statistics.reschedule_ipis, 1u);
}

TEST(ScheduleTail, PreemptedTaskMovesToIdleCpu) {
    // rt takes cpu0, the only CPU that it may use; a, which was running there, continues immediately on cpu1.
    for (const char* spec : {"linux-2.0", "linux-2.2", "linux-2.4.0", "linux-2.4.22", "nt4"}) {
        Simulation run(small_scenario(R"(
            {"name": "a", "program": [{"run": "5ms"}]},
            {"name": "rt", "affinity": [0], "class": "fifo", "rt_priority": 1, "start": "1ms", "program": [{"run": "5ms"}]})",
                                      {.cpus = 2, .costs = R"("reschedule_ipi": "2us")"}),
                       spec);
        EXPECT_EQ(run.go(), StopReason::all_exited);
        EXPECT_EQ(run.events(TraceKind::exit), "5002000 cpu1 a, 6000000 cpu0 rt") << spec;
        EXPECT_EQ(run.statistics.migrations, 1u) << spec;
        EXPECT_EQ(run.tasks()[run.task("a")].ready.count(), 2'000) << spec;
    }
}

TEST(Migration, ExecOnSameCpuIsNotCounted) {
    Simulation run(small_scenario(R"(
        {"name": "a", "count": 2, "affinity": [0], "program": [{"run": "1ms"}, {"exec": "b"}]},
        {"name": "b", "count": 0, "affinity": [1], "program": [{"run": "1ms"}]})",
                                  {.cpus = 2}));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.statistics.migrations, 0u);  // exec keeps the affinity and stays on cpu0
    int execs = 0, exits = 0;
    for (const TraceRecord& r : run.trace.records) {
        if (r.kind != TraceKind::exec && r.kind != TraceKind::exit) continue;
        ++(r.kind == TraceKind::exec ? execs : exits);
        EXPECT_EQ(r.cpu, 0u) << to_string(r.kind) << " at " << r.time.count();
    }
    EXPECT_EQ(execs, 2);
    EXPECT_EQ(exits, 2);
    EXPECT_EQ(run.now(), 4'000'000) << "all four bursts one after the other";
}

// --- simultaneous events ---

// Returns the trace records at this time, such as "cpu0 sleep a".
std::vector<std::string> story(const Simulation& run, Nanos at) {
    std::vector<std::string> lines;
    for (const TraceRecord& r : run.trace.records) {
        if (r.time != at || r.kind == TraceKind::borrow_mm || r.kind == TraceKind::return_mm ||
            r.kind == TraceKind::drop_mm)
            continue;
        lines.push_back(
            fmt::format("cpu{} {} {}", r.cpu, to_string(r.kind), run.scenario.task_name(run.m, r.task)));
    }
    return lines;
}

TEST(SimultaneousEventsOfSeveralCpus, TimersPrecedeTicksThenCpusInOrder) {
    // Events at 10 ms: two timers, the tick, and the ends of the bursts on cpu0 and cpu1.
    Simulation run(small_scenario(R"(
        {"name": "late", "start": "10ms", "affinity": [2], "program": [{"run": "1ms"}]},
        {"name": "a", "affinity": [0], "program": [{"run": "10ms"}, {"arrival": "1s"}]},
        {"name": "b", "affinity": [1], "program": [{"run": "10ms"}, "yield", {"run": "1s"}]},
        {"name": "later", "start": "10ms", "affinity": [2], "program": [{"run": "1ms"}]})",
                                  {.cpus = 3, .machine = R"("tick_phases": "together",)", .hz = 100}));
    run.go(10ms + 1ns);
    EXPECT_EQ(story(run, 10ms),
              (std::vector<std::string>{"cpu0 wake_up late", "cpu2 reschedule_ipi idle", "cpu0 wake_up later",
                                        "cpu0 tick a", "cpu1 tick b", "cpu0 sleep a", "cpu0 schedule idle",
                                        "cpu1 yield b", "cpu1 schedule b", "cpu2 schedule late"}));
}

TEST(SimultaneousEventsOfSeveralCpus, EventForLowerCpuPrecedesHigherCpu) {
    // At 1 ms all bursts end. cpu1 wakes w, which may use only cpu0. Then the events of the idle cpu0
    // follow, and then those of cpu2.
    Simulation run(small_scenario(R"(
        {"name": "w", "affinity": [0], "program": [{"wait": "c"}, {"run": "1ms"}]},
        {"name": "b", "affinity": [1], "program": [{"run": "1ms"}, {"wake": "c"}, {"run": "1ms"}]},
        {"name": "c", "affinity": [2], "program": [{"run": "1ms"}, {"arrival": "1s"}]})",
                                  {.cpus = 3}));
    run.go(1ms + 1ns);
    EXPECT_EQ(story(run, 1ms),
              (std::vector<std::string>{"cpu1 wake_up w", "cpu0 reschedule_ipi idle", "cpu0 schedule w",
                                        "cpu2 sleep c", "cpu2 schedule idle"}));
}

}  // namespace smp_engine_test
}  // namespace sim
