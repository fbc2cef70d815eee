// Parses untrusted JSON and keeps the order of keys.
#pragma once

#include <cstddef>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace sim {

inline constexpr std::size_t kMostKeys = 1'000;

// Returns a discarded value for invalid JSON, or for an object with more than kMostKeys keys: for each key
// nlohmann/json searches all previous ones, which takes minutes for 400,000 keys.
// Values nested more than `deepest` levels deep are omitted.
nlohmann::ordered_json parse_in_order(std::string_view text, bool with_comments = false,
                                      int deepest = std::numeric_limits<int>::max());

}  // namespace sim
