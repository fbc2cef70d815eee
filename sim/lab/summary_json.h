// The summary of a run as JSON, and access to its values by JSON pointer.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "sim/core/summary.h"

namespace sim::lab {

// The summary as `run --format json` prints it; docs/run_summary.schema.json describes it.
nlohmann::ordered_json to_json(const Summary& summary);

// The summary in a row of a sweep. Omits values that the header and the run number determine (format,
// scenario, policy, seed), and values whose size grows with the number of tasks (tasks, waits, run queue
// histogram).
nlohmann::ordered_json row_json(const Summary& summary);

// A summary in a results file of an earlier version has other keys for some values. has_old_keys() detects
// it; the other two convert a summary. REQUIRES for them: the shape of a summary (row_shape.h).
bool has_old_keys(const nlohmann::ordered_json& summary);
nlohmann::ordered_json with_old_keys(const nlohmann::ordered_json& summary);
nlohmann::ordered_json with_current_keys(nlohmann::ordered_json summary);

// The number at a pointer such as "/time_ns/user"; nullopt if there is none or the pointer is not valid. A
// pointer with an old key leads to the renamed value.
std::optional<double> number_at(const nlohmann::ordered_json& json, const std::string& pointer);

// The result of checking an assertion (`expect`) against a summary.
struct ClaimResult {
    bool holds = false;
    std::string text;  // "/yields/switched per /yields/calls is 0.525, within [0.52, 0.53]"
};
ClaimResult check_claim(const Expectation& claim, const nlohmann::ordered_json& summary);

}  // namespace sim::lab
