// Built-in policy scripts at the limits of valid scenarios.
#include <gtest/gtest.h>

#include <string>

#include "sim/script/script_policy.h"
#include "tests/support/simulation.h"

namespace sim {
namespace built_in_scripts_test {

std::string task(const std::string& name, const std::string& program, const std::string& more = "") {
    return R"({"name": ")" + name + R"(", )" + more + R"("program": [)" + program + "]}";
}
std::string run(const std::string& time) { return R"({"run": ")" + time + R"("})"; }

// Returns the decisions up to `until`.
std::string decisions_of(const std::string& tasks, const std::string& policy, Nanos until, int hz = 1) {
    Simulation s(small_scenario(tasks, {.hz = hz}), policy);
    s.go(until);
    EXPECT_EQ(s.policy.policy->failure(), nullptr);
    return s.decisions();
}

// Comments and blank lines do not count towards the limit.
TEST(BuiltInScripts, StayWithinLineLimit) {
    for (const PolicyInfo& info : script_policies()) {
        int lines = 0;
        for (const std::string& line : info.source_lines) {
            const std::size_t begin = line.find_first_not_of(" \t");
            lines += begin != std::string::npos && line.compare(begin, 2, "--") != 0;
            EXPECT_LE(line.size(), 125U) << info.name << ": " << line;
        }
        EXPECT_LE(lines, info.name == "linux_2_0" ? 60 : 40) << info.name;
        EXPECT_GE(lines, 1) << info.name;
    }
}

TEST(BuiltInScripts, DescribeEachOption) {
    for (const PolicyInfo& info : script_policies())
        for (const OptionInfo& option : info.options)
            EXPECT_GE(option.summary.size(), 2U) << info.name << ": " << option.name;
}

TEST(BuiltInScripts, HighestResponseRatioAcceptsVeryLongBursts) {
    EXPECT_EQ(decisions_of(task("A", run("20h")) + "," + task("B", run("40h")) + "," + task("C", run("1s")),
                           "hrrn", 70h),
              "0 idle>A, 72000000000000 A>C, 72001000000000 C>B, 216001000000000 B>idle");
}

TEST(BuiltInScripts, RateMonotonicRunsTaskWithoutPeriodLast) {
    const std::string tasks = task("A", run("30ms")) + "," +
                              task("B", R"({"loop": 2, "steps": [{"run": "1ms"}, {"timer": "10ms"}]})");
    EXPECT_EQ(decisions_of(tasks, "rate-monotonic", 15ms, 1000),
              "0 idle>B, 1000000 B>A, 11000000 A>B, 12000000 B>A");
}

TEST(BuiltInScripts, PriorityYieldQueuesTaskAfterEquals) {
    const std::string tasks =
        task("A", run("1ms") + R"(, "yield", )" + run("1ms")) + "," + task("B", run("3ms"));
    for (const std::string options : {"tail", "head", "head,quantum=10", "tail,quantum=10"})
        EXPECT_EQ(decisions_of(tasks, "priority:preempted=" + options, 1s),
                  "0 idle>A, 1000000 A>B, 4000000 B>A, 5000000 A>idle")
            << options;
}

// The policy stride divides 1 s into quanta of 10 ms. The shares are proportional to the tickets, but jobs
// with 10,000 tickets or more get equal shares.
TEST(BuiltInScripts, StrideTreatsVeryManyTicketsAsEqual) {
    const auto had = [](const std::string& tickets_of_a, const std::string& tickets_of_b) {
        Simulation s(small_scenario(task("A", run("1h"), R"("tickets": )" + tickets_of_a + ", ") + "," +
                                    task("B", run("1h"), R"("tickets": )" + tickets_of_b + ", ")),
                     "stride");
        s.go(1s);
        return s.tasks()[s.m.first_task()].user;
    };
    EXPECT_EQ(had("10000", "5000"), 670ms);
    EXPECT_EQ(had("20000", "10000"), 500ms);
}

TEST(BuiltInScripts, LotteryUsesRandomNumbersAfterSpecifiedDraws) {
    const std::string tasks = task("A", run("1h")) + "," + task("B", run("1h"));
    Simulation s(small_scenario(tasks), "lottery:draws=100/100/0/100");
    s.go(40ms);
    EXPECT_EQ(s.decisions(), "0 idle>B, 10000000 B>B, 20000000 B>A, 30000000 A>B");
    s.go(4s);
    const Nanos a = s.tasks()[s.m.first_task()].user;
    EXPECT_GT(a, 1500ms);
    EXPECT_LT(a, 2500ms);
}

}  // namespace built_in_scripts_test
}  // namespace sim
