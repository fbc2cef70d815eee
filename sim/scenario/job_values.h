// Parses the times and priorities of jobs as users type them, and writes jobs as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/base/types.h"
#include "sim/scenario/job_list.h"

namespace sim {

bool is_plain_number(std::string_view text);  // true if the text has digits and points only
bool has_digit(std::string_view text);

// Parses a time such as "8", "8ms" or "1.5s"; a number without a unit is in `unit`. Returns nullopt, with the
// reason in `why`, if the text is not a time.
std::optional<Nanos> parse_job_time(std::string_view typed, std::string_view unit, std::string& why);

// Parses a priority, a whole number from 1 to 40. Returns nullopt, with the reason in `why`, for any other
// text.
std::optional<std::int32_t> parse_job_priority(std::string_view typed, std::string& why);

// The time of a job in a file: like format_time(), but "0ms" for 0.
std::string job_time_text(Nanos time);

std::string json_of(const ListedJob& job);             // the job as a task group
std::string json_of(std::span<const ListedJob> jobs);  // the value of "tasks", one line per job

}  // namespace sim
