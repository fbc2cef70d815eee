// The tests of a piece of homework: what a policy that somebody wrote is held against, and for how many
// points.
//
// docs/homework.md describes the file, docs/grade_tests.schema.json its form. A test is one of three kinds:
// recorded decisions, claims about the summary of a run, agreement with another policy.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/scenario.h"

namespace sim::grade {

// How the points of a test are given: for all of it or not at all, or as many of a hundred as its parts
// agree: cases, claims or scenarios; or decisions.
enum class Share : std::uint8_t { all, each, decisions };

enum class Kind : std::uint8_t { decisions, claims, agreement };
const char* to_string(Kind kind);

// Recorded decisions, as text.
struct Recording {
    std::string name, text;
};

// What agrees when two policies do: the order in which they choose, or who had each CPU from when to when.
enum class Agreement : std::uint8_t { schedule, decisions };

struct Test {
    Kind kind = Kind::decisions;
    std::string name;
    std::uint32_t points = 1;
    std::string hint;  // shown when it fails; may be empty
    // Of the policy: "quantum=4,boost=50". Of several, the first that it takes; empty: none are given.
    std::vector<std::string> options;
    Share share = Share::all;

    std::shared_ptr<const Recording> recording;              // decisions
    std::vector<std::shared_ptr<const Scenario>> scenarios;  // of claims one
    std::vector<Expectation> claims;
    std::string reference, reference_label;  // agreement: the other policy, and as the file calls it
    Agreement agreement = Agreement::schedule;
};

// A scenario within a file of tests, as text.
struct OwnScenario {
    std::string name, text;
};

struct Tests {
    std::string name;   // as it was asked for
    std::string title;  // may be empty, as the next
    std::string about;
    std::vector<OwnScenario> scenarios;
    std::vector<Test> tests;

    std::uint32_t points() const;
};

// The built-in tests' names, ordered.
std::vector<std::string> builtin_tests();

// Reads tests: a file, or those built in under that name. Everything that they name is read, too, and found
// beside them. Throws ScenarioError with every problem.
Tests load_tests(const std::string& path_or_name);

}  // namespace sim::grade
