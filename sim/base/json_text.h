// JSON as this program writes it, for a file or a terminal, and reads it again.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <string_view>

#include "sim/base/text.h"

namespace sim {

// The text of a value of nlohmann/json, in one line or with so many blanks of indent. What is not shown is
// escaped, and bytes that are no UTF-8 become U+FFFD.
template <class Json>
std::string json_text(const Json& json, int indent = -1) {
    return json_to_show(json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

inline constexpr std::size_t kMostKeys = 1'000;

// What nlohmann/json reads with the keys in their order, or a discarded value where that is no JSON or an
// object has more than kMostKeys keys: for each one it looks through all those before it, which takes minutes
// for a stranger's 400,000.
nlohmann::ordered_json parse_in_order(std::string_view text, bool with_comments = false);

}  // namespace sim
