// A scenario that teaches a number proves it: the claims in the "expect" of every shipped scenario hold.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/core/engine.h"
#include "sim/core/summary.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/optimised.h"

namespace sim {
namespace expect_test {

nlohmann::ordered_json summary_of(const Scenario& scenario, const std::string& spec) {
    const NamedPolicy policy = make_policy(spec);
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    Statistics statistics(scenario.shape);
    const StopReason reason =
        engine.run(m, {.until = scenario.until.value_or(kHorizon - 1ns)}, {.statistics = &statistics});
    return summarize(scenario, policy.spec(), m, statistics, reason);
}

class ShippedScenario : public testing::TestWithParam<std::string> {};

TEST_P(ShippedScenario, KeepsItsOwnClaims) {
    const Scenario scenario = load_scenario(GetParam());
    EXPECT_FALSE(scenario.expectations.empty()) << "a scenario claims something";
    if (!kOptimised && scenario.until.value_or(kHorizon) > 1h)
        GTEST_SKIP() << GetParam() << " simulates " << format_time(scenario.until.value_or(kHorizon))
                     << ", which takes too long without optimisation; the release build checks it";
    std::map<std::string, nlohmann::ordered_json> summaries;  // by policy: one run for all of its claims
    for (const Expectation& claim : scenario.expectations) {
        const std::string spec = claim.policy.empty() ? scenario.policy : claim.policy;
        if (!summaries.contains(spec)) summaries[spec] = summary_of(scenario, spec);
        const ClaimResult result = check_claim(claim, summaries[spec]);
        EXPECT_TRUE(result.holds) << spec << ": " << result.text;
    }
}

TEST_P(ShippedScenario, AsksAQuestionAndSaysWhatToWatch) {
    const Scenario scenario = load_scenario(GetParam());
    EXPECT_NE(scenario.title, "");
    EXPECT_TRUE(scenario.question.ends_with("?")) << scenario.question;
    EXPECT_NE(scenario.watch, "");
    EXPECT_TRUE(scenario.until.has_value());
}

INSTANTIATE_TEST_SUITE_P(Gallery, ShippedScenario, testing::ValuesIn(builtin_names("")),
                         [](const auto& shipped) {
                             std::string name = shipped.param;
                             for (char& c : name)
                                 if (c == '-') c = '_';
                             return name;
                         });

// --- what a claim is ---

const nlohmann::ordered_json kSummary{
    {"switches", {{"total", 40}, {"voluntary", 0}}}, {"yields", 100}, {"name", "x"}};

ClaimResult check(const std::string& pointer, const std::string& per, double least, double most) {
    Expectation claim;
    claim.pointer = pointer;
    claim.per = per;
    claim.least = least;
    claim.most = most;
    return check_claim(claim, kSummary);
}

TEST(Claim, HoldsWithinItsBoundsThemselvesIncluded) {
    EXPECT_TRUE(check("/switches/total", "", 40, 40).holds);
    EXPECT_TRUE(check("/switches/total", "", 40, 50).holds);
    EXPECT_TRUE(check("/switches/total", "", 30, 40).holds);
    EXPECT_FALSE(check("/switches/total", "", 41, 50).holds);
    EXPECT_FALSE(check("/switches/total", "", 30, 39.9).holds);
}

TEST(Claim, MayBeAboutAQuotient) {
    EXPECT_TRUE(check("/switches/total", "/yields", 0.4, 0.4).holds);
    EXPECT_FALSE(check("/switches/total", "/yields", 39, 41).holds);
    EXPECT_EQ(check("/switches/total", "/yields", 0.3, 0.5).text,
              "/switches/total per /yields is 0.4, as claimed: [0.3, 0.5]");
    EXPECT_EQ(check("/yields", "", 7, 7).text, "/yields is 100, and not, as claimed, 7");
}

TEST(Claim, FailsWhenThereIsNoSuchNumber) {
    for (const char* pointer : {"/no", "/switches", "/name", "/switches/total/0"}) {
        const ClaimResult as_figure = check(pointer, "", -1e9, 1e9),
                          as_divisor = check("/yields", pointer, -1e9, 1e9);
        EXPECT_FALSE(as_figure.holds) << pointer;
        EXPECT_FALSE(as_divisor.holds) << pointer;
        EXPECT_EQ(as_figure.text, fmt::format("the summary has no number at {}", pointer));
        EXPECT_EQ(as_divisor.text, fmt::format("the summary has no number at {}", pointer));
    }
}

TEST(Claim, PerNothingFailsRatherThanBeingInfinite) {
    const ClaimResult result = check("/yields", "/switches/voluntary", -1e300, 1e300);
    EXPECT_FALSE(result.holds);
    EXPECT_EQ(result.text, "/switches/voluntary is 0, and nothing can be counted per that");
}

}  // namespace expect_test
}  // namespace sim
