// The result of a run as people and programs read it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/core/machine.h"
#include "sim/core/scenario.h"
#include "sim/core/statistics.h"

namespace sim {

// Where the time of a run went until this instant, to the nanosecond: the parts add up to cpus * now. What is
// charged but has not passed yet is not in it, what is passing is. REQUIRES: `statistics` watched the whole
// run of `m`.
TimeParts settled_time(const Scenario& scenario, const Statistics& statistics, const Machine& m);

// The statistics of each task settled in the same way, by TaskId.
std::vector<TaskStatistics> settled_tasks(const Scenario& scenario, const Statistics& statistics,
                                          const Machine& m);

// What a task is doing, in a word: running, ready, sleeping, waiting or exited.
const char* state_word(const Machine& m, TaskId p);

// The summary that `run --format json` prints; docs/run_summary.schema.json describes it.
// REQUIRES: as for settled_time().
nlohmann::ordered_json summarize(const Scenario& scenario, const std::string& policy, const Machine& m,
                                 const Statistics& statistics, StopReason reason);

// A claim held against a summary.
struct ClaimResult {
    bool holds = false;
    std::string text;  // "/yields/switched per /yields/calls is 0.525, within [0.52, 0.53]"
};
ClaimResult check_claim(const Expectation& claim, const nlohmann::ordered_json& summary);

}  // namespace sim
