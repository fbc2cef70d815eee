// Writes JSON for files and terminals.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace sim {

// The text of a value: in one line if `indent` is -1, otherwise on several lines, indented by `indent` spaces
// per level. Hidden characters are escaped (sim/base/text.h), and bytes that are not UTF-8 become U+FFFD.
std::string json_text(const nlohmann::json& json, int indent = -1);
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace sim
