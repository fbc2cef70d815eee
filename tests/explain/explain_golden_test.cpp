// Golden tests of decision steps, switch steps and pseudo-code.
#include <string>
#include <vector>

#include "sim/explain/decision_steps.h"
#include "sim/explain/switch_steps.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/decision_views.h"
#include "tests/support/golden_policies.h"
#include "tests/support/golden_table.h"
#include "tests/support/scale_by_task_count.h"
#include "tests/support/test_name.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace explain_golden_test {

void add_steps(const DecisionView& view, const NamedPolicy& policy, const Scenario& scenario,
               std::string& to) {
    const TaskNamer names = make_task_namer(view, scenario);
    constexpr std::uint32_t kMostRefills = 20;  // limit of a decision's recalculation steps
    to += fmt::format("{} {}\n", view.number, view.switch_number);
    for (const DecisionStep& s : decision_steps(view, policy, scenario.machine.costs)) {
        if (s.counter_changes > kMostRefills) continue;
        to += fmt::format("{} {} {} {} {} {} {} {} {}\n", s.line, to_string(s.phase), s.cost.count(),
                          s.until.count(), s.candidates, s.counter_changes, s.task, s.best,
                          describe(s, view, policy, names));
    }
    to += explain_decision(view.log, policy, names);
    const SwitchView s = switch_steps(view, policy, scenario, names);
    to += fmt::format("{} {} {} {} {}\n", s.switched, s.other_mm, s.summary, s.whose_prev, s.cost.count());
    for (const SwitchStep& step : s.steps)
        to += fmt::format("{} {} {} {} {}\n", step.title, step.detail, step.cost.count(), step.happens,
                          to_string(step.kept));
}

std::string explanations_text(const Scenario& scenario, const std::vector<const char*>& specs) {
    std::string text;
    for (const char* spec : specs) {
        const NamedPolicy policy = make_policy(spec);
        text += fmt::format("{}\n", spec);
        const std::uint64_t most = scale_by_task_count(400, scenario);
        for_each_decision(
            scenario, *policy.policy, most,
            [&](std::uint64_t n) { return n <= 6 || n % 40 == 0 || (most < 200 && n % 7 == 0); },
            [&](const DecisionView& view) { add_steps(view, policy, scenario, text); });
    }
    return text;
}

class GoldenDecisions : public testing::TestWithParam<std::string> {};

TEST_P(GoldenDecisions, DescriptionsMatchHashTable) {
    const Scenario scenario = load_scenario(GetParam());
    if (!kOptimised && scenario.shape.tasks > 100)
        GTEST_SKIP() << "takes long in a build that is not optimised";
    GoldenTable("decision_hashes.txt")
        .expect(GetParam(), explanations_text(scenario, policies_for(scenario)));
    GoldenTable("later_decision_hashes.txt")
        .expect(GetParam(), explanations_text(scenario, policies_for(scenario, kLaterGoldenPolicies)));
}

INSTANTIATE_TEST_SUITE_P(Gallery, GoldenDecisions, testing::ValuesIn(builtin_file_names("")),
                         name_of_parameter);

TEST(GoldenDecisionTable, HasEachScenario) {
    GoldenTable("decision_hashes.txt").expect_names(builtin_file_names(""));
    GoldenTable("later_decision_hashes.txt").expect_names(builtin_file_names(""));
}

// Returns the specs of each policy: with its defaults, and with each value of each option.
std::vector<std::string> specs() {
    std::vector<std::string> all;
    for (const PolicyInfo& policy : policies()) {
        all.push_back(policy.name);
        for (const OptionInfo& option : policy.options)
            for (const std::string& value : option.values)
                if (value != "N")  // placeholder for any number
                    all.push_back(fmt::format("{}:{}={}", policy.name, option.name, value));
    }
    return all;
}

TEST(GoldenPseudoCode, MatchesHashTable) {
    GoldenTable table("code_hashes.txt");
    for (const std::string& spec : specs()) {
        std::string text;
        for (const PseudoLine& line : make_policy(spec).pseudo_code)
            text += fmt::format("{} {} {}\n", to_string(line.phase), line.indent, line.text);
        table.expect(spec, text);
    }
    table.expect_names(specs());
}

}  // namespace explain_golden_test
}  // namespace sim
