// Traces of other tools: what is read from them. tests/recordings/README.md describes the files.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/foreign_traces.h"

namespace foreign_traces_test {

using namespace foreign_traces;

class ForeignTraces : public Fixture {};

TEST_F(ForeignTraces, FirstSwitchIsArrivalWithoutWakeUps) {
    EXPECT_EQ(tasks(file("late_first_switch.txt")).at(1).at("start"), "9.99s");
    for (const json& column : columns(file("late_first_switch.txt")))
        EXPECT_NEAR(static_cast<double>(cpu_time(column)), 9e6, 1)
            << "the run ends 1 ns after the last switch";
    EXPECT_EQ(tasks(file("sched_table_without_wakeups.csv")).at(1).at("start"), "8.99s");
    for (const json& column : columns(file("sched_table_without_wakeups.csv")))
        EXPECT_EQ(cpu_time(column), 10 * kMilli);
}

TEST_F(ForeignTraces, FirstSwitchOnOtherCpuIsArrival) {
    const std::string path =
        written(switch_of(0, 0, "<idle>-0", "R", "a-1") + switch_of(0, 2000, "a-1", "S", "swapper/0-0") +
                switch_of(1, 500'000, "<idle>-0", "R", "b-2") + switch_of(1, 503'000, "b-2", "R", "c-3") +
                switch_of(1, 504'000, "c-3", "S", "b-2") + switch_of(1, 505'000, "b-2", "S", "swapper/1-0"));
    const json all = tasks(path);
    EXPECT_FALSE(all.at(0).contains("start"));
    EXPECT_EQ(all.at(1).at("start"), "500ms");
    EXPECT_EQ(all.at(2).at("start"), "503ms");
    for (const json& column : columns(path)) EXPECT_EQ(cpu_time(column), 7 * kMilli);
}

TEST_F(ForeignTraces, ExcessOfCpuTimeIsReported) {
    const std::string path =
        written(wake_of(0, 0, "<idle>-0", "a-1") + switch_of(0, 0, "<idle>-0", "R", "a-1") +
                switch_of(0, 1000, "a-1", "R+", "b-2") + switch_of(0, 2000, "b-2", "S", "swapper/0-0") +
                switch_of(0, 9000, "<idle>-0", "R", "b-2") + switch_of(0, 10'000, "b-2", "S", "swapper/0-0"));
    EXPECT_NE(switchyard({"reschedule", path})
                  .err.find("linux-2.0: the tasks get 10 ms of CPU time, 7 ms more than was recorded: "),
              std::string::npos);
    EXPECT_EQ(switchyard({"reschedule", path, "--quiet"}).err, "");
}

TEST_F(ForeignTraces, RunnableTaskBeforeIdleWasAsleep) {
    const std::string path = file("runnable_to_idle.txt");
    EXPECT_EQ(tasks(path).at(0).at("program").dump(),
              R"([{"run":"990us"},{"arrival":"49ms"},{"run":"990us"},{"arrival_at":"281474.976710654s"}])");
    const json all = columns(path);
    EXPECT_EQ(waited(all.at(0).at("tasks").at("worker")), 20'000);
    for (const json& column : all) EXPECT_EQ(cpu_time(column), 2'970'000);
    EXPECT_EQ(all.at(0).at("all").at("involuntary"), 0);
}

// The kernel traces sched_waking before it looks whether the task is queued.
TEST_F(ForeignTraces, WakeUpOfPreemptedTaskChangesNothing) {
    const std::string path =
        written(wake_of(0, 0, "<idle>-0", "a-1") + switch_of(0, 0, "<idle>-0", "R", "a-1") +
                wake_of(0, 1000, "a-1", "b-2") + switch_of(0, 1000, "a-1", "R+", "b-2") +
                wake_of(0, 5000, "b-2", "a-1") + switch_of(0, 6000, "b-2", "S", "a-1") +
                switch_of(0, 7000, "a-1", "S", "swapper/0-0"));
    const json all = tasks(path);
    EXPECT_EQ(all.at(0).at("program").at(0).dump(), R"({"run":"2ms"})");
    EXPECT_EQ(waited(columns(path).at(0).at("tasks").at("a")), 5 * kMilli);
    EXPECT_EQ(columns(path).at(0).at("all").at("involuntary"), 1);
}

// Without a wake-up, the task was runnable while the CPU was idle.
TEST_F(ForeignTraces, RunnableTaskWithoutWakeUpHasWaited) {
    const std::string path =
        written(wake_of(0, 0, "<idle>-0", "a-1") + switch_of(0, 0, "<idle>-0", "R", "a-1") +
                switch_of(0, 1000, "a-1", "R", "swapper/0-0") + switch_of(0, 3000, "<idle>-0", "R", "a-1") +
                switch_of(0, 4000, "a-1", "S", "swapper/0-0"));
    EXPECT_EQ(tasks(path).at(0).at("program").at(0).at("run"), "2ms");
    EXPECT_EQ(waited(columns(path).at(0).at("all")), 2 * kMilli);
    EXPECT_EQ(columns(path).at(0).at("all").at("involuntary"), 1);
}

// A wake-up can meet a task that has not gone to sleep yet.
TEST_F(ForeignTraces, WakeUpOfRunningTaskIsNoWait) {
    const std::string path =
        written(wake_of(0, 0, "<idle>-0", "a-1") + switch_of(0, 0, "<idle>-0", "R", "a-1") +
                wake_of(1, 500, "<idle>-0", "a-1") + switch_of(0, 1000, "a-1", "S", "swapper/0-0") +
                wake_of(0, 9000, "<idle>-0", "b-2") + switch_of(0, 9000, "<idle>-0", "R", "b-2") +
                switch_of(0, 10'000, "b-2", "S", "swapper/0-0"));
    const json recorded = columns(path).at(0).at("all");
    EXPECT_EQ(waited(recorded), 0);
    EXPECT_EQ(recorded.at("waiting_at_end").at("count"), 0);
}

// The default form of trace-cmd report.
TEST_F(ForeignTraces, PluginFormOfIdleKernelThread) {
    const std::string path = written(
        "cpus=2\n"
        "          <idle>-0     [001]    20.000000: sched_wakeup:         kworker/1:1:21 [120] success=1 "
        "CPU:001\n"
        "          <idle>-0     [001]    20.000010: sched_switch:         swapper/1:0 [120] R ==> "
        "kworker/1:1:21 [120]\n"
        "     kworker/1:1-21    [001]    20.001000: sched_switch:         kworker/1:1:21 [120] R ==> "
        "swapper/1:0 [120]\n"
        "          <idle>-0     [000]    20.040000: sched_wakeup:         kworker/1:1:21 [120] success=1 "
        "CPU:001\n"
        "          <idle>-0     [001]    20.040010: sched_switch:         swapper/1:0 [120] R ==> "
        "kworker/1:1:21 [120]\n"
        "     kworker/1:1-21    [001]    20.041000: sched_switch:         kworker/1:1:21 [120] R ==> "
        "swapper/1:0 [120]\n"
        "          <idle>-0     [000]    20.050000: sched_wakeup:         other:22 [120] success=1 CPU:000\n"
        "          <idle>-0     [000]    20.050010: sched_switch:         swapper/0:0 [120] R ==> other:22 "
        "[120]\n"
        "           other-22    [000]    20.060000: sched_switch:         other:22 [120] S ==> swapper/0:0 "
        "[120]\n");
    EXPECT_EQ(tasks(path).at(0).at("program").at(1).dump(), R"({"arrival":"39ms"})");
    for (const json& column : columns(path)) EXPECT_EQ(cpu_time(column), 11'970'000);
}

TEST_F(ForeignTraces, StarvedTaskCountsAsWaiting) {
    const std::string path = file("starvation_counts_as_no_wait.txt");
    const json all = columns(path, {"fcfs"});
    EXPECT_EQ(waited(all.at(1).at("all")), 40 * kMilli);
    EXPECT_EQ(waited(all.at(1).at("tasks").at("victim")), 40 * kMilli);
    EXPECT_EQ(all.at(1).at("all").at("waiting_at_end").at("count"), 1);
    EXPECT_EQ(all.at(0).at("all").at("waiting_at_end").at("count"), 0);
    const std::string table = output({"reschedule", path, "--policy", "fcfs"});
    EXPECT_NE(table.find("unfinished waits at the end                0        1, 40 ms"), std::string::npos);
    output({"import", path, "--output", "starved.json", "--quiet"});
    const std::string latency = output({"run", "starved.json", "--policy", "fcfs", "--latency"});
    EXPECT_NE(latency.find("Tasks still waiting at the end"), std::string::npos);
    EXPECT_NE(latency.find("  victim                       1        40 ms"), std::string::npos) << latency;
    const json summary = json_output({"run", "starved.json", "--policy", "fcfs", "--latency"});
    EXPECT_EQ(summary.at("latency").at("entries").at("victim").at("waiting_at_end").at("max_ns"),
              40 * kMilli);
}

TEST_F(ForeignTraces, RuntimeEventsShowMissingSwitches) {
    const std::string path = file("runtime_without_switch_in.txt");
    const json all = columns(path);
    const json& recorded = all.at(0);
    for (const auto& [task, micros] : std::map<std::string, double>{
             {"burst2.2850", 98'385}, {"burst2.2851", 81'310}, {"burst2.2852", 82'582}})
        EXPECT_NEAR(recorded.at("tasks").at(task).at("cpu_ns").get<double>() / 1000, micros, micros / 100)
            << task;
    EXPECT_EQ(recorded.at("all").at("involuntary"), 42);
    for (const json& column : all)
        EXPECT_NEAR(static_cast<double>(cpu_time(column)), static_cast<double>(cpu_time(recorded)),
                    static_cast<double>(cpu_time(recorded)) / 10);
    const std::string said = remarks(path);
    EXPECT_NE(said.find("27 switches that the trace lacks, inferred from sched_stat_runtime"),
              std::string::npos);
    EXPECT_NE(
        said.find("15 tasks with CPU time reported by the kernel (sched_stat_runtime): 281.5 ms according "
                  "to these reports, 281.5 ms according to the switches"),
        std::string::npos);
}

TEST_F(ForeignTraces, UnknownTimeOfIdleCpuIsReported) {
    const std::string path = written(
        switch_of(0, 0, "<idle>-0", "R", "x-1") + switch_of(0, 1000, "x-1", "S", "swapper/0-0") +
        switch_of(1, 2000, "y-2", "S", "swapper/1-0") + switch_of(1, 7000, "y-2", "S", "swapper/1-0") +
        switch_of(1, 9000, "y-2", "S", "swapper/1-0"));
    EXPECT_NE(remarks(path).find(
                  "2 times a task appeared on CPU 1 without a recorded start; the CPU has no switch away "
                  "from the idle task, so up to 7 ms of its idle time may be CPU time of tasks"),
              std::string::npos)
        << remarks(path);
}

TEST_F(ForeignTraces, LostSwitchOutEndsAtNextTask) {
    const std::string path = written(
        wake_of(0, 0, "<idle>-0", "a-1") + switch_of(0, 0, "<idle>-0", "R", "a-1") +
        wake_of(0, 4000, "b-2", "c-3") + switch_of(0, 5000, "b-2", "S", "swapper/0-0") +
        switch_of(0, 900'000, "<idle>-0", "R", "c-3") + switch_of(0, 901'000, "c-3", "S", "swapper/0-0"));
    for (const json& column : columns(path)) EXPECT_EQ(column.at("tasks").at("a").at("cpu_ns"), 4 * kMilli);
}

TEST_F(ForeignTraces, LostSwitchOutEndsAtLastReport) {
    const std::string path =
        written(wake_of(0, 0, "<idle>-0", "a-1") + switch_of(0, 0, "<idle>-0", "R", "a-1") +
                runtime_of(0, 1500, "a-1", 1500) + wake_of(0, 40'000, "<idle>-0", "b-2") +
                switch_of(0, 40'000, "<idle>-0", "R", "b-2") + runtime_of(0, 41'000, "b-2", 1000) +
                switch_of(0, 41'000, "b-2", "S", "swapper/0-0"));
    for (const json& column : columns(path)) EXPECT_EQ(column.at("tasks").at("a").at("cpu_ns"), 1'500'000);
}

// A CPU may report for the task of another CPU.
TEST_F(ForeignTraces, ReportForAnotherCpuMovesNoTask) {
    const std::string path = written(
        wake_of(0, 0, "<idle>-0", "a-1") + switch_of(0, 0, "<idle>-0", "R", "a-1") +
        switch_of(1, 0, "<idle>-0", "R", "b-2") +
        line(1, 1000, "b-2", "sched_stat_runtime: comm=a pid=1 runtime=1000000 [ns] vruntime=77 [ns]") +
        switch_of(1, 2000, "b-2", "S", "swapper/1-0") + switch_of(0, 3000, "a-1", "S", "swapper/0-0"));
    const json recorded = columns(path).at(0);
    EXPECT_EQ(recorded.at("tasks").at("a").at("cpu_ns"), 3 * kMilli);
    EXPECT_EQ(recorded.at("tasks").at("b").at("cpu_ns"), 2 * kMilli);
}

TEST_F(ForeignTraces, YieldIsNoInvoluntarySwitch) {
    const std::string start = wake_of(0, 0, "<idle>-0", "a-1") + wake_of(0, 0, "<idle>-0", "b-2") +
                              switch_of(0, 0, "<idle>-0", "R", "a-1");
    const std::string yield = line(0, 1000, "a-1", "sys_enter: NR 24 (0, 0, 0, 0, 0, 0)");
    const auto involuntary = [&](const std::string& text) {
        return columns(written(start + text + switch_of(0, 9000, "b-2", "S", "swapper/0-0")), {"fcfs"})
            .at(0)
            .at("all")
            .at("involuntary")
            .get<int>();
    };
    EXPECT_EQ(involuntary(yield + switch_of(0, 1002, "a-1", "R", "b-2")), 0);
    EXPECT_EQ(involuntary(switch_of(0, 1002, "a-1", "R", "b-2")), 1);
    EXPECT_EQ(involuntary(switch_of(0, 1002, "a-1", "R+", "b-2")), 1);
    EXPECT_EQ(involuntary(yield + switch_of(0, 6000, "a-1", "R", "b-2")), 1) << "long after the call";
}

// The lines of other CPUs go on for longer than the buffer that sorts them.
TEST_F(ForeignTraces, SilentTaskEndsAtItsLastLine) {
    const std::string start = wake_of(0, 0, "<idle>-0", "a-1") + switch_of(0, 0, "<idle>-0", "R", "a-1") +
                              runtime_of(0, 4000, "a-1", 4000);
    std::string others;
    for (int n = 0; n < 36'000; ++n)
        others += switch_of(1, 10'000 + 100 * n, "<idle>-0", "R", "b-2") +
                  switch_of(1, 10'010 + 100 * n, "b-2", "S", "swapper/1-0");
    const std::string end = switch_of(0, 3'900'000, "<idle>-0", "R", "c-3") +
                            runtime_of(0, 3'901'000, "c-3", 1000) +
                            switch_of(0, 3'901'000, "c-3", "S", "swapper/0-0");
    for (const std::string& text : {start + others, start + others + end}) {
        const json recorded = columns(written(text), {"fcfs"}).at(0);
        EXPECT_EQ(recorded.at("tasks").at("a").at("cpu_ns"), 4 * kMilli);
        EXPECT_EQ(recorded.at("tasks").at("b").at("cpu_ns"), 360 * kMilli);
    }
}

TEST_F(ForeignTraces, SilentTaskEndsThoughAnotherFileGoesOn) {
    write_file(folder() / "cpu0.txt", wake_of(0, 0, "<idle>-0", "a-1") +
                                          switch_of(0, 0, "<idle>-0", "R", "a-1") +
                                          runtime_of(0, 4000, "a-1", 4000));
    write_file(folder() / "cpu1.txt", switch_of(1, 500'000, "<idle>-0", "R", "b-2") +
                                          switch_of(1, 900'000, "b-2", "S", "swapper/1-0"));
    const json all = json::parse(output({"import", "cpu0.txt", "cpu1.txt", "--quiet"})).at("tasks");
    EXPECT_EQ(all.at(0).at("program").dump(), R"([{"run":"4ms"},{"arrival_at":"281474.976710654s"}])");
}

TEST_F(ForeignTraces, ComparisonCoversTheTimeAfterTheLastReport) {
    const std::string path =
        written(wake_of(0, 0, "<idle>-0", "a-1") + switch_of(0, 0, "<idle>-0", "R", "a-1") +
                runtime_of(0, 4000, "a-1", 4000) + switch_of(0, 40'000, "a-1", "S", "swapper/0-0"));
    EXPECT_NE(remarks(path).find("1 task with CPU time reported by the kernel (sched_stat_runtime): 4 ms "
                                 "according to these reports, 40 ms according to the switches"),
              std::string::npos)
        << remarks(path);
}

TEST_F(ForeignTraces, ImpossibleRuntimesAreRefused) {
    std::string text = switch_of(0, 0, "<idle>-0", "R", "a-1");
    for (int n = 1; n <= 2; ++n)
        text += line(0, n * 1000, "a-1", "sched_stat_runtime: comm=a pid=1 runtime=9223372036854775807 [ns]");
    const std::string said = remarks(written(text + switch_of(0, 5000, "a-1", "S", "swapper/0-0")));
    EXPECT_NE(said.find("2 events with missing or invalid fields"), std::string::npos) << said;
    EXPECT_EQ(said.find("sched_stat_runtime"), std::string::npos) << said;
}

TEST_F(ForeignTraces, UnknownTimeIsNeverNegative) {
    const std::string said = remarks(
        written(switch_of(0, 5'000'000, "a-1", "S", "swapper/0-0") + wake_of(0, 1'000'000, "a-1", "b-2") +
                switch_of(0, 5'500'000, "a-1", "S", "swapper/0-0") + wake_of(0, 6'000'000, "b-2", "c-3") +
                switch_of(0, 7'000'000, "b-2", "S", "swapper/0-0")));
    EXPECT_NE(said.find("up to 500 ms of its idle time may be CPU time of tasks"), std::string::npos) << said;
}

TEST_F(ForeignTraces, EmbeddedTextGivesTheSamePrograms) {
    const std::string text =
        wake_of(0, 0, "<idle>-0", "a-1") + switch_of(0, 0, "<idle>-0", "R", "a-1") +
        wake_of(1, 0, "<idle>-0", "b-2") + switch_of(1, 0, "<idle>-0", "R", "b-2") +
        runtime_of(0, 4000, "a-1", 4000) + runtime_of(1, 4000, "b-2", 4000) +
        switch_of(0, 900'000, "<idle>-0", "R", "c-3") + switch_of(1, 900'000, "<idle>-0", "R", "d-4") +
        runtime_of(1, 902'000, "d-4", 2000) + switch_of(1, 902'000, "d-4", "S", "swapper/1-0") +
        runtime_of(0, 903'000, "c-3", 3000) + switch_of(0, 903'000, "c-3", "S", "swapper/0-0");
    const json all = tasks(written(text));
    EXPECT_EQ(all.at(1).at("program").at(0).at("run"), "4ms");
    const json embedded = {{"traceEvents", json::array()}, {"systemTraceEvents", "# tracer: nop\n" + text}};
    EXPECT_EQ(tasks(written(embedded.dump())), all);
}

TEST_F(ForeignTraces, NewTaskIsNoWakeUp) {
    const std::string path = written(
        switch_of(0, 0, "<idle>-0", "R", "a-1") +
        line(0, 1000, "a-1", "sched_wakeup_new: comm=kid pid=77 prio=120 target_cpu=000") +
        switch_of(0, 2000, "a-1", "S", "swapper/0-0") + switch_of(0, 50'000, "<idle>-0", "R", "late-12") +
        switch_of(0, 53'000, "late-12", "S", "swapper/0-0"));
    EXPECT_EQ(tasks(path).at(1).at("start"), "50ms");
    for (const json& column : columns(path)) EXPECT_NEAR(static_cast<double>(cpu_time(column)), 5e6, 1);
    EXPECT_EQ(waited(columns(path).at(0).at("all")), 0);
}

// After a lost switch, the state of the task is unknown.
TEST_F(ForeignTraces, TaskWasAsleepIfItsCpuWasIdle) {
    const std::string path =
        written(switch_of(0, 0, "<idle>-0", "R", "a-1") + switch_of(0, 5000, "<idle>-0", "R", "c-3") +
                switch_of(0, 7000, "c-3", "S", "swapper/0-0") + switch_of(0, 90'000, "<idle>-0", "R", "a-1") +
                switch_of(0, 91'000, "a-1", "S", "swapper/0-0"));
    const json recorded = columns(path).at(0);
    EXPECT_EQ(waited(recorded.at("all")), 0);
    EXPECT_NE(remarks(path).find("1 run of a task after a sleep without a recorded wake-up"),
              std::string::npos)
        << remarks(path);
}

}  // namespace foreign_traces_test
