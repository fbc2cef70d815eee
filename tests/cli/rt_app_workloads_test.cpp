// Workloads of rt-app (https://github.com/scheduler-tools/rt-app, doc/tutorial.txt) and the runs made of
// them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/command_line.h"

namespace rt_app_workloads_test {

using nlohmann::json;

class RtAppWorkloads : public CommandLine {
  protected:
    static std::string file(const std::string& name) {
        return "tests/recordings/foreign/rtapp_" + name + ".json";
    }
    // Writes a workload of one second with these threads.
    std::string written(const std::string& threads) const {
        write_file(folder() / "w.json", R"({"tasks": {)" + threads + R"(}, "global": {"duration": 1}})");
        return "w.json";
    }
    json tasks(const std::string& path) const {
        return json::parse(output({"import", path, "--quiet"})).at("tasks");
    }
    json summary(const std::string& path, const Words& options = {}) const {
        output({"import", path, "--quiet", "--output", "made.json"});
        Words words{"run", "made.json"};
        words.insert(words.end(), options.begin(), options.end());
        return json_output(words);
    }
    static double user_seconds(const json& summary) {
        return summary.at("time_ns").at("user").get<double>() * 1e-9;
    }
    // CPU time of a task in milliseconds.
    static double ran(const json& summary, const std::string& name) {
        for (const json& task : summary.at("tasks"))
            if (task.at("name") == name) return task.at("user_ns").get<double>() * 1e-6;
        return -1;
    }
    Finished refused(const std::string& path) const {
        const Finished f = switchyard({"import", path});
        EXPECT_EQ(f.exit_code, 2);
        EXPECT_EQ(f.out, "");
        return f;
    }
};

TEST_F(RtAppWorkloads, PingPongRunsThreadsInTurn) {
    for (const char* policy : {"linux-2.0", "linux-2.6.20", "linux-6.6", "fcfs"}) {
        const json one = summary(file("pingpong"), {"--policy", policy}),
                   two = summary(file("pingpong"), {"--policy", policy, "--set", "/cpus=2"});
        EXPECT_NEAR(one.at("switches").at("voluntary").get<int>(), 250, 2) << policy;
        EXPECT_NEAR(user_seconds(two), 1.0, 0.02) << policy;
    }
}

TEST_F(RtAppWorkloads, SemaphoresCount) {
    const json all = tasks(file("semaphores"));
    EXPECT_EQ(all.at(0).at("program").dump(),
              R"([{"loop":20,"steps":[{"run":"1000us"},{"wake":"items"},{"sleep":"4000us"}]}])");
    EXPECT_EQ(all.at(1).at("program").dump(), R"([{"loop":20,"steps":[{"wait":"items"},{"run":"2000us"}]}])");
    EXPECT_NEAR(user_seconds(summary(file("semaphores"))), 0.06, 1e-9);
    const std::string stored = written(R"("post": {"loop": 1, "sem_post": "s", "sem_post": "s", "run": 1000},
        "take": {"loop": 1, "sleep": 5000, "sem_wait": "s", "sem_wait": "s", "run": 2000})");
    EXPECT_NEAR(ran(summary(stored), "take"), 2, 1e-9);
}

TEST_F(RtAppWorkloads, SemaphoreAndConditionMayShareAName) {
    const json all = tasks(written(R"("a": {"run": 10, "sem_post": "x", "signal": "x"},
        "b": {"sem_wait": "x", "suspend": "x", "run": 10})"));
    EXPECT_EQ(all.at(1).at("program").at(0).at("steps").dump(),
              R"([{"wait":"x.semaphore"},{"wait":"x"},{"run":"10us"}])");
}

TEST_F(RtAppWorkloads, SuspendNeedsNoName) {
    for (const json& all : {tasks(file("suspend_without_name")),
                            tasks(written(R"("clock": {"loop": -1, "run": 1000, "resume": "sink",
                                "timer": {"ref": "tick", "period": 10000}},
                                "sink": {"loop": -1, "suspend1": "sink", "run": 500})"))})
        EXPECT_EQ(all.at(1).at("program").dump(),
                  R"([{"loop":"forever","steps":[{"wait":"sink"},{"run":"500us"}]}])");
    EXPECT_NEAR(ran(summary(file("suspend_without_name")), "sink"), 50, 0.6);
    EXPECT_EQ(tasks(written(R"("a": {"run": 5, "yield"})")).at(0).at("program").at(0).at("steps").at(1),
              "yield");
    EXPECT_NE(refused(written(R"("a": {"run", "sleep": 5})"))
                  .err.find("w.json:1:18: /tasks/a/run: expected a number of microseconds, got null"),
              std::string::npos);
}

TEST_F(RtAppWorkloads, HandlerNeedsNoRun) {
    const json run = summary(file("handler_without_run"));
    EXPECT_NEAR(ran(run, "worker"), 50, 0.6);
    EXPECT_EQ(run.at("stop_reason"), "until");
}

TEST_F(RtAppWorkloads, ResumeWithoutAWaiterIsLost) {
    const json run = summary(written(R"("early": {"loop": 1, "resume": "late", "run": 1000},
        "late": {"loop": 1, "run": 3000, "suspend": "late", "run": 3000})"));
    EXPECT_NEAR(ran(run, "late"), 3, 1e-9);
}

TEST_F(RtAppWorkloads, SignalWakesOneAndBroadcastAll) {
    const auto threads = [&](const char* event) {
        return written(
            R"("w": {"instance": 3, "loop": 1, "lock": "m", "wait": {"ref": "c", "mutex": "m"}, "unlock": "m",
            "run": 1000}, "waker": {"loop": 1, "sleep": 5000, ")" +
            std::string(event) + R"(": "c", "run": 10})");
    };
    EXPECT_NEAR(user_seconds(summary(threads("signal"))) * 1e3, 1.01, 1e-6);
    EXPECT_NEAR(user_seconds(summary(threads("broad"))) * 1e3, 3.01, 1e-6);
}

// The tutorial defines sync as lock, signal, wait and unlock.
TEST_F(RtAppWorkloads, SyncAlternatesBetweenThreads) {
    const std::string path = written(R"("a": {"run": 2000, "sync": {"ref": "c", "mutex": "m"}},
        "b": {"run": 2000, "sync": {"ref": "c", "mutex": "m"}})");
    EXPECT_EQ(tasks(path).at(0).at("program").at(0).at("steps").dump(),
              R"([{"run":"2000us"},{"lock":"m"},{"signal":"c"},{"mutex":"m","wait":"c"},{"unlock":"m"}])");
    const json run = summary(path, {"--set", "/cpus=2"});
    EXPECT_NEAR(user_seconds(run), 1.0, 0.02);
    EXPECT_NEAR(ran(run, "a"), ran(run, "b"), 4);
}

TEST_F(RtAppWorkloads, NumaNodesAreOmittedAndCounted) {
    const Finished f = switchyard({"import", file("nodes_membind")});
    EXPECT_EQ(f.exit_code, 0);
    EXPECT_NE(f.err.find("1 property that no simulated scheduler has, omitted (/tasks/w/nodes_membind)"),
              std::string::npos);
    EXPECT_NEAR(user_seconds(summary(file("nodes_membind"))), 0.025, 1e-9);
    EXPECT_EQ(switchyard({"import", written(R"("w": {"run": 5, "membind_nodes": [0]})")}).exit_code, 0);
}

TEST_F(RtAppWorkloads, OmittedEventsAreNamedAndCounted) {
    const std::string err =
        switchyard({"import", written(R"("w": {"run": 5, "mem": 100, "iorun": 10, "iorun1": 20,
        "barrier": "b"}, "v": {"instance": 2, "run": 5, "barrier": "b"})")})
            .err;
    for (const char* note : {"1 mem event, omitted", "2 iorun events, omitted", "2 barrier events, omitted"})
        EXPECT_NE(err.find(note), std::string::npos) << note << "\n" << err;
}

TEST_F(RtAppWorkloads, BarrierWaitsForAllThreads) {
    const std::string path =
        written(R"("a": {"run": 1000, "barrier": "b"}, "b": {"run": 2000, "barrier": "b"},
        "c": {"run": 3000, "barrier": "b"})");
    EXPECT_EQ(switchyard({"import", path}).err, "");
    const json run = summary(path, {"--set", "/cpus=3"});
    EXPECT_NEAR(ran(run, "a"), 1000.0 / 3, 2);
    EXPECT_NEAR(ran(run, "b"), 2000.0 / 3, 2);
    EXPECT_NEAR(ran(run, "c"), 1000, 1e-6);
}

TEST_F(RtAppWorkloads, ShortDeadlineIsKept) {
    const json all = tasks(file("short_deadline"));
    EXPECT_EQ(all.at(0).at("deadline"), "8000us");
    EXPECT_FALSE(all.at(1).contains("deadline"));
    const json run = summary(file("short_deadline"), {"--policy", "edf"});
    EXPECT_EQ(run.at("deadlines").at("missed"), 0);
    EXPECT_EQ(
        tasks(
            written(R"("w": {"policy": "SCHED_DEADLINE", "phases": {"p": {"dl-runtime": 10, "dl-period": 100,
        "dl-deadline": 50, "run": 10, "timer": {"ref": "t", "period": 100}}}})"))
            .at(0)
            .at("deadline"),
        "50us");
}

// Under fcfs the job of `steady`, which is released at the same time but listed first, runs before the urgent
// one.
TEST_F(RtAppWorkloads, ShortDeadlineIsMissedUnderFcfs) {
    const std::string path = written(
        R"("steady": {"policy": "SCHED_DEADLINE", "dl-runtime": 9000, "dl-period": 20000, "runtime": 9000,
            "timer": {"ref": "b", "period": 20000, "mode": "absolute"}},
        "urgent": {"policy": "SCHED_DEADLINE", "dl-runtime": 3000, "dl-period": 40000, "dl-deadline": 8000,
            "runtime": 3000, "timer": {"ref": "a", "period": 40000, "mode": "absolute"}})");
    EXPECT_EQ(summary(path, {"--policy", "edf"}).at("deadlines").at("missed"), 0);
    EXPECT_EQ(summary(path, {"--policy", "fcfs"}).at("deadlines").at("missed"), 25);
}

TEST_F(RtAppWorkloads, ReservationWithoutEventsIsUsedUp) {
    EXPECT_EQ(tasks(file("reservation_without_events")).at(0).at("program").dump(),
              R"([{"loop":"forever","steps":[{"run":"10000us"},{"timer":"100000us"}]}])");
    EXPECT_NEAR(ran(summary(file("reservation_without_events")), "reserved"), 500, 11);
    EXPECT_EQ(switchyard({"import", file("reservation_without_events")}).err.find("limits a task"),
              std::string::npos);
    const Finished f =
        refused(written(R"("w": {"policy": "SCHED_OTHER", "dl-runtime": 10, "dl-period": 20})"));
    EXPECT_NE(f.err.find("/tasks/w: this thread has no event that a scenario supports"), std::string::npos);
}

TEST_F(RtAppWorkloads, RefusalNamesOmittedEvents) {
    const Finished f = refused(written(R"("a": {"loop": -1, "mem": 100})"));
    EXPECT_NE(f.err.find("1 mem event, omitted"), std::string::npos) << f.err;
    EXPECT_NE(f.err.find("/tasks/a: this thread has no event that a scenario supports"), std::string::npos);
}

TEST_F(RtAppWorkloads, MessagesReferToTheWorkload) {
    const Finished f = refused(written(R"("a": {"run": 5}, "b": {"loop": -1, "yield": "", "mem": 1})"));
    EXPECT_NE(f.err.find("w.json:1:34: /tasks/b: no time passes in this endless loop"), std::string::npos)
        << f.err;
    EXPECT_EQ(f.err.find("the scenario of"), std::string::npos);
}

}  // namespace rt_app_workloads_test
