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

TEST_F(ForeignTraces, WokenTaskWasAsleepOnBusyCpu) {
    const std::string path =
        written(wake_of(0, 0, "<idle>-0", "a-1") + switch_of(0, 0, "<idle>-0", "R", "a-1") +
                wake_of(0, 1000, "a-1", "b-2") + switch_of(0, 1000, "a-1", "R+", "b-2") +
                wake_of(0, 5000, "b-2", "a-1") + switch_of(0, 6000, "b-2", "S", "a-1") +
                switch_of(0, 7000, "a-1", "S", "swapper/0-0"));
    const json all = tasks(path);
    EXPECT_EQ(all.at(0).at("program").at(1).dump(), R"({"wait":"a"})");
    EXPECT_EQ(all.at(1).at("program").at(1).dump(), R"({"wake":"a"})");
    EXPECT_EQ(waited(columns(path).at(0).at("tasks").at("a")), kMilli);
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
    EXPECT_NE(table.find("still waiting at the end                   0        1, 40 ms"), std::string::npos);
    output({"import", path, "--output", "starved.json", "--quiet"});
    const std::string latency = output({"run", "starved.json", "--policy", "fcfs", "--latency"});
    EXPECT_NE(latency.find("Still waiting at the end"), std::string::npos);
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
        said.find(
            "15 tasks whose CPU time the kernel reports (sched_stat_runtime): 281.5 ms in all, 281.5 ms "
            "by the switches"),
        std::string::npos);
}

TEST_F(ForeignTraces, UnknownTimeOfIdleCpuIsReported) {
    const std::string path = written(
        switch_of(0, 0, "<idle>-0", "R", "x-1") + switch_of(0, 1000, "x-1", "S", "swapper/0-0") +
        switch_of(1, 2000, "y-2", "S", "swapper/1-0") + switch_of(1, 7000, "y-2", "S", "swapper/1-0") +
        switch_of(1, 9000, "y-2", "S", "swapper/1-0"));
    EXPECT_NE(remarks(path).find(
                  "2 tasks without a recorded start on CPU 1, which has no switch away from the idle "
                  "task: up to 7 ms of its idle time may be CPU time"),
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

}  // namespace foreign_traces_test
