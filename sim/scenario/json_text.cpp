#include "sim/scenario/json_text.h"

#include <nlohmann/json.hpp>

#include "sim/base/text.h"

namespace sim {
namespace {

template <class Json>
std::string text_of(const Json& json, int indent) {
    return printable_json(json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

std::string json_text(const nlohmann::json& json, int indent) { return text_of(json, indent); }
std::string json_text(const nlohmann::ordered_json& json, int indent) { return text_of(json, indent); }

}  // namespace sim
