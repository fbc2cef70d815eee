// Parses untrusted JSON and keeps the order of keys.
#pragma once

#include <cstddef>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace sim {

inline constexpr std::size_t kMostKeys = 1'000;

// Returns a value whose is_discarded() is true if the text is not valid JSON, or if an object in it has more
// than kMostKeys keys. The number of keys is limited because nlohmann/json compares each new key with all
// previous keys of the object, which takes minutes for 400,000 keys. Values nested more than `max_depth`
// levels deep are omitted.
nlohmann::ordered_json parse_json_in_order(std::string_view text, bool allow_comments = false,
                                           int max_depth = std::numeric_limits<int>::max());

}  // namespace sim
