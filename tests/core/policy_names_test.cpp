// The names that courses use for policies.
#include "sim/core/policy_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <utility>

#include "sim/core/policy.h"
#include "sim/scenario/scenario_json.h"

namespace sim {
namespace policy_names_test {

TEST(PolicyNames, HaveOneRowForEachPolicy) {
    std::set<std::string> named, known;
    for (const PolicyName& row : policy_names()) EXPECT_TRUE(named.emplace(row.policy).second) << row.policy;
    for (const PolicyInfo& info : policies()) known.insert(info.name);
    for (const PolicyInfo& info : script_policies()) known.insert(info.name);
    EXPECT_EQ(named, known);
}

TEST(PolicyNames, OfCoursesLeadToTheirPolicies) {
    const std::pair<const char*, const char*> cases[] = {
        {"FCFS", "fcfs"},
        {"fifo", "fcfs"},
        {"First-Come, First-Served", "fcfs"},
        {"RR", "rr"},
        {"round robin", "rr"},
        {"Round Robin:quantum=5", "rr:quantum=5"},
        {"RR:quantum=5,newcomer=last@ideal", "rr:quantum=5,newcomer=last@ideal"},
        {"SJF", "sjf"},
        {"SRTF", "srtf"},
        {"STCF", "srtf"},
        {"MLFQ", "mlfq"},
        {"Priority scheduling", "priority"},
        {"O(1) scheduler", "linux-2.6.20"},
        {"Completely Fair Scheduler", "linux-2.6.32"},
        {"CFS", "linux-2.6.32"},
        {"EEVDF", "linux-6.6"},
        {"O(1)", "linux-2.6.20"},
        {"o(1)@server-2010", "linux-2.6.20@server-2010"},
        {"O(n)", "linux-2.4.22"},
        {"Linux 2.0", "linux-2.0"},
        {"LINUX-6.6:yield=forfeit", "linux-6.6:yield=forfeit"},
        {"Windows NT", "nt4"},
    };
    for (const auto& [asked, policy] : cases) EXPECT_EQ(resolve_policy_alias(asked), policy) << asked;
}

TEST(PolicyNames, OwnNamesFilesAndUnknownNamesStay) {
    for (const PolicyName& row : policy_names()) {
        EXPECT_EQ(resolve_policy_alias(row.policy), row.policy);
        EXPECT_EQ(alias_notice(row.policy), "");
    }
    for (const char* spec : {"", ":", "RR.lua", "rr/RR.lua:quantum=5", "no such policy", "()", "\xff"})
        EXPECT_EQ(resolve_policy_alias(spec), spec);
}

// Two names that differ only in case or punctuation must not mean different policies.
TEST(PolicyNames, AliasesAreUnambiguous) {
    std::set<std::string> seen;
    for (const PolicyName& row : policy_names())
        for (const std::string_view alias : row.aliases) {
            std::string bare;
            for (const char c : alias)
                if (std::isalnum(static_cast<unsigned char>(c)) != 0)
                    bare += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            EXPECT_TRUE(seen.insert(bare).second) << alias;
            EXPECT_EQ(resolve_policy_alias(alias), row.policy) << alias;
        }
}

TEST(PolicyNames, MakePolicyAcceptsThem) {
    EXPECT_EQ(make_policy("RR:quantum=5").spec(), "rr:quantum=5");
    EXPECT_EQ(make_policy("eevdf").name, "linux-6.6");
    EXPECT_EQ(alias_notice("RR:quantum=5"), "policy 'RR' stands for 'rr'");
}

TEST(PolicyNames, SuggestionsKnowThem) {
    try {
        make_policy("rond robin");
        FAIL();
    } catch (const PolicyError& error) {
        EXPECT_NE(std::string(error.what()).find("did you mean 'round robin'?"), std::string::npos)
            << error.what();
    }
}

TEST(PolicyNames, InScenariosGiveANotice) {
    std::vector<Problem> notices;
    const Scenario scenario = parse_scenario(
        "t.json",
        R"({"format": "switchyard-scenario/1", "policy": "CFS", "tasks": [{"name": "a", "burst": "1ms"}]})",
        {}, {}, &notices);
    EXPECT_EQ(scenario.policy, "linux-2.6.32");
    ASSERT_EQ(notices.size(), 1u);
    EXPECT_EQ(notices.front().message, "policy 'CFS' stands for 'linux-2.6.32'");
}

TEST(PolicyNames, TitlesNameTheOptions) {
    EXPECT_EQ(policy_title("rr:quantum=5"), "Round robin (RR), quantum 5");
    EXPECT_EQ(policy_title("linux-2.0"), "Linux 2.0: goodness");
    EXPECT_EQ(policy_title("mine.lua:a=1,b=x"), "mine.lua, a 1, b x");
}

}  // namespace policy_names_test
}  // namespace sim
