// JSON of strangers with its keys in their order.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace sim {

inline constexpr std::size_t kMostKeys = 1'000;

// What nlohmann/json reads with the keys in their order, or a discarded value where that is no JSON or an
// object has more than kMostKeys keys: for each one it looks through all those before it, which takes minutes
// for a stranger's 400,000.
nlohmann::ordered_json parse_in_order(std::string_view text, bool with_comments = false);

}  // namespace sim
