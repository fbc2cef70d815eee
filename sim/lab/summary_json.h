// The summary of a run as JSON, and access to its values by JSON pointer.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "sim/core/summary.h"

namespace sim::lab {

// The summary in the form that `run --format json` prints; docs/run_summary.schema.json describes it.
nlohmann::ordered_json to_json(const Summary& summary);

// The summary in a row of a sweep. Omits values that the header and the run number determine (format,
// scenario, policy, seed), and values whose size grows with the number of tasks (tasks, waits, run queue
// histogram).
nlohmann::ordered_json sweep_row_json(const Summary& summary);

// These functions are for summaries in results files of earlier versions, which have other keys for some
// values. has_old_keys() detects such a summary; with_old_keys() and with_current_keys() convert between old
// and current keys. REQUIRES: the argument has the shape of a summary (row_shape.h).
bool has_old_keys(const nlohmann::ordered_json& summary);
nlohmann::ordered_json with_old_keys(const nlohmann::ordered_json& summary);
nlohmann::ordered_json with_current_keys(nlohmann::ordered_json summary);

// The number at a pointer such as "/time_ns/user"; nullopt if there is none or the pointer is not valid. A
// pointer with a key of an earlier version finds the value under its current key.
std::optional<double> number_at(const nlohmann::ordered_json& json, const std::string& pointer);

// The result of checking an assertion (`expect`) against a summary.
struct AssertionResult {
    bool holds = false;
    std::string text;  // "/yields/switched per /yields/calls is 0.525, as expected: [0.52, 0.53]"
};
AssertionResult check_assertion(const Assertion& assertion, const nlohmann::ordered_json& summary);

}  // namespace sim::lab
