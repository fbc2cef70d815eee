// Reads the members of a scenario file in the order of their dependencies.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "sim/scenario/scenario_builder.h"

namespace sim {

// Reads an entire scenario file. Stores the scenario and the problems found in the draft. `folder`:
// directory searched for machine files before the built-in ones; may be empty.
void read_scenario(ScenarioBuilder& draft, const JsonValue& root, const std::string& folder);

inline constexpr std::size_t kMaxProvenanceEntries = 1'000;  // maximum number of entries of "provenance"
// Reads "provenance", which states the sources of numbers in the scenario. `root` is the root of the scenario
// file.
void read_provenance(ScenarioBuilder& draft, const JsonValue& root, const JsonValue& list);
// A range of elements in a pointer of "provenance", such as "4-11"; both ends are included.
struct ElementRange {
    std::size_t first, last;
};
std::optional<ElementRange> element_range(const std::string& piece);
// Reads "expect", the assertions about the result of a run.
void read_expectations(ScenarioBuilder& draft, const JsonValue& list);
// Reads "tour", the stops of a guided tour.
void read_tour(ScenarioBuilder& draft, const JsonValue& list);

}  // namespace sim
