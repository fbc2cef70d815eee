// Tests of the rt-app reader: the resulting scenario for each kind of event, and errors.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/scenario/scenario_json.h"
#include "sim/trace_io/rt_app/rt_app.h"

namespace sim {
namespace rt_app_test {

using namespace trace_io;
using nlohmann::json;

struct ReadWorkload {
    json scenario;
    std::vector<std::string> notes;
};

ReadWorkload read(const std::string& text) {
    EXPECT_TRUE(is_rt_app_workload(text));
    Notes notes;
    const Workload workload = read_workload("w.json", text, {}, notes);
    ReadWorkload read{json::parse(workload.scenario), {}};
    for (const Notes::Note& note : notes.notes())
        read.notes.push_back(fmt::format("{} {}", note.count, note.what()));
    return read;
}

std::string program(const std::string& thread) {
    return read(fmt::format(R"({{"global": {{"duration": 1}}, "tasks": {{"T": {{{}}}}}}})", thread))
        .scenario.at("tasks")
        .at(0)
        .at("program")
        .dump();
}

std::vector<std::string> problems(const std::string& text) {
    std::vector<std::string> list;
    Notes notes;
    try {
        read_workload("w.json", text, {}, notes);
    } catch (const ScenarioError& error) {
        for (const Problem& problem : error.problems()) list.push_back(problem.text());
    }
    return list;
}

TEST(RtApp, EventsBecomeStepsInOrder) {
    EXPECT_EQ(program(R"("loop": 1, "run": 10, "sleep": 20, "run": 30, "runtime": 40, "yield": "",)"),
              R"([{"run":"10us"},{"sleep":"20us"},{"run":"30us"},{"run":"40us"},"yield"])");
    EXPECT_EQ(program(R"("run0": 10, "run1": 20)"),
              R"([{"loop":"forever","steps":[{"run":"10us"},{"run":"20us"}]}])");
    EXPECT_EQ(
        program(
            R"("loop": 2, "phases": {"a": {"loop": 3, "run": 1}, "b": {"sleep": 2}, "c": {"loop": 0, "run": 3}})"),
        R"([{"loop":2,"steps":[{"loop":3,"steps":[{"run":"1us"}]},{"sleep":"2us"}]}])");
    EXPECT_EQ(program(R"("run": 1, "timer": {"ref": "unique", "period": 20, "mode": "absolute"})"),
              R"([{"loop":"forever","steps":[{"run":"1us"},{"timer":"20us"}]}])");
    EXPECT_EQ(program(R"("run": 1, "lock": "m", "run": 2, "unlock": "m")"),
              R"([{"loop":"forever","steps":[{"run":"1us"},{"lock":"m"},{"run":"2us"},{"unlock":"m"}]}])");
}

// The mutex is free during the wait.
TEST(RtApp, ConditionsAndSuspensionsBecomeChannels) {
    const ReadWorkload w = read(R"({"tasks": {
        "A": {"run": 1, "lock": "m", "sync": {"ref": "c", "mutex": "m"}, "unlock": "m", "resume": "S"},
        "B": {"lock": "m", "wait": {"ref": "c", "mutex": "m"}, "unlock": "m", "run": 1, "signal": "c"},
        "S": {"instance": 2, "suspend": "", "run": 1}}, "global": {"duration": 1}})");
    EXPECT_EQ(
        w.scenario.at("tasks").at(0).at("program").dump(),
        R"([{"loop":"forever","steps":[{"run":"1us"},{"lock":"m"},{"signal":"c"},{"mutex":"m","wait":"c"},)"
        R"({"unlock":"m"},{"broadcast":"S"}]}])");
    EXPECT_EQ(
        w.scenario.at("tasks").at(1).at("program").dump(),
        R"([{"loop":"forever","steps":[{"lock":"m"},{"mutex":"m","wait":"c"},{"unlock":"m"},{"run":"1us"},)"
        R"({"signal":"c"}]}])");
    EXPECT_EQ(w.notes, std::vector<std::string>{});
}

TEST(RtApp, ThreadsKeepClassPriorityAndAffinity) {
    const ReadWorkload w = read(R"(// a comment
        {"tasks": {"a b": {"instance": 3, "policy": "SCHED_OTHER", "delay": 5, "priority": -5,
                                         "cpus": [2, 0], "run": 1, "loop": 1},
                   "F": {"policy": "SCHED_FIFO", "run": 1, "fork": "C", "loop": 1},
                   "C": {"instance": 0, "run": 1, "loop": 1},
                   "D": {"policy": "SCHED_DEADLINE", "dl-runtime": 5, "run": 1, "loop": 1},},
         "global": {"default_policy": "SCHED_RR", "pi_enabled": false}})");
    EXPECT_EQ(w.scenario.at("cpus"), 3);
    EXPECT_FALSE(w.scenario.contains("until"));
    const json& tasks = w.scenario.at("tasks");
    EXPECT_EQ(tasks.at(0).dump(), R"({"affinity":[0,2],"count":3,"mm":"rt-app","name":"a_b","nice":-5,)"
                                  R"("program":[{"run":"1us"}],"start":"5000ns"})");
    EXPECT_EQ(tasks.at(1).at("rt_priority"), 10);
    EXPECT_EQ(tasks.at(2).at("class"), "rr");
    EXPECT_EQ(tasks.at(3).at("rt_priority"), 99);
    EXPECT_EQ(w.notes.size(), 2U);
}

TEST(RtApp, MissingDurationMeansTenSeconds) {
    const ReadWorkload w = read(R"({"tasks": {"T": {"run": 10, "sleep": 20}}})");
    EXPECT_EQ(w.scenario.at("until"), "10000000000ns");
    EXPECT_EQ(w.notes, std::vector<std::string>{
                           "1 workload without an end (global/duration): the scenario ends after 10 s"});
}

TEST(RtApp, ErrorsAreReportedWithPosition) {
    EXPECT_EQ(
        problems(R"({ "tasks": { "a": { "rnu": 5, "sleep": "long", "unlock": "m", "timer": { "ref": "x" },
  "policy": "SCHED_FOO", "cpus": [99], "fork": "c", "lock": "z" , "run": -3, "priority": 55},
  "b": {"phases": [] } }, "globl": {} })"),
        (std::vector<std::string>{
            "w.json:3:27: /globl: rt-app has no such key; did you mean 'global'?",
            "w.json:1:21: /tasks/a/rnu: rt-app has no such event or property; did you mean 'run'?",
            "w.json:1:40: /tasks/a/sleep: expected a number of microseconds, got a string",
            "w.json:1:58: /tasks/a/unlock: 'm' is not locked here",
            "w.json:1:72: /tasks/a/timer: \"period\" is missing: expected a number of microseconds",
            "w.json:2:48: /tasks/a/fork: unknown thread 'c'",
            "w.json:2:74: /tasks/a/run: -3 is out of range: from 0 to 281474976710",
            "w.json:2:61: /tasks/a/lock: 'z' is locked here, but not unlocked before the end of the thread's "
            "events",
            "w.json:2:13: /tasks/a/policy: unknown policy 'SCHED_FOO'; did you mean 'SCHED_FIFO'?",
            "w.json:2:90: /tasks/a/priority: 55 is out of range: from -20 to 19",
            "w.json:2:35: /tasks/a/cpus/0: 99 is out of range: from 0 to 63",
            "w.json:3:19: /tasks/b/phases: expected an object ({...}), got an array"}));
    EXPECT_EQ(problems(R"({"tasks": {"a": {"run": 5)"),
              std::vector<std::string>{
                  "w.json:1:26: unexpected end of the text: missing '}' for the '{' in line 1, column 17"});
    EXPECT_EQ(problems(R"({"tasks": {"a": {"loop": -1, "yield": "", "mem": 1}}})"),
              std::vector<std::string>{"w.json:1:17: /tasks/a: no time passes in this endless loop, so the "
                                       "simulation would not advance"});
    EXPECT_FALSE(is_rt_app_workload(R"({"traceEvents": []})"));
    EXPECT_FALSE(is_rt_app_workload("/* no end"));
    EXPECT_FALSE(is_rt_app_workload(""));
}

}  // namespace rt_app_test
}  // namespace sim
