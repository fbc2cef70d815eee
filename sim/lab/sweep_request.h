// Converts the requested axes, policies and seeds of a sweep to a SweepSpec and collects their problems.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/lab/sweep_spec.h"

namespace sim::lab {

// Collects problems in the order in which they are found. Each text is added once.
class ProblemList {
  public:
    void add(Problem problem) {
        if (list_.size() < kMostProblems && seen_.insert(problem.text()).second)
            list_.push_back(std::move(problem));
    }
    void add(std::string place, std::string message) {
        add(Problem{std::move(place), 0, 0, {}, std::move(message)});
    }
    bool is_full() const { return list_.size() >= kMostProblems; }
    void throw_if_any() {
        if (!list_.empty()) throw ScenarioError(std::move(list_));
    }

  private:
    static constexpr std::size_t kMostProblems = 50;

    std::vector<Problem> list_;
    std::set<std::string> seen_;
};

// These functions add the axes (each given as POINTER=VALUES) and the policies to the spec.
void read_axes(const std::vector<std::string>& axis_texts, SweepSpec& spec, ProblemList& problems);
void read_policies(const std::vector<std::string>& policy_texts, SweepSpec& spec, ProblemList& problems);

// Reads the seeds from "N" (N seeds from the scenario's seed `scenario_seed` on) or "A..B" (A to B). Throws
// LabError.
void read_seeds(const std::string& text, std::uint64_t scenario_seed, SweepSpec& spec);

// Checks the size of a spec that is otherwise complete, and whether tables can print its texts.
void check_bounds(const SweepSpec& spec, ProblemList& problems);

}  // namespace sim::lab
