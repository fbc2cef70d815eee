// Edits of a scenario's task groups as a table of jobs: name, arrival, burst, priority.
//
// All functions return the new text of the scenario and preserve the rest of the text. They throw
// ScenarioError with the reason if the result would not be a valid scenario.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sim/core/scenario.h"
#include "sim/scenario/job_list.h"
#include "sim/scenario/scenario_json.h"

namespace sim {

enum class JobField : std::uint8_t { name, arrival, burst, priority };
inline constexpr std::array<const char*, 4> kJobFieldNames{"name", "arrival", "burst", "priority"};

// Whether the program of a task group is a single burst of fixed length, which a table can show.
bool is_job(const Scenario& scenario, std::size_t group);
// The length of this burst. REQUIRES: is_job().
Nanos burst_of(const Scenario& scenario, std::size_t group);

// Sets a field to what a user has typed: a name; a time such as "8" (in ms) or "8ms"; a priority. Empty text
// removes an arrival or a priority. REQUIRES: the group exists.
std::string with_job_field(const ScenarioText& original, std::size_t group, JobField field,
                           std::string_view typed);

// Adds a task group at the end.
std::string with_job(const ScenarioText& original, const ListedJob& job);

// Adds a task group from what a user has typed, one text for each JobField; the burst is required. Without a
// name, the job gets free_job_name(). The pointer of a reported problem is the name of the field: "burst".
using TypedJob = std::array<std::string, kJobFieldNames.size()>;
std::string with_typed_job(const ScenarioText& original, const TypedJob& typed);

// Removes a task group, its interventions, what "provenance" states about it, and all assertions about tasks.
// REQUIRES: the group exists.
std::string without_job(const ScenarioText& original, std::size_t group);

// Replaces all task groups. Removes the interventions, the assertions, the tour, and the entries of
// "provenance" about tasks.
std::string with_all_jobs(const ScenarioText& original, std::span<const ListedJob> jobs);

// The name of a new job: the first of A, B, ..., Z, P27, P28, ... that no task group has.
std::string free_job_name(const Scenario& scenario);

}  // namespace sim
