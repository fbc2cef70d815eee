// The summary of a run as JSON, and figures of it by their JSON pointers.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "sim/core/summary.h"

namespace sim::lab {

// As `run --format json` prints it; docs/run_summary.schema.json describes it.
nlohmann::ordered_json to_json(const Summary& summary);

// What a row of a sweep keeps of it: not what the sweep's file says already, and no lists of tasks.
nlohmann::ordered_json row_json(const Summary& summary);

// The number at a pointer, like "/time_ns/user". Nothing when there is none, or the text is no pointer.
std::optional<double> number_at(const nlohmann::ordered_json& json, const std::string& pointer);

// A claim held against a summary as JSON.
struct ClaimResult {
    bool holds = false;
    std::string text;  // "/yields/switched per /yields/calls is 0.525, within [0.52, 0.53]"
};
ClaimResult check_claim(const Expectation& claim, const nlohmann::ordered_json& summary);

}  // namespace sim::lab
