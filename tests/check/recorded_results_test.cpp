// Replay of recorded decisions, its driver, and the explanations of decisions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "sim/check/policy_driver.h"
#include "sim/check/recorded_results.h"
#include "sim/explain/explain.h"

namespace sim {
namespace recorded_results_test {

// --- verify_recorded_results() ---

VerifyResult verify_file(const std::string& name, const std::string& policy = "") {
    std::ifstream in(std::string(SWITCHYARD_SOURCE_DIR) + "/tests/decisions/" + name, std::ios::binary);
    EXPECT_TRUE(in) << name;
    return verify_recorded_results(in, name, policy);
}

VerifyResult verify_text(const std::string& text, const std::string& policy = "") {
    std::istringstream in(text);
    return verify_recorded_results(in, "test.jsonl", policy);
}

// The first problem as text; empty if there is none.
std::string problem_of(const std::string& text, const std::string& policy = "") {
    try {
        verify_text(text, policy);
    } catch (const ScenarioError& error) {
        return error.problems().front().text();
    }
    return {};
}

TEST(RecordedDecisions, MatchUnderRecordedPolicy) {
    for (const char* file : {"linux-2.0.jsonl", "linux-2.0-yield-one-tick.jsonl"}) {
        const VerifyResult r = verify_file(file);
        EXPECT_EQ(r.cases, 60u) << file;
        EXPECT_EQ(r.differences, 0u) << r.first_difference;
        EXPECT_EQ(r.first_difference, "");
        EXPECT_TRUE(r.whole) << "queue order and tasks considered are those of the kernel, too";
    }
    for (const char* name : {"linux-2.2", "linux-2.4.0", "linux-2.4.22"}) {
        const VerifyResult r = verify_file(std::string(name) + ".jsonl");
        EXPECT_EQ(r.cases, 60u) << name;
        EXPECT_GT(r.decisions, 4'700u) << name;
        EXPECT_EQ(r.differences, 0u) << r.first_difference;
        EXPECT_TRUE(r.whole);
        // The 2.4 kernels were recorded with a schedule() after each sched_yield(), even if no other task
        // was ready.
        EXPECT_EQ(r.policies,
                  std::string(name) + (name[6] == '2' && name[8] == '4' ? ":lone_yield=schedules" : ""));
    }
    EXPECT_EQ(verify_file("linux-2.0.jsonl").decisions, 4'728u);
    EXPECT_EQ(verify_file("linux-2.0-yield-one-tick.jsonl").decisions, 4'722u);
}

TEST(RecordedDecisions, MatchUnderSortedQueue) {
    for (const char* policy : {"sorted-queue", "sorted-queue:insert=head"}) {
        for (const char* file : {"linux-2.0.jsonl", "linux-2.0-yield-one-tick.jsonl"}) {
            const VerifyResult r = verify_file(file, policy);
            EXPECT_EQ(r.differences, 0u) << r.first_difference;
            EXPECT_EQ(r.cases, 60u);
            EXPECT_FALSE(r.whole) << "how it finds its choice is its own";
        }
    }
}

// Every field of the lines for later kernels is compared: a change in any field is reported. One field of
// "start" is tested for linux-2.6.20 only: whether schedule() was called.
TEST(RecordedDecisions, AnyChangedFieldIsMismatch) {
    using Json = nlohmann::json;
    const auto differs = [](const Json& line) {
        const VerifyResult r = verify_text(line.dump() + "\n");
        EXPECT_EQ(r.cases, 1u);
        return r.differences;
    };
    const auto other = [](const Json& value) -> Json {
        if (value.is_number()) return value == 0 ? 1 : value == 1 ? 0 : value.get<std::int64_t>() + 1;
        const std::string text = value.get<std::string>();
        const std::size_t digit = text.find_last_of("0123456789");
        if (text.find(':') == std::string::npos || digit == std::string::npos) return text + "x";
        return text.substr(0, digit) + (text[digit] == '5' ? '6' : '5') + text.substr(digit + 1);
    };
    for (const char* file :
         {"linux-2.6.20", "linux-2.6.24", "linux-2.6.32", "linux-6.6", "linux-6.6-group"}) {
        std::ifstream in(std::string(SWITCHYARD_SOURCE_DIR) + "/tests/decisions/" + file + ".jsonl");
        std::string text;
        ASSERT_TRUE(std::getline(in, text)) << file;
        const Json line = Json::parse(text);
        EXPECT_EQ(differs(line), 0u) << file;
        for (std::size_t field = 0; field < line["start"].size(); ++field) {
            if (field == 1 && std::string(file) != "linux-2.6.20") continue;  // whether schedule() was called
            Json changed = line;
            changed["start"][field] = other(line["start"][field]);
            EXPECT_EQ(differs(changed), 1u) << file << " start " << field;
        }
        std::size_t fields = 0;
        for (std::size_t event = 0; event < line["events"].size() && fields < 40; ++event) {
            for (std::size_t field = 3; field < line["events"][event].size(); ++field) {
                if (line["events"][event][field] == "") continue;  // empty: no change, or no waiting task
                Json changed = line;
                changed["events"][event][field] = other(line["events"][event][field]);
                EXPECT_EQ(differs(changed), 1u) << file << " event " << event << " field " << field;
                ++fields;
            }
        }
        EXPECT_GE(fields, 40u) << file;
    }
}

TEST(RecordedDecisions, MismatchUnderOtherYieldOption) {
    const VerifyResult r = verify_file("linux-2.0.jsonl", "linux-2.0:yield=one_tick");
    EXPECT_GT(r.differences, 20u);
    EXPECT_EQ(r.cases, 60u);
    EXPECT_EQ(r.policies, "linux-2.0:yield=one_tick");
}

TEST(RecordedDecisions, CaseEndsAtFirstMismatch) {
    // The events after the mismatch belong to another history: under this policy, no task would run at the
    // second yield.
    const std::string line =
        R"({"policy":"linux-2.0","tasks":[{"name":"a","counter":5},{"name":"b","counter":9}],)"
        R"("start":["b",1,2,0,0,"a:5 b:9",""],"events":[["block",null,"a",1,1,0,0,"a:5","b:9"],)"
        R"(["yield",null,"a",1,1,1,2,"a:20","b:24"]]})";
    EXPECT_EQ(verify_text(line).differences, 0u);
    EXPECT_EQ(verify_text(line).decisions, 3u);
    const VerifyResult r = verify_text(line + "\n" + line, "round-robin");
    EXPECT_EQ(r.differences, 2u);
    EXPECT_EQ(r.decisions, 2u);
    EXPECT_EQ(r.cases, 2u);
}

TEST(RecordedDecisions, FirstMismatchShowsPositionAndBothSides) {
    const std::string good =
        R"({"policy":"linux-2.0","tasks":[{"name":"a","counter":5}],"start":["a",1,1,0,0,"a:5",""],"events":[]})";
    std::string bad = good;
    bad.replace(bad.find("a:5"), 3, "a:6");
    const VerifyResult r = verify_text(good + "\n" + bad + "\n" + bad);
    EXPECT_EQ(r.differences, 2u);
    EXPECT_EQ(r.first_difference,
              "test.jsonl:2: /start: at 'start' under linux-2.0\n"
              "  queue before []\n"
              "  recorded:  chosen a, rescheduled, considered 1, recalculations 0 over 0 tasks\n"
              "             queue [a:6]\n"
              "             others []\n"
              "  replayed:  chosen a, rescheduled, considered 1, recalculations 0 over 0 tasks\n"
              "             queue [a:5]\n"
              "             others []\n"
              "  schedule(): prev is idle\n"
              "    a     counter   5        goodness    5  <- wins\n"
              "  a runs: there is no other candidate.\n");
}

TEST(RecordedDecisions, RecordedYieldAppliesUnlessSpecified) {
    const auto policies = [](const char* yield, const char* policy) {
        return verify_text(
                   fmt::format(
                       R"({{"policy":"linux-2.0",{}"tasks":[],"start":["idle",1,0,0,0,"",""],"events":[]}})",
                       yield),
                   policy)
            .policies;
    };
    EXPECT_EQ(policies("", ""), "linux-2.0");
    EXPECT_EQ(policies(R"("yield":"one_tick",)", ""), "linux-2.0:yield=one_tick");
    EXPECT_EQ(policies(R"("yield":"one_tick",)", "sorted-queue:insert=head"),
              "sorted-queue:yield=one_tick,insert=head");
    EXPECT_EQ(policies(R"("yield":"one_tick",)", "linux-2.0:yield=original"), "linux-2.0");
    EXPECT_EQ(policies(R"("yield":"one_tick",)", "round-robin"), "round-robin");
}

TEST(RecordedDecisions, ErrorHasLineAndColumn) {
    const std::string good =
        R"({"policy":"linux-2.0","tasks":[],"start":["idle",1,0,0,0,"",""],"events":[]})";
    ASSERT_EQ(problem_of(good), "");
    EXPECT_EQ(problem_of(good + "\n\n" + R"({"policy":"linux-2.0","tasks":[5],"start":[],"events":[]})"),
              "test.jsonl:3:32: /tasks/0: expected an object");
    EXPECT_EQ(problem_of(good + "\n" + R"({"policy":7})").substr(0, 15), "test.jsonl:2:11");
    EXPECT_EQ(problem_of(good + "\n" + R"({"policy":)").substr(0, 13), "test.jsonl:2:");
}

TEST(RecordedDecisions, EmptyFileIsRejected) {
    EXPECT_EQ(problem_of(""), "test.jsonl: no recorded decisions in this file");
    EXPECT_EQ(problem_of(" \n\r\n\t"), "test.jsonl: no recorded decisions in this file");
}

TEST(RecordedDecisions, IdleCpuRejectsTaskEvents) {
    for (const char* event : {"yield", "block", "fork"}) {
        const std::string problem =
            problem_of(fmt::format(R"({{"policy":"linux-2.0","tasks":[],"start":["idle",1,0,0,0,"",""],)"
                                   R"("events":[["{}","x","idle",0,0,0,0,"",""]]}})",
                                   event));
        EXPECT_NE(problem.find(fmt::format("/events/0: '{}' needs a running task", event)), std::string::npos)
            << problem;
    }
}

TEST(RecordedDecisions, TooManyTasksAreRejected) {
    std::string tasks = R"({"name":"t"})";
    for (int i = 0; i < 10'001; ++i) tasks += R"(,{"name":"t"})";
    EXPECT_NE(
        problem_of(fmt::format(R"({{"policy":"linux-2.0","tasks":[{}],"start":[],"events":[]}})", tasks))
            .find("/tasks: expected at most 10000 tasks, including forked tasks, got 10002"),
        std::string::npos);
}

TEST(RecordedDecisions, InvalidTaskNameIsRejected) {
    for (const std::string& name : {std::string(), std::string("a b"), std::string(65, 'x')}) {
        const std::string as_task = problem_of(fmt::format(
            R"({{"policy":"linux-2.0","tasks":[{{"name":"{}"}}],"start":["idle",1,0,0,0,"",""],"events":[]}})",
            name));
        EXPECT_NE(as_task.find("/tasks/0/name: expected a name of 1 to 64 bytes"), std::string::npos)
            << name << ": " << as_task;
        const std::string as_child = problem_of(
            fmt::format(R"({{"policy":"linux-2.0","tasks":[{{"name":"a"}}],"start":["a",1,1,0,0,"a:20",""],)"
                        R"("events":[["fork","{}","a",0,0,0,0,"",""]]}})",
                        name));
        EXPECT_NE(as_child.find("/events/0/1: expected a name of 1 to 64 bytes"), std::string::npos)
            << name << ": " << as_child;
    }
}

TEST(RecordedDecisions, ControlCharacterInNameIsRejected) {
    const std::string said = problem_of(
        R"({"policy":"linux-2.0","tasks":[{"name":"\u009b"}],"start":["\u001b[2J",1,0,0,0,"",""],"events":[]})");
    EXPECT_NE(said.find("/tasks/0/name: U+009B is a control character"), std::string::npos) << said;
}

TEST(RecordedDecisions, UnknownPolicyIsRejected) {
    const auto line = [](const char* policy) {
        return fmt::format(R"({{"policy":"{}","tasks":[],"start":["idle",1,0,0,0,"",""],"events":[]}})",
                           policy);
    };
    EXPECT_NE(
        problem_of(line("linux-2.1")).find("/policy: unknown policy 'linux-2.1'; did you mean 'linux-2.0'?"),
        std::string::npos);
    EXPECT_NE(problem_of(line("linux-2.0"), "linux-2.1").find("unknown policy 'linux-2.1'"),
              std::string::npos);
}

// --- Driver ---

class DecisionDriver : public testing::Test {
  protected:
    void use(const char* spec, std::uint32_t most_tasks = 8) {
        policy_ = make_policy(spec);
        driver_.emplace(*policy_.policy, most_tasks);
    }
    void SetUp() override { use("linux-2.0"); }

    PolicyDriver& d() { return *driver_; }
    const std::string& running() { return d().name(d().current()); }
    std::string why() {
        return why_winner_won(d().log(), policy_, [this](TaskId p) { return d().name(p); });
    }
    std::string explained() {
        return explain_decision(
            d().log(), policy_, [this](TaskId p) { return d().name(p); }, "| ");
    }

    NamedPolicy policy_;
    std::optional<PolicyDriver> driver_;
};

TEST_F(DecisionDriver, IsIdleUntilScheduleIsCalled) {
    d().add({.name = "a"});
    EXPECT_EQ(running(), "idle");
    EXPECT_EQ(d().queue_text(), "a:20");
    EXPECT_TRUE(d().schedule());
    EXPECT_EQ(running(), "a");
    EXPECT_EQ(d().machine().globals().decisions, 1u);
    EXPECT_EQ(d().machine().globals().switches, 1u);
}

TEST_F(DecisionDriver, DefaultCounterComesFromPolicy) {
    d().add({.name = "a", .priority = 33});
    d().add({.name = "b", .priority = 33, .counter = 0});
    d().add({.name = "c", .counter = 7, .sleeping = true});
    EXPECT_EQ(d().queue_text(), "a:33 b:0");
    EXPECT_EQ(d().off_queue_text(), "c:7");
    EXPECT_EQ(d().names(), (std::vector<std::string>{"idle", "a", "b", "c"}));
    EXPECT_EQ(d().find("c"), 3u);
    EXPECT_EQ(d().find("idle"), kNoTask);
    EXPECT_EQ(d().find("d"), kNoTask);
}

TEST_F(DecisionDriver, SliceEndsOneTickAfterCounterZero) {
    d().add({.name = "a", .counter = 2});
    d().add({.name = "b", .counter = 1});
    d().schedule();
    EXPECT_FALSE(d().tick());
    EXPECT_FALSE(d().tick());
    EXPECT_EQ(d().queue_text(), "a:0 b:1");
    EXPECT_TRUE(d().tick());
    EXPECT_EQ(running(), "b");
}

TEST_F(DecisionDriver, IdleCpuIgnoresTicks) {
    d().add({.name = "a", .sleeping = true});
    d().schedule();
    for (int i = 0; i < 50; ++i) EXPECT_FALSE(d().tick());
    EXPECT_EQ(running(), "idle");
    EXPECT_EQ(d().off_queue_text(), "a:20");
}

TEST_F(DecisionDriver, WakeUpPreemptsMuchSmallerCounterOnly) {
    d().add({.name = "a", .counter = 10});
    d().add({.name = "close", .counter = 13, .sleeping = true});
    d().add({.name = "far", .counter = 14, .sleeping = true});
    d().schedule();
    EXPECT_FALSE(d().wake(d().find("close")));
    EXPECT_EQ(running(), "a");
    EXPECT_TRUE(d().wake(d().find("far")));
    EXPECT_EQ(running(), "far");
    EXPECT_EQ(d().queue_text(), "a:10 close:13 far:14");
}

TEST_F(DecisionDriver, WakingRunnableTaskHasNoEffect) {
    d().add({.name = "a"});
    d().add({.name = "b"});
    d().schedule();
    EXPECT_FALSE(d().wake(d().find("a")));
    EXPECT_FALSE(d().wake(d().find("b")));
    EXPECT_EQ(d().queue_text(), "a:20 b:20");
    EXPECT_EQ(d().machine().globals().nr_running, 2u);
}

TEST_F(DecisionDriver, BlockAlwaysSchedules) {
    d().add({.name = "a"});
    d().schedule();
    EXPECT_TRUE(d().block());
    EXPECT_EQ(running(), "idle");
    EXPECT_EQ(d().queue_text(), "");
    EXPECT_EQ(d().off_queue_text(), "a:20");
    EXPECT_TRUE(d().wake(d().find("a")));
    EXPECT_EQ(running(), "a");
}

TEST_F(DecisionDriver, ForkHalvesCounterAndInheritsClass) {
    d().add({.name = "a", .priority = 31, .sched_class = SchedClass::rr, .rt_priority = 9});
    d().schedule();
    d().fork("b");
    EXPECT_EQ(d().queue_text(), "a:15 b:15");
    const TaskId b = d().find("b");
    EXPECT_EQ(d().machine().priority[b], 31);
    EXPECT_EQ(d().machine().sched_class[b], SchedClass::rr);
    EXPECT_EQ(d().machine().rt_priority[b], 9);
}

TEST_F(DecisionDriver, ExitRemovesTaskAndFreesName) {
    use("linux-2.0", 2);
    d().add({.name = "a"});
    d().add({.name = "b"});
    EXPECT_TRUE(d().is_full());
    const TaskId row = d().find("a");
    d().schedule();
    ASSERT_EQ(running(), "a");
    EXPECT_TRUE(d().exit());
    EXPECT_EQ(running(), "b");
    EXPECT_EQ(d().find("a"), kNoTask);
    EXPECT_EQ(d().queue_text(), "b:20");
    EXPECT_EQ(d().off_queue_text(), "");
    EXPECT_EQ(d().machine().globals().nr_tasks, 1u);
    // The name and the row of the exited task are free for another task.
    EXPECT_FALSE(d().is_full());
    d().add({.name = "a"});
    EXPECT_TRUE(d().is_full());
    EXPECT_EQ(d().find("a"), row);
    EXPECT_EQ(d().queue_text(), "b:20 a:20");
}

TEST_F(DecisionDriver, ForkReusesRowOfExitedTask) {
    use("linux-2.0", 2);
    d().add({.name = "a"});
    d().add({.name = "b"});
    d().schedule();
    for (int i = 0; i < 5; ++i) {
        d().exit();
        ASSERT_FALSE(d().is_full()) << "round " << i;
        d().fork(fmt::format("child{}", i));
    }
    EXPECT_TRUE(d().is_full());
}

TEST_F(DecisionDriver, QueueIncludesRunningTaskUnderEveryPolicy) {
    for (const char* spec : {"linux-2.0", "sorted-queue", "round-robin"}) {
        use(spec);
        d().add({.name = "a"});
        d().add({.name = "b"});
        d().schedule();
        EXPECT_EQ(running(), "a") << spec;
        EXPECT_EQ(d().queue_text(), "a:20 b:20") << spec;
    }
}

TEST_F(DecisionDriver, InsertionStepsAreChargedToNextSchedule) {
    use("sorted-queue:insert=head");
    for (const char* name : {"a", "b", "c"}) d().add({.name = name});
    d().schedule();
    EXPECT_EQ(d().log().decision.queue_steps, 0u + 1u + 2u) << "each walks past those that came before it";
    d().schedule();
    EXPECT_EQ(d().log().decision.queue_steps, 0u);
}

TEST_F(DecisionDriver, PriorityChangeAppliesAtRecalculation) {
    d().add({.name = "a", .counter = 0});
    d().set_priority(d().find("a"), 7);
    EXPECT_EQ(d().queue_text(), "a:0");
    d().schedule();
    EXPECT_EQ(d().queue_text(), "a:7");
}

// --- why_winner_won() and explain_decision() ---

TEST_F(DecisionDriver, ExplainsIdleTaskChoice) {
    d().schedule();
    EXPECT_EQ(why(), "No task is ready for this CPU: the idle task runs.");
    EXPECT_EQ(explained(),
              "| schedule(): prev is idle\n| No task is ready for this CPU: the idle task runs.\n");
}

TEST_F(DecisionDriver, ExplainsOnlyCandidate) {
    d().add({.name = "a"});
    d().schedule();
    EXPECT_EQ(why(), "a runs: there is no other candidate.");
}

TEST_F(DecisionDriver, ExplainsHighestGoodness) {
    d().add({.name = "a", .counter = 3});
    d().add({.name = "b", .counter = 8});
    d().schedule();
    EXPECT_EQ(why(), "b runs: its goodness 8 is the highest.");
    EXPECT_EQ(explained(),
              "| schedule(): prev is idle\n"
              "|   a     counter   3        goodness    3  best so far\n"
              "|   b     counter   8        goodness    8  <- wins\n"
              "| b runs: its goodness 8 is the highest.\n");
}

TEST_F(DecisionDriver, ExplainsTieByQueueOrder) {
    for (const char* name : {"a", "b"}) d().add({.name = name});
    d().schedule();
    EXPECT_EQ(
        why(),
        "a runs: its goodness 20 is the highest (b has the same goodness, but a is first in the queue).");
    for (const char* name : {"c", "d"}) d().add({.name = name});
    d().block();
    EXPECT_EQ(
        why(),
        "b runs: its goodness 20 is the highest (c, d have the same goodness, but b is first in the queue).");
    for (const char* name : {"e", "f"}) d().add({.name = name});
    d().wake(d().find("a"));
    d().block();
    EXPECT_EQ(why(),
              "c runs: its goodness 20 is the highest (4 others have the same goodness, but c is first in "
              "the queue).");
}

TEST_F(DecisionDriver, ExplainsBonusOfRunningTask) {
    d().add({.name = "a", .counter = 8});
    d().add({.name = "b", .counter = 8});
    d().add({.name = "c", .counter = 4});
    d().schedule();
    d().schedule();
    EXPECT_EQ(why(), "a runs: its goodness 9 is the highest, including 1 for being the running task.");
    EXPECT_NE(explained().find("|   a     counter   8 +1 prev goodness    9  <- wins\n"), std::string::npos)
        << explained();
}

TEST_F(DecisionDriver, ExplainsRecalculation) {
    d().add({.name = "a", .counter = 0});
    d().add({.name = "asleep", .counter = 11, .sleeping = true});
    d().add({.name = "full", .counter = 40, .sleeping = true});
    d().schedule();
    EXPECT_EQ(why(),
              "a runs: there is no other candidate, and its slice is used up. "
              "Then the counters of all 3 tasks are recalculated; the choice does not change.");
    EXPECT_EQ(explained(),
              "| schedule(): prev is idle\n"
              "|   a     counter   0        goodness    0  <- wins\n"
              "|   recalculate a: 0 -> 20\n"
              "|   recalculate asleep: 11 -> 25\n" +
                  ("| " + why() + "\n"))
        << "40 stays 40, and is not shown";
}

TEST_F(DecisionDriver, ExplainsRealTimeTask) {
    d().add({.name = "a"});
    d().add({.name = "fifo", .sched_class = SchedClass::fifo, .rt_priority = 12});
    d().schedule();
    EXPECT_EQ(why(),
              "fifo runs: its goodness 1012 is the highest, including 1000 for being a real-time task.");
    EXPECT_EQ(explained().find("prev goodness"), std::string::npos) << "no bonus";
}

TEST_F(DecisionDriver, ExplainsBlockedPreviousTask) {
    d().add({.name = "a"});
    d().add({.name = "b"});
    d().schedule();
    d().block();
    EXPECT_TRUE(explained().starts_with("| schedule(): prev is a, no longer runnable\n")) << explained();
    EXPECT_EQ(explained().find("|   a "), std::string::npos) << "it is no candidate";
}

TEST_F(DecisionDriver, ExplainsHeadOfSortedQueue) {
    use("sorted-queue");
    d().add({.name = "a", .counter = 8});
    d().add({.name = "b", .counter = 3});
    d().schedule();
    EXPECT_EQ(why(), "a runs: it is at the head of the queue, with goodness 8.");
    d().block();
    d().schedule();
    EXPECT_EQ(why(), "b runs: there is no other candidate.");
}

TEST_F(DecisionDriver, ExplainsTieInSortedQueue) {
    use("sorted-queue");
    d().add({.name = "a", .counter = 1});
    d().add({.name = "b", .counter = 0});
    d().schedule();
    d().yield();
    EXPECT_EQ(why(),
              "b runs: every runnable task's counter was 0, and it came first. "
              "Then the counters of both tasks are recalculated; the choice does not change.");
}

TEST_F(DecisionDriver, ExplainsRoundRobinTurn) {
    use("round-robin");
    d().add({.name = "a"});
    d().add({.name = "b"});
    d().schedule();
    EXPECT_EQ(why(), "a runs: it is first in the queue.");
    d().yield();
    EXPECT_EQ(why(), "b runs: it is first in the queue.");
}

TEST_F(DecisionDriver, ShowsTwelveCandidatesPlusWinner) {
    use("linux-2.0", 30);
    for (int i = 1; i <= 30; ++i) d().add({.name = fmt::format("t{}", i), .counter = i == 30 ? 5 : 1});
    d().schedule();
    const std::string text = explained();
    EXPECT_NE(text.find("|   t12  "), std::string::npos) << text;
    EXPECT_EQ(text.find("|   t13  "), std::string::npos) << text;
    EXPECT_NE(text.find("|   t30   counter   5        goodness    5  <- wins\n"), std::string::npos) << text;
    EXPECT_NE(text.find("|   ... 30 tasks considered in all\n"), std::string::npos) << text;
}

TEST_F(DecisionDriver, LimitsShownRecalculationsAndCountsAll) {
    use("linux-2.0", 30);
    for (int i = 1; i <= 30; ++i) d().add({.name = fmt::format("t{}", i), .counter = 0});
    d().schedule();
    const std::string text = explained();
    EXPECT_NE(text.find("|   recalculate t1: 0 -> 20\n"), std::string::npos) << text;
    EXPECT_NE(text.find("|   recalculate t3: 0 -> 20\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("|   refill t13: "), std::string::npos) << text;
    EXPECT_NE(text.find("|   ... 30 counters changed in all\n"), std::string::npos) << text;
}

}  // namespace recorded_results_test
}  // namespace sim
