// Limits of a sweep: the number of runs, the size of its tables, and the texts that tables can print.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "sim/lab/sweep_spec.h"

namespace sim::lab {

inline constexpr std::size_t kMostPolicies = 1'000;
inline constexpr std::uint64_t kLargestTable = 256 << 20;  // in bytes
inline constexpr std::uint64_t kLargestSeed = std::numeric_limits<std::int64_t>::max();

// The number of runs of the sweep; kMaxRuns + 1 if it is more than kMaxRuns.
std::uint64_t capped_run_count(const SweepSpec& spec);

// Upper bound of the size of a table in bytes. A result above kLargestTable only means that the table can be
// larger than kLargestTable. The table has a line for each point and policy, which contains the axis values
// and the policy.
std::uint64_t table_bytes_upper_bound(const SweepSpec& spec);

// The first text of a spec that cannot be shown in one line; null: none. Such a text must be refused,
// because tables print the texts of a spec, and a spec may come from an untrusted file.
const std::string* first_unprintable_text(const SweepSpec& spec);

}  // namespace sim::lab
