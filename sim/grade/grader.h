// Grades a policy that somebody wrote: it is run, within bounds, and held against each of the tests.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/core/policy.h"
#include "sim/grade/tests_file.h"

namespace sim::grade {

// Instructions that a script may carry out in all tests together; loading it aside, which has bounds of its
// own.
inline constexpr std::int64_t kInstructions = 200'000'000;

struct TestResult {
    std::uint32_t points = 0;
    std::uint64_t agreed = 0, parts = 0;  // cases, claims, scenarios or decisions
    std::string said;                     // in a line
    std::string difference;               // the first one, opened up, in lines; may be empty

    bool passed() const { return parts > 0 && agreed == parts; }
};

struct Graded {
    std::string policy;               // as it was asked for
    std::vector<TestResult> results;  // as the tests are ordered
    std::int64_t instructions = 0;    // carried out, in thousands or nearly

    std::uint32_t points() const;
};

// Runs all tests. Each may use an equal share of the instructions that are left, so that one that goes wrong
// takes nothing from the others, and two gradings end the same. `begins` is told each test's number before it
// is run; it may be empty. A script that is in `texts` is not read again, so that all tests see the same one.
// Throws PolicyError when there is no such policy, or its script cannot be loaded.
Graded grade(const Tests& tests, const std::string& policy, std::int64_t instructions = kInstructions,
             const ScriptTexts& texts = {}, const std::function<void(std::size_t)>& begins = {});

}  // namespace sim::grade
