// The tests for a homework assignment, and their points.
//
// docs/how-to/homework.md describes the file, docs/grade_tests.schema.json its form. A test has recorded
// decisions, assertions on the summary of a run, or a policy to agree with.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/scenario.h"

namespace sim::grade {

// How the points of a test are awarded. all: all points if everything agrees, otherwise none; each: in
// proportion to the cases, assertions or scenarios that agree; decisions: in proportion to the decisions
// that agree.
enum class PointsRule : std::uint8_t { all, each, decisions };

enum class TestKind : std::uint8_t { decisions, claims, agreement };
const char* to_string(TestKind kind);

// Recorded decisions as text (.jsonl).
struct RecordedDecisions {
    std::string name, text;
};

// The criterion for agreement of two policies: equal CPU intervals of all tasks, or equal decisions in the
// same order.
enum class AgreementCriterion : std::uint8_t { schedule, decisions };

struct Test {
    TestKind kind = TestKind::decisions;
    std::string name;
    std::uint32_t points = 1;
    std::string hint;  // shown when the test fails; may be empty
    // Alternative options for the policy, such as "quantum=4,boost=50". The first alternative that the
    // policy accepts is used. Empty: no options.
    std::vector<std::string> options;
    PointsRule share = PointsRule::all;

    std::shared_ptr<const RecordedDecisions> recording;  // only for TestKind::decisions
    // A test of TestKind::claims has exactly one scenario, a test of TestKind::agreement has one or more, and
    // other tests have none.
    std::vector<std::shared_ptr<const Scenario>> scenarios;
    std::vector<Assertion> claims;
    // Only for TestKind::agreement: the policy to agree with, and its name in the file.
    std::string reference, reference_label;
    AgreementCriterion agreement = AgreementCriterion::schedule;
};

// A scenario within a tests file, as text.
struct EmbeddedScenario {
    std::string name, text;
};

struct Tests {
    std::string name;   // path or name passed to load_tests()
    std::string title;  // may be empty; `about` may be empty, too
    std::string about;
    std::vector<EmbeddedScenario> scenarios;
    std::vector<Test> tests;

    std::uint32_t max_points() const;
};

// The names of the built-in tests, sorted.
std::vector<std::string> builtin_test_names();

// Reads the tests in a file, or built-in tests by name. Also reads the files that the tests name, with
// paths relative to the directory of the tests. Throws ScenarioError with all problems.
Tests load_tests(const std::string& path_or_name);

}  // namespace sim::grade
