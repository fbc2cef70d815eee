// The assertions ("expect") of all shipped scenarios hold.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/core/engine.h"
#include "sim/core/summary.h"
#include "sim/lab/summary_json.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/test_name.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace expect_test {

nlohmann::ordered_json summary_of(const Scenario& scenario, const std::string& spec) {
    const NamedPolicy policy = make_policy(spec);
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    Statistics statistics(scenario.shape);
    const StopReason reason =
        engine.run(m, {.until = scenario.until.value_or(kHorizon - 1ns)}, {.statistics = &statistics});
    return lab::to_json(summarize(scenario, policy.spec(), m, statistics, reason));
}

class ShippedScenario : public testing::TestWithParam<std::string> {};

TEST_P(ShippedScenario, AssertionsHold) {
    const Scenario scenario = load_scenario(GetParam());
    EXPECT_FALSE(scenario.assertions.empty()) << "a scenario claims something";
    if (!kOptimised && scenario.until.value_or(kHorizon) > 1h)
        GTEST_SKIP() << GetParam() << " simulates " << format_time(scenario.until.value_or(kHorizon))
                     << ", which takes too long without optimisation; the release build checks it";
    std::map<std::string, nlohmann::ordered_json> summaries;  // by policy: one run for all its assertions
    for (const Assertion& assertion : scenario.assertions) {
        const std::string spec = assertion.policy.empty() ? scenario.policy : assertion.policy;
        if (!summaries.contains(spec)) summaries[spec] = summary_of(scenario, spec);
        const lab::AssertionResult result = lab::check_assertion(assertion, summaries[spec]);
        EXPECT_TRUE(result.holds) << spec << ": " << result.text;
    }
}

TEST_P(ShippedScenario, HasQuestionHintAndTimeLimit) {
    const Scenario scenario = load_scenario(GetParam());
    EXPECT_NE(scenario.title, "");
    EXPECT_TRUE(scenario.question.ends_with("?")) << scenario.question;
    EXPECT_NE(scenario.hint, "");
    EXPECT_TRUE(scenario.until.has_value());
}

INSTANTIATE_TEST_SUITE_P(Gallery, ShippedScenario, testing::ValuesIn(builtin_file_names("")),
                         name_of_parameter);

}  // namespace expect_test
}  // namespace sim
