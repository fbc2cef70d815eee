// Edits of a scenario's task groups as a table of jobs: name, arrival, burst, priority.
//
// All editing functions return the new text of the scenario and preserve the unchanged part of the text. They
// throw ScenarioError with the reason if the result would not be a valid scenario.
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

// Whether the program of a task group is a single burst of fixed length, so that a table of jobs can show the
// group.
bool has_single_burst(const Scenario& scenario, std::size_t group);
// The length of the single burst of the task group. REQUIRES: has_single_burst(scenario, group).
Nanos burst_of(const Scenario& scenario, std::size_t group);

// Sets a field of the task group to the value that a user has typed: a name; a time such as "8" (in ms) or
// "8ms"; a priority. An empty text removes the arrival or the priority. REQUIRES: the group exists.
std::string with_job_field(const ScenarioText& original, std::size_t group, JobField field,
                           std::string_view typed);

// Appends a task group to "tasks".
std::string with_job(const ScenarioText& original, const ListedJob& job);

// Appends a task group with the values that a user has typed, one text for each JobField. The burst is
// required. If the name is empty, the name is unused_job_name(). Problem::pointer of a reported problem is
// the name of the field, such as "burst".
using EnteredJob = std::array<std::string, kJobFieldNames.size()>;
std::string with_entered_job(const ScenarioText& original, const EnteredJob& typed);

// Removes a task group, the interventions that name its tasks, and the entries of "provenance" about the
// group. Also removes all assertions about tasks, because they refer to tasks by index and the indexes
// change. REQUIRES: the group exists.
std::string without_job(const ScenarioText& original, std::size_t group);

// Replaces all task groups. Removes the interventions, the assertions, the tour, and the entries of
// "provenance" about tasks.
std::string with_all_jobs(const ScenarioText& original, std::span<const ListedJob> jobs);

// The name of a new job: the first of A, B, ..., Z, P27, P28, ... that is not the name of a task group.
std::string unused_job_name(const Scenario& scenario);

}  // namespace sim
