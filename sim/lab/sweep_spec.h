// What a sweep is: a scenario, axes with values, policies, seeds; and its runs by number.
//
// A run is a combination of one value from each axis, a policy and a seed. Runs are numbered from 0: the
// first axis varies slowest, then the other axes, then the policies, then the seeds. The number says it all,
// so that a results file, a shard of a cluster and a window can talk of the same run.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/core/policy.h"
#include "sim/core/scenario.h"
#include "sim/scenario/scenario_json.h"

namespace sim::lab {

inline constexpr std::uint64_t kMaxRuns = 250'000;
inline constexpr std::size_t kMaxAxes = 16;

struct Axis {
    std::string pointer;  // into the scenario, as --set takes it, with its first '/'
    std::vector<std::string> values;
    std::string words =
        {};  // as people call it (axis_words.h); may be empty, and is no part of what is swept

    bool operator==(const Axis& axis) const { return pointer == axis.pointer && values == axis.values; }
};

// Where a run stands in the sweep.
struct RunPlace {
    std::uint64_t point = 0;      // the combination of values: those of the last axis are neighbours
    std::vector<std::size_t> at;  // by axis: the index of its value
    std::size_t policy = 0;       // an index into policies
    std::uint64_t seed = 0;
};

struct SweepSpec {
    std::string scenario;           // its name
    std::string digest;             // of the scenario's content and of the machines that it runs on
    std::vector<std::string> sets;  // POINTER=VALUE, the same for all runs
    std::vector<Axis> axes;
    std::vector<std::string> policies;  // with those options that are not at their default
    std::uint64_t first_seed = 1, last_seed = 1;
    bool latency = false;  // each row has how long tasks waited for a CPU, too

    bool operator==(const SweepSpec&) const = default;

    std::uint64_t points() const;
    std::uint64_t seeds() const { return last_seed - first_seed + 1; }
    std::uint64_t runs() const { return points() * policies.size() * seeds(); }
    RunPlace place(std::uint64_t run) const;  // REQUIRES: run < runs()
    std::vector<std::size_t> values_at(std::uint64_t point) const;
    // The first run of a point under a policy; those with the other seeds follow it.
    std::uint64_t first_run(std::uint64_t point, std::size_t policy) const {
        return (point * policies.size() + policy) * seeds();
    }
};

// As the header of a results file has it, and back. from_json() throws LabError for what is no spec or
// breaks a bound, so that all numbers of a spec can be relied on.
nlohmann::ordered_json to_json(const SweepSpec& spec);
SweepSpec spec_from_json(const nlohmann::ordered_json& json);

// What is different, in words for a message: "seeds (1 to 3, not 1 to 5)"; empty when nothing is. `a` is
// there, `b` was asked for.
std::string difference(const SweepSpec& a, const SweepSpec& b);

// What somebody asks for.
struct SweepRequest {
    std::vector<std::string> sets = {};
    std::vector<std::string> vary = {};      // POINTER=VALUES
    std::vector<std::string> policies = {};  // none: the scenario's own
    std::string seeds = {};                  // "N": so many, from the scenario's own on; "A..B"; empty: one
    bool latency = false;                    // some measure needs_latency()
};

// A sweep that can be run: the spec with the scenario that it is about.
class Sweep {
  public:
    // Everything is checked before anything runs: each point is loaded and each policy made for it, by `jobs`
    // threads (0: by this one). Throws ScenarioError with all problems.
    Sweep(ScenarioText source, const SweepRequest& request, unsigned jobs = 0);

    const SweepSpec& spec() const { return spec_; }
    // The scenario of a run, with its seed. The policy is none of its business.
    Scenario scenario(std::uint64_t run) const;
    // The same for values that are no points of the sweep, one for each axis.
    Scenario scenario(const std::vector<std::string>& values, std::uint64_t seed) const;

  private:
    std::vector<std::string> assignments(const std::vector<std::string>& values) const;
    void check_all(unsigned jobs);

    ScenarioText source_;
    SweepSpec spec_;
};

}  // namespace sim::lab
