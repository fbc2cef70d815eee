// How long the tasks of a recording waited for a CPU, beside how long they waited in runs of it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/exchange/same_switches.h"
#include "sim/exchange/waits.h"

namespace sim::cli {

// The recording, or a run of it.
struct WaitsColumn {
    std::string label;
    const exchange::Waits* waits = nullptr;
    std::map<std::string, int> by_entry{};  // numbers of `waits`, of the entries that had a CPU
    exchange::Agreement agreement{};        // with the recording
    exchange::SameSwitches switches{};      // as the recording's

    const exchange::TaskWaits* of(const std::string& entry) const;  // null: it had no CPU
};

// With rows for the first `most` of the entries. REQUIRES: there is a column.
std::string waits_table(const std::vector<WaitsColumn>& columns, const std::vector<std::string>& entries,
                        std::uint32_t most);
// An object for each column, with all entries.
nlohmann::ordered_json waits_json(const std::vector<WaitsColumn>& columns,
                                  const std::vector<std::string>& entries);

}  // namespace sim::cli
