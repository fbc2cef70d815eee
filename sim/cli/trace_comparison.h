// Compares a trace with runs of the scenario that is made from it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/cli/policy_on_machine.h"
#include "sim/trace_io/scenario/recorded_run.h"

namespace sim::cli {

struct TraceComparisonOptions {
    std::uint32_t tasks = 10;           // maximum number of rows for task groups
    bool explains_differences = false;  // explain each run's first switch that differs from the trace
    bool quiet = false;                 // no progress
};

struct TraceComparison {
    std::string text;
    nlohmann::ordered_json json;
    bool all_same = true;  // each run made the same switches as the trace, in the same order
};

// The scenario of a trace, for load_policies_on_machines().
ScenarioText scenario_text_of(const trace_io::RecordedRun& trace);

// REQUIRES: all sides use the scenario made from the trace. Throws PolicyError.
TraceComparison compare_with_trace(const trace_io::RecordedRun& trace,
                                   const std::vector<PolicyOnMachine>& sides,
                                   const TraceComparisonOptions& options);

}  // namespace sim::cli
