#include "sim/scenario/json_in_order.h"

#include <nlohmann/json.hpp>
#include <vector>

namespace sim {

nlohmann::ordered_json parse_json_in_order(std::string_view text, bool allow_comments, int max_depth) {
    using nlohmann::ordered_json;
    struct TooManyKeys {};
    std::vector<std::size_t> keys;  // for each open object, the number of its keys
    const auto count = [&](int depth, ordered_json::parse_event_t event, ordered_json&) {
        if (event == ordered_json::parse_event_t::object_start) keys.push_back(0);
        if (event == ordered_json::parse_event_t::object_end) keys.pop_back();
        if (event == ordered_json::parse_event_t::key && ++keys.back() > kMostKeys) throw TooManyKeys{};
        return depth <= max_depth;
    };
    try {
        return ordered_json::parse(text, count, /* allow_exceptions */ false, allow_comments);
    } catch (const TooManyKeys&) {
        return ordered_json(ordered_json::value_t::discarded);
    }
}

}  // namespace sim
