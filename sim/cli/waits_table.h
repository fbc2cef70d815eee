// How long the tasks of a trace waited for a CPU, compared with runs of its scenario.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/trace_io/switch_comparison.h"
#include "sim/trace_io/wait_analyzer.h"

namespace sim::cli {

// A column of the table: the values of the trace, or those of a run of its scenario.
struct WaitsColumn {
    std::string label;
    const trace_io::WaitAnalyzer* waits = nullptr;
    std::map<std::string, int> by_group{};     // for each task group that had a CPU: its index in `waits`
    trace_io::PlacementAgreement agreement{};  // shares of CPU time in which the trace has the same task
    trace_io::SwitchComparison switches{};     // comparison of the switches with those of the trace

    const trace_io::TaskWaits* of(const std::string& group) const;  // null: the task group had no CPU
};

// Rows for the first `max_groups` task groups. REQUIRES: columns is not empty.
std::string waits_table(const std::vector<WaitsColumn>& columns, const std::vector<std::string>& groups,
                        std::uint32_t max_groups);
// One object per column, with all task groups.
nlohmann::ordered_json waits_json(const std::vector<WaitsColumn>& columns,
                                  const std::vector<std::string>& groups);

}  // namespace sim::cli
