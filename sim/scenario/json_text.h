// JSON as this program writes it: for a file or a terminal.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace sim {

// The text of a value, in one line or with so many blanks of indent. What is not shown is escaped
// (sim/base/text.h), and bytes that are no UTF-8 become U+FFFD.
std::string json_text(const nlohmann::json& json, int indent = -1);
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace sim
