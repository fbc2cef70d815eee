// How long the tasks of a trace waited for a CPU, next to runs of its scenario.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/exchange/switch_comparison.h"
#include "sim/exchange/wait_analyzer.h"

namespace sim::cli {

// The trace, or a run of its scenario.
struct WaitsColumn {
    std::string label;
    const exchange::WaitAnalyzer* waits = nullptr;
    std::map<std::string, int> by_entry{};  // index in `waits` by task group, if it had a CPU
    exchange::CpuOverlap agreement{};       // with the trace
    exchange::SwitchComparison switches{};  // compared with the trace

    const exchange::TaskWaits* of(const std::string& entry) const;  // null: it had no CPU
};

// Rows for the first `most` task groups. REQUIRES: columns is not empty.
std::string waits_table(const std::vector<WaitsColumn>& columns, const std::vector<std::string>& entries,
                        std::uint32_t most);
// One object per column, with all task groups.
nlohmann::ordered_json waits_json(const std::vector<WaitsColumn>& columns,
                                  const std::vector<std::string>& entries);

}  // namespace sim::cli
