#include "sim/grade/grader.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/base/text.h"
#include "sim/check/recorded_results.h"
#include "sim/core/policy.h"
#include "sim/core/summary.h"
#include "sim/grade/agreement.h"
#include "sim/grade/bounded_run.h"
#include "sim/lab/summary_json.h"
#include "sim/os/thread_time.h"

namespace sim::grade {
namespace {

// Combines a policy and its options: "rr" with "quantum=4" is "rr:quantum=4".
std::string spec_with_options(const std::string& policy, const std::string& options) {
    if (options.empty()) return policy;
    return policy + (name_in_spec(policy).size() < policy.size() ? "," : ":") + options;
}

// Creates a policy and subtracts the cost of loading its script from `instruction_budget`. A script is loaded
// twice: once to read its options, and once to run with these options. If loading takes more than 1 s of CPU
// time in total, the cost also includes one instruction for each microsecond of the whole loading time.
NamedPolicy load_policy(const std::string& spec, std::uint32_t cpus, std::int64_t& instruction_budget,
                        const ScriptTexts& texts) {
    const std::chrono::nanoseconds before = os::thread_cpu_time();
    const auto pay = [&](std::uint64_t carried_out) {
        const std::chrono::nanoseconds took = os::thread_cpu_time() - before;
        instruction_budget -= 2 * static_cast<std::int64_t>(carried_out);
        if (took > std::chrono::seconds(1)) instruction_budget -= took / std::chrono::microseconds(1);
    };
    try {
        NamedPolicy policy = make_policy(spec, cpus, texts);
        pay(policy.policy->instructions_executed());
        if (instruction_budget >= 0) return policy;
    } catch (const PolicyError&) {
        pay(0);
        throw;
    }
    throw PolicyError("the policy script used all of its permitted instructions while it was loaded");
}

// Returns the policy with the first alternative in `test.options` that the policy accepts, as a spec. If
// the policy accepts none, returns the spec with the last alternative.
std::string spec_with_test_options(const Test& test, const std::string& policy,
                                   std::int64_t& instruction_budget, const ScriptTexts& texts) {
    if (test.options.empty()) return policy;
    for (const std::string& options : test.options) {
        try {
            (void)load_policy(spec_with_options(policy, options), 1, instruction_budget, texts);
            return spec_with_options(policy, options);
        } catch (const PolicyError&) {
        }
    }
    return spec_with_options(policy, test.options.back());
}

// Creates a policy whose script may execute at most `instruction_budget` instructions, including those for
// loading it.
NamedPolicy load_bounded_policy(const std::string& spec, std::uint32_t cpus, std::int64_t& instruction_budget,
                                const ScriptTexts& texts = {}) {
    NamedPolicy policy = load_policy(spec, cpus, instruction_budget, texts);
    policy.policy->set_instruction_budget(&instruction_budget);
    return policy;
}

// --- the kinds of tests ---

TestResult grade_decisions(const Test& test, const std::string& spec, std::int64_t& instruction_budget,
                           const ScriptTexts& texts) {
    const NamedPolicy policy = load_bounded_policy(spec, 1, instruction_budget, texts);
    std::istringstream lines(test.recording->text);
    const VerifyResult r = verify_recorded_results(
        lines, test.recording->name,
        VerifyOptions{.policy = spec, .make = [&](const std::string& asked) {
                          return asked == spec ? policy
                                               : load_bounded_policy(asked, 1, instruction_budget, texts);
                      }});
    TestResult result;
    if (test.share == PointsRule::decisions) {
        result.agreed = r.decisions - r.differences;
        result.parts = std::max(r.recorded, r.decisions);
    } else {
        result.agreed = r.cases - r.differences;
        result.parts = r.cases;
    }
    result.said =
        fmt::format("{} of {} {} of {} agree with the policy", result.agreed, result.parts,
                    test.share == PointsRule::decisions ? "decisions" : "cases", test.recording->name);
    result.difference = r.first_difference;
    return result;
}

TestResult grade_assertions(const Test& test, const std::string& spec, std::int64_t& instruction_budget,
                            const ScriptTexts& texts) {
    const Scenario& scenario = *test.scenarios.front();
    const NamedPolicy policy = load_bounded_policy(spec, scenario.cpus, instruction_budget, texts);
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    Statistics statistics(scenario.shape);
    const StopReason reason = run_to_end(engine, scenario, m, {.statistics = &statistics});
    const nlohmann::ordered_json summary =
        lab::to_json(summarize(scenario, policy.spec(), m, statistics, reason));
    TestResult result;
    result.parts = test.claims.size();
    for (const Assertion& assertion : test.claims) {
        const lab::AssertionResult r = lab::check_assertion(assertion, summary);
        result.agreed += r.holds ? 1 : 0;
        if (!r.holds) result.difference += fmt::format("{}: {}\n", scenario.name, r.text);
    }
    result.said =
        fmt::format("{} of {} assertions about {} hold", result.agreed, result.parts, scenario.name);
    return result;
}

TestResult grade_agreement(const Test& test, const std::string& spec, std::int64_t& instruction_budget,
                           const ScriptTexts& texts) {
    TestResult result;
    result.parts = test.scenarios.size();
    std::int64_t for_the_other = kInstructions;
    for (const auto& scenario : test.scenarios) {
        const NamedPolicy mine = load_bounded_policy(spec, scenario->cpus, instruction_budget, texts);
        const NamedPolicy other = load_bounded_policy(test.reference, scenario->cpus, for_the_other);
        const std::string difference = first_difference(
            test.agreement, *scenario, {mine, printable(mine.spec())}, {other, test.reference_label});
        if (difference.empty())
            ++result.agreed;
        else if (result.difference.empty())
            result.difference = difference;
    }
    result.said =
        fmt::format("the {} is the same as that of {} in {} of {} scenarios",
                    test.agreement == AgreementCriterion::schedule ? "schedule" : "order of decisions",
                    test.reference_label, result.agreed, result.parts);
    return result;
}

TestResult grade_test(const Test& test, const std::string& spec, std::int64_t& instruction_budget,
                      const ScriptTexts& texts) {
    switch (test.kind) {
        case TestKind::decisions:
            return grade_decisions(test, spec, instruction_budget, texts);
        case TestKind::claims:
            return grade_assertions(test, spec, instruction_budget, texts);
        case TestKind::agreement:
            return grade_agreement(test, spec, instruction_budget, texts);
    }
    return {};
}

// Rounds down, so that only a complete solution has all points.
std::uint32_t points_of(const Test& test, const TestResult& result) {
    if (result.passed()) return test.points;
    if (test.share == PointsRule::all || result.parts == 0) return 0;
    return static_cast<std::uint32_t>(test.points * result.agreed / result.parts);
}

}  // namespace

std::uint32_t GradingResult::earned_points() const {
    std::uint32_t all = 0;
    for (const TestResult& result : results) all += result.points;
    return all;
}

GradingResult grade(const Tests& tests, const std::string& policy, std::int64_t instructions,
                    const ScriptTexts& texts, const std::function<void(std::size_t)>& begins) {
    (void)load_policy(policy, 1, instructions, texts);
    GradingResult graded{.policy = policy, .results = {}};
    for (std::size_t i = 0; i < tests.tests.size(); ++i) {
        if (begins) begins(i);
        const Test& test = tests.tests[i];
        const std::int64_t share = instructions / static_cast<std::int64_t>(tests.tests.size() - i);
        std::int64_t left = share;
        TestResult result;
        try {
            const std::string spec = spec_with_test_options(test, policy, left, texts);
            result = grade_test(test, spec, left, texts);
            result.points = points_of(test, result);
        } catch (const PolicyError& error) {  // printable() puts the message on one line
            result.said = printable(error.what());
        } catch (const GradingError& error) {
            result.said = printable(error.what());
        }
        const std::int64_t used = share - std::max<std::int64_t>(left, 0);
        instructions -= used;
        graded.instructions += used;
        graded.results.push_back(std::move(result));
    }
    return graded;
}

}  // namespace sim::grade
