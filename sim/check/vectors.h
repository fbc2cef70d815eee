// What others have recorded, replayed: decisions of real kernels and cases of OSTEP's programs, one JSON
// object a line, and the tables of textbooks, one file (docs/decision_vectors.md and docs/textbooks.md have
// the formats).
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
    std::uint64_t decisions = 0;    // outcomes compared
    std::uint64_t recorded = 0;     // outcomes that there are in the lines
    std::uint64_t differences = 0;  // cases in which an outcome differs; such a case ends there
    bool whole = true;              // queue order and tasks considered were compared, too
    std::string compared;           // what was, of the last line
    std::uint64_t ticks = 0;        // of recordings that have many in a row (2.6.20)
    std::string policies;           // what was replayed, as policy specs
    // Of exercises: those that a book, or a program, solves with one policy.
    struct Group {
        std::string name{};                // of that policy, as the file has it
        std::set<std::string> policies{};  // what they were replayed under
        std::uint64_t cases = 0, differences = 0;
        std::map<std::string, std::uint64_t> left_out{};  // how many, by the reason
    };
    std::vector<Group> groups;     // in the order of the file; of recorded decisions, none
    std::uint64_t left_out = 0;    // exercises that cannot be replayed here
    std::string first_difference;  // where and what, several lines; empty when there is none
};

// Makes a policy of this spec.
using PolicyMaker = std::function<NamedPolicy(const std::string& spec)>;

struct VerifyOptions {
    std::string policy = {};  // takes the place of the recorded one; empty: none does
    std::string only = {};    // of exercises, those that the book solves with this one; empty: all
    PolicyMaker make = {};    // of the one that takes the place of a recorded one; empty: make_policy()
};

// Replays the cases of a file. Another policy has the recorded options that it knows too, and that are not
// among its own: the variant of sched_yield, the quantum of an exercise. Throws ScenarioError for what is not
// recorded by anybody, and PolicyError with the place of the case in which a script has failed.
VerifyResult verify(std::istream& lines, const std::string& file, const VerifyOptions& options);
inline VerifyResult verify(std::istream& lines, const std::string& file, const std::string& policy) {
    return verify(lines, file, VerifyOptions{.policy = policy});
}

}  // namespace sim
