// Job tables as courses write them: "A 0 8; B 1 4", CSV files, cells copied from a spreadsheet.
//
// The columns are name, arrival, burst and priority, in this order or in the order of a title row. A time
// without a unit is in milliseconds. docs/reference/scenario_reference.md describes the format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/types.h"

namespace sim {

struct ListedJob {
    std::string name;
    Nanos arrival{}, burst{};
    std::optional<std::int32_t> priority;

    bool operator==(const ListedJob&) const = default;
};

inline constexpr std::size_t kMostJobs = 1'000;

// Whether the text is probably a job table: its first row names a column of bursts, or is a valid job.
bool looks_like_jobs(std::string_view text);
// Whether any of the first rows is a valid job, so that the text is probably meant as a job table.
bool has_job_row(std::string_view text);

// Reads the table. Jobs without a name are named P1, P2 and so on. `file` is used in messages. Throws
// ScenarioError with all problems.
std::vector<ListedJob> read_jobs(const std::string& file, std::string_view text);

// The text of a scenario with these jobs, the default machine and the policy fcfs.
std::string scenario_of_jobs(const std::vector<ListedJob>& jobs);

}  // namespace sim
