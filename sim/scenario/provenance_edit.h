// Changes of the pointers in "provenance" when the values that they denote move or go.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "sim/scenario/json_tree.h"

namespace sim {

// The text after the entries of "provenance" have the pointers that `rename` returns; nullopt removes an
// entry. If two entries get the same pointer, the first stays.
std::string with_provenance(
    const std::string& file, std::string text,
    const std::function<std::optional<std::string>(const std::string& pointer)>& rename);

// A pointer after an element of a list was removed, inserted, or exchanged with the next one. `list`: the
// pointer of the list. Ranges of elements such as "1-4" become shorter or longer. nullopt: the pointer
// denotes nothing but the removed element. Example: with element 2 of /tasks removed, "/tasks/1-4/count"
// becomes "/tasks/1-3/count".
enum class ListChange : std::uint8_t { removed, inserted, exchanged };
std::optional<std::string> moved_pointer(const std::string& pointer, const std::string& list,
                                         std::size_t index, ListChange change);

}  // namespace sim
