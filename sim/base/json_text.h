// JSON as this program writes it: for a file or a terminal.
#pragma once

#include <string>

#include "sim/base/text.h"

namespace sim {

// The text of a value of nlohmann/json, in one line or with so many blanks of indent. What is not shown is
// escaped, and bytes that are no UTF-8 become U+FFFD.
template <class Json>
std::string json_text(const Json& json, int indent = -1) {
    return json_to_show(json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

}  // namespace sim
