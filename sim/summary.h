// The result of a run as people and programs read it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/machine.h"
#include "sim/scenario.h"
#include "sim/statistics.h"

namespace sim {

// The statistics as they stand at this instant: what is charged but has not passed yet is taken off, and what is
// passing is added, so that the time parts add up to cpus * now. REQUIRES: `statistics` watched the whole run of `m`.
Statistics settled(const Statistics& statistics, const Machine& m);

// Only the time parts of that.
TimeParts settled_time(const Statistics& statistics, const Machine& m);

// The summary that `run --format json` prints; docs/run_summary.schema.json describes it.
// REQUIRES: `statistics` is settled.
nlohmann::ordered_json summarize(const Scenario& scenario, const std::string& policy, const Machine& m,
                                 const Statistics& statistics, StopReason reason);

// A claim held against a summary.
struct ClaimResult {
    bool holds = false;
    std::string text;  // "/yields/switched per /yields/calls is 0.525, within [0.52, 0.53]"
};
ClaimResult check_claim(const Expectation& claim, const nlohmann::ordered_json& summary);

}  // namespace sim
