// Runs an untrusted policy, with limited instructions and events, on the tests of a homework, and awards
// points.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/core/policy.h"
#include "sim/grade/tests_file.h"

namespace sim::grade {

// The number of instructions that a policy script may execute in all tests together, including its loading.
// Further limits apply to loading.
inline constexpr std::int64_t kInstructions = 200'000'000;

struct TestResult {
    std::uint32_t points = 0;
    // `agreed` is the number of parts that agree, `parts` is the number of all parts. A part is a case, an
    // assertion, a scenario or a decision.
    std::uint64_t agreed = 0, parts = 0;
    std::string said;        // the result in one line
    std::string difference;  // the first difference, explained in several lines; may be empty

    bool passed() const { return parts > 0 && agreed == parts; }
};

struct GradingResult {
    std::string policy;               // the spec that the caller passed
    std::vector<TestResult> results;  // in the order of the tests
    std::int64_t instructions = 0;    // number of executed instructions, to within a few thousand

    std::uint32_t earned_points() const;
};

// Runs all tests. Each test may use an equal share of the remaining instructions. So a policy that never ends
// in one test does not affect the other tests, and results are reproducible. `begins` is called with the
// index of a test before the test runs; it may be empty. A script in `texts` is not read again, so that all
// tests use the same text. Throws PolicyError if the policy does not exist or its script cannot be loaded.
GradingResult grade(const Tests& tests, const std::string& policy, std::int64_t instructions = kInstructions,
                    const ScriptTexts& texts = {}, const std::function<void(std::size_t)>& begins = {});

}  // namespace sim::grade
