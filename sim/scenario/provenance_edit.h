// Updates the pointers in "provenance" when the values that they denote are moved or removed.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "sim/scenario/json_tree.h"

namespace sim {

// Returns the scenario text in which the pointer of each entry of "provenance" is replaced by the result of
// `rename` for this pointer. An entry is removed if `rename` returns nullopt. If two entries get the same
// pointer, only the first is kept.
std::string with_renamed_provenance_pointers(
    const std::string& file, std::string text,
    const std::function<std::optional<std::string>(const std::string& pointer)>& rename);

// Returns the pointer that denotes the same values after element `index` of a list was removed, inserted, or
// exchanged with the next element. `list` is the pointer to the list. A removal or an insertion can shorten
// or extend a range of elements such as "1-4". Returns nullopt if the pointer denotes only the removed
// element or values in it. Example: with element 2 of /tasks removed, "/tasks/1-4/count" becomes
// "/tasks/1-3/count".
enum class ListChange : std::uint8_t { removed, inserted, exchanged };
std::optional<std::string> moved_pointer(const std::string& pointer, const std::string& list,
                                         std::size_t index, ListChange change);

}  // namespace sim
