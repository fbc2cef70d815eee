#include "sim/scenario/renamed_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "sim/scenario/json_tree.h"

namespace sim {
namespace {

std::vector<std::string> object_pieces(const RenamedKey& key) {
    return json_pointer_segments(std::string(key.object)).value_or(std::vector<std::string>{});
}

void use_old_key(nlohmann::json& value, std::span<const std::string> object, const RenamedKey& key) {
    if (object.empty()) {
        const auto member = value.is_object() ? value.find(std::string(key.now)) : value.end();
        if (member == value.end()) return;
        nlohmann::json moved = std::move(*member);
        value.erase(member);
        value[std::string(key.old)] = std::move(moved);
    } else if (object.front() == "*" && value.is_structured()) {
        for (nlohmann::json& child : value) use_old_key(child, object.subspan(1), key);
    } else if (value.is_object() && value.contains(object.front())) {
        use_old_key(value[object.front()], object.subspan(1), key);
    }
}

}  // namespace

std::string notice_of(const RenamedKey& key) { return fmt::format("\"{}\" is now \"{}\"", key.old, key.now); }

const RenamedKey* replace_old_key(std::vector<std::string>& pointer) {
    for (const RenamedKey& key : kRenamedKeys) {
        const std::vector<std::string> object = object_pieces(key);
        if (pointer.size() <= object.size() || pointer[object.size()] != key.old) continue;
        const auto matches = [](const std::string& pattern, const std::string& piece) {
            return pattern == "*" || pattern == piece;
        };
        if (!std::equal(object.begin(), object.end(), pointer.begin(), matches)) continue;
        pointer[object.size()] = key.now;
        return &key;
    }
    return nullptr;
}

std::string with_current_key(const std::string& pointer) {
    std::optional<std::vector<std::string>> pieces = json_pointer_segments(pointer);
    if (!pieces || replace_old_key(*pieces) == nullptr) return pointer;
    std::string current;
    for (const std::string& piece : *pieces) current.append(1, '/').append(escaped_pointer_segment(piece));
    return current;
}

std::string assignment_with_current_key(const std::string& assignment) {
    const std::size_t equals = std::min(assignment.find('='), assignment.size());
    return with_current_key(assignment.substr(0, equals)) + assignment.substr(equals);
}

void restore_old_keys(nlohmann::json& scenario) {
    for (const RenamedKey& key : kRenamedKeys) use_old_key(scenario, object_pieces(key), key);
}

}  // namespace sim
