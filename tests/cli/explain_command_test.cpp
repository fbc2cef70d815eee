// Tests of `switchyard explain`: one decision and the steps of its context switch.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/command_line.h"

namespace explain_command_test {

using ExplainCommand = CommandLine;

TEST_F(ExplainCommand, PrintsDecisionAndNumberedSteps) {
    const std::string text = output({"explain", "lazy-tlb", "--policy", "linux-2.6.20", "--switch", "6"});
    EXPECT_TRUE(text.starts_with(
        "linux-2.6.20 at 2.113 ms on cpu0: decision 6, switch 6\n"
        "\n"
        "kthread has exited. client runs: it is the first active task with the best prio, 125. client had\n"
        "been ready since 2.11265 ms, for 500 ns.\n"
        "\n"
        "schedule(): prev is kthread, no longer runnable\n"))
        << text;
    EXPECT_NE(text.find("\n 1. prepare_task_switch()\n    The run queue is locked, and interrupts"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("\n 2. switch_mm() (spared, kept)\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\n 5. switch_to() (1.4us)\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\n10. mmdrop()\n    mm_count 2 -> 1. The run queue is unlocked now."),
              std::string::npos)
        << text;
    EXPECT_TRUE(text.ends_with("\n\nCost of the switch: 1.4us\n")) << text;
    for (const std::string& line : lines_of(text)) EXPECT_LE(line.size(), 100u) << line;
    EXPECT_NE(output({"explain", "two-hogs"}).find("decision 1, switch 1\n"), std::string::npos)
        << "the first switch is the default";
}

TEST_F(ExplainCommand, DecisionWithoutSwitchSaysSo) {
    const std::string text = output({"explain", "yield-processes", "--policy", "linux-2.0:yield=one_tick",
                                     "--set", "/tasks/0/count=2", "--decision", "3"});
    EXPECT_NE(text.find(": decision 3\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\nNo context switch: "), std::string::npos) << text;
    EXPECT_EQ(text.find("Cost of the switch"), std::string::npos) << text;
}

TEST_F(ExplainCommand, JsonHasEachStepWithItsCost) {
    const nlohmann::json told =
        json_output({"explain", "lazy-tlb", "--policy", "linux-6.6", "--switch", "4"});
    EXPECT_EQ(told["switch"], 4);
    EXPECT_EQ(told["prev"], "idle");
    EXPECT_TRUE(told["stopped"].get<std::string>().starts_with("The CPU is idle until ")) << told["stopped"];
    EXPECT_EQ(told["steps"][0]["step"], "prepare_task_switch()");
    std::int64_t sum = 0;
    for (const nlohmann::json& step : told["steps"]) sum += step["cost_ns"].get<std::int64_t>();
    EXPECT_EQ(told["cost_ns"], sum);
    EXPECT_GT(sum, 0);
    EXPECT_TRUE(told["prev_after_switch"].is_string());
}

TEST_F(ExplainCommand, PositionExplainsItsLastEventAndEachReadyTask) {
    const std::vector<std::string> jobs{"explain", "A 0 8; B 1 4; C 2 9", "--policy", "rr:quantum=5", "--at",
                                        "2ms"};
    const auto with = [&](std::initializer_list<const char*> more) {
        std::vector<std::string> all = jobs;
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    EXPECT_EQ(
        output(jobs),
        "rr:quantum=5 at 2 ms, after event 5\n"
        "\n"
        "At this tick, A keeps the CPU: A has 3 ms of its slice left. Earlier at the same time: C becomes\n"
        "ready and does not preempt A: no wake-up preempts under this policy. At the start: A runs: it is\n"
        "first in the queue.\n"
        "\n"
        "A runs on cpu0. A runs: it is first in the queue.\n"
        "B is ready and waits: it is number 1 of the 2 tasks that wait in the queue. At 1 ms: B becomes "
        "ready\n"
        "and does not preempt A: no wake-up preempts under this policy.\n"
        "C is ready and waits: it is number 2 of the 2 tasks that wait in the queue. At 2 ms: C becomes "
        "ready\n"
        "and does not preempt A: no wake-up preempts under this policy.\n");
    EXPECT_EQ(
        output(with({"--task", "C"})),
        "rr:quantum=5 at 2 ms, after event 5\n"
        "\n"
        "C is ready and waits: it is number 2 of the 2 tasks that wait in the queue. At 2 ms: C becomes "
        "ready\n"
        "and does not preempt A: no wake-up preempts under this policy.\n");
    const nlohmann::json told = json_output(jobs);
    EXPECT_EQ(told["time_ns"], 2'000'000);
    EXPECT_EQ(told["tasks"].size(), 3u);
    expect_refused(with({"--task", "X"}), "switchyard: --task: there is no task 'X' at 2 ms");
    expect_refused(with({"--switch", "1"}), "--at");
    expect_refused({"explain", "two-hogs", "--at", "soon"}, "switchyard: --at: ");
    expect_refused({"explain", "two-hogs", "--at", "switch 100000"},
                   "switchyard: --at: this run has no switch 100000");
    expect_refused({"explain", "two-hogs", "--task", "hog.1"}, "switchyard: --task needs --at");
}

TEST_F(ExplainCommand, PositionAfterEndOfRunIsRefused) {
    expect_refused({"explain", "two-hogs", "--until", "1s", "--switch", "1000"},
                   "switchyard: this run has no switch 1000; it has 5");
    expect_refused({"explain", "two-hogs", "--until", "1s", "--decision", "1000"},
                   "switchyard: this run has no decision 1000; it has ");
}

TEST_F(ExplainCommand, NumberBelowOneIsRefused) {
    for (const std::string option : {"--switch", "--decision"}) {
        for (const std::string value : {"-1", "0", "x", "1.5", "", "18446744073709551616"})
            expect_refused({"explain", "two-hogs", option, value},
                           "switchyard: " + option + ": expected a whole number from 1, got " + value);
    }
    expect_refused({"link", "two-hogs", "--switch", "-1"},
                   "--switch: expected a whole number from 1, got -1");
    EXPECT_EQ(output({"explain", "--help"}).find("UINT"), std::string::npos);
}

}  // namespace explain_command_test
