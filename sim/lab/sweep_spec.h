// The description of a sweep: a scenario, axes with values, policies, seeds, and its numbered runs.
//
// A run is a combination of one value per axis, a policy and a seed. Runs are numbered from 0; the first axis
// varies slowest, then the other axes, the policies, the seeds. The number identifies a run in results files,
// in shards on a cluster and in the window.
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
    std::string pointer;  // JSON pointer into the scenario, as in --set, with the leading '/'
    std::vector<std::string> values;
    // Display name (axis_words.h); may be empty. Comparisons of axes ignore it.
    std::string words = {};

    bool operator==(const Axis& axis) const { return pointer == axis.pointer && values == axis.values; }
};

// The position of a run in the sweep.
struct RunCoordinates {
    std::uint64_t point = 0;      // index of the combination of values; the last axis varies fastest
    std::vector<std::size_t> at;  // index of the value on each axis
    std::size_t policy = 0;       // index into SweepSpec::policies
    std::uint64_t seed = 0;
};

struct SweepSpec {
    std::string scenario;           // name of the scenario
    std::string digest;             // digest of the scenario's text and the machines of all points
    std::vector<std::string> sets;  // POINTER=VALUE, the same for all runs
    std::vector<Axis> axes;
    std::vector<std::string> policies;  // names, with the options that are not at their default
    std::uint64_t first_seed = 1, last_seed = 1;
    bool latency = false;  // true: each row also contains the waits for a CPU

    bool operator==(const SweepSpec&) const = default;

    std::uint64_t points() const;
    std::uint64_t seeds() const { return last_seed - first_seed + 1; }
    std::uint64_t runs() const { return points() * policies.size() * seeds(); }
    RunCoordinates coordinates(std::uint64_t run) const;  // REQUIRES: run < runs()
    std::vector<std::size_t> value_indices_at(std::uint64_t point) const;
    // The number of the first run at a point under a policy. The runs with the other seeds have the next
    // numbers.
    std::uint64_t first_run(std::uint64_t point, std::size_t policy) const {
        return (point * policies.size() + policy) * seeds();
    }
};

// These functions convert a spec to the form in the header of a results file, and back. spec_from_json()
// throws LabError if the spec is invalid or exceeds a limit, so its result needs no further check.
nlohmann::ordered_json to_json(const SweepSpec& spec);
SweepSpec spec_from_json(const nlohmann::ordered_json& json);

// Describes the differences between the existing spec `a` and the requested spec `b`, for a message: "the
// seeds are 1 to 3, not 1 to 5". Returns an empty string if there are no differences.
std::string describe_difference(const SweepSpec& a, const SweepSpec& b);

struct SweepRequest {
    std::vector<std::string> sets = {};
    std::vector<std::string> vary = {};      // POINTER=VALUES
    std::vector<std::string> policies = {};  // empty: only the scenario's own policy
    std::string seeds = {};                  // "N": N seeds from the scenario's seed on; "A..B"; empty: one
    bool latency = false;                    // true if needs_latency() is true for a requested measure
};

// The spec of a sweep together with its scenario, ready to run.
class Sweep {
  public:
    // Checks everything before any run starts: loads each point and creates each policy for it, on `jobs`
    // threads (0: the calling thread). Throws a ScenarioError that lists at most 50 problems.
    Sweep(ScenarioText source, const SweepRequest& request, unsigned jobs = 0);

    const SweepSpec& spec() const { return spec_; }
    // The scenario of a run in the sweep, with the run's seed but not its policy.
    Scenario scenario(std::uint64_t run) const;
    // The scenario of a run that is not in the sweep. `values` contains one value per axis.
    Scenario scenario(const std::vector<std::string>& values, std::uint64_t seed) const;

  private:
    std::vector<std::string> assignments(const std::vector<std::string>& values) const;
    void check_all_points(unsigned jobs);

    ScenarioText source_;
    SweepSpec spec_;
};

}  // namespace sim::lab
