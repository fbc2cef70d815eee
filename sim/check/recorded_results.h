// Replays recorded results: decisions of real kernels and OSTEP cases (one JSON object per line), and the
// tables of textbooks (one JSON file). The formats are in docs/reference/recorded_decisions.md and
// docs/reference/textbooks.md.
#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/core/policy.h"

namespace sim {

struct VerifyResult {
    std::uint64_t cases = 0;
    std::uint64_t decisions = 0;    // number of outcomes compared
    std::uint64_t recorded = 0;     // number of outcomes in the file
    std::uint64_t differences = 0;  // number of cases with a difference; a case ends at its first difference
    bool whole = true;              // true: queue order and number of tasks considered were compared, too
    std::string compared_values_text;  // description of the compared values
    std::uint64_t ticks = 0;           // number of replayed ticks (only 2.6.20)
    std::string policies;              // policy specs used; for exercises, names only
    // The exercises that the book solves with one policy.
    struct ExerciseGroup {
        std::string name{};                // name of this policy in the file
        std::set<std::string> policies{};  // policies used for the replay
        std::uint64_t cases = 0, differences = 0;
        std::map<std::string, std::uint64_t> left_out{};  // number of omitted exercises by reason
    };
    std::vector<ExerciseGroup> groups;  // in the order of the file; empty for recorded decisions
    std::uint64_t left_out = 0;         // number of exercises that cannot be replayed
    std::string first_difference;       // location and description, several lines; empty: none
};

using PolicyMaker = std::function<NamedPolicy(const std::string& spec)>;

struct VerifyOptions {
    std::string policy = {};  // spec of a policy that replaces the recorded policy; empty: no replacement
    std::string only = {};    // replay only exercises solved with this policy; empty: all
    PolicyMaker make = {};    // creates the replacement policy; empty: make_policy() creates it
};

// Replays the cases of a file. A policy that replaces the recorded policy receives each recorded option that
// it has (for example the sched_yield variant, or the quantum of an exercise), unless its spec sets this
// option. Throws ScenarioError for invalid input, and PolicyError with the case's location if a policy script
// fails.
VerifyResult verify_recorded_results(std::istream& lines, const std::string& file,
                                     const VerifyOptions& options);
inline VerifyResult verify_recorded_results(std::istream& lines, const std::string& file,
                                            const std::string& policy) {
    return verify_recorded_results(lines, file, VerifyOptions{.policy = policy});
}

}  // namespace sim
