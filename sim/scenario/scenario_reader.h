// The members of a scenario file, in the order in which they build on each other.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "sim/scenario/draft.h"

namespace sim {

// Reads the whole of a scenario file into the draft; problems are noted there. `folder` is where files of
// machines are looked for before the built-in ones; it may be empty.
void read_scenario(Draft& draft, const JsonValue& root, const std::string& folder);

inline constexpr std::size_t kMostStated = 1'000;  // entries of "numbers"
// "numbers": what numbers of the scenario, whose root this is, rest on.
void read_stated_numbers(Draft& draft, const JsonValue& root, const JsonValue& list);
// "4-11" in a pointer of "numbers": the elements 4 to 11; none for another piece.
struct ElementRange {
    std::size_t first, last;
};
std::optional<ElementRange> element_range(const std::string& piece);
// "expect": claims about the result of a run.
void read_expectations(Draft& draft, const JsonValue& list);
// "tour": the stops of a guided tour.
void read_tour(Draft& draft, const JsonValue& list);

}  // namespace sim
