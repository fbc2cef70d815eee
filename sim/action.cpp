#include "sim/action.h"

#include <algorithm>

namespace sim {
namespace {

std::vector<ActionInfo>& registry() {
    static std::vector<ActionInfo> list;
    return list;
}

}  // namespace

bool register_action(ActionInfo info) {
    auto& list = registry();
    const auto place =
        std::lower_bound(list.begin(), list.end(), info.name,
                         [](const ActionInfo& a, const std::string& name) { return a.name < name; });
    list.insert(place, std::move(info));
    return true;
}

std::span<const ActionInfo> actions() { return registry(); }

std::uint8_t action_index(std::string_view name) {
    const auto& list = registry();
    const auto place = std::lower_bound(list.begin(), list.end(), name,
                                        [](const ActionInfo& a, std::string_view n) { return a.name < n; });
    assert(place != list.end() && place->name == name);
    return static_cast<std::uint8_t>(place - list.begin());
}

}  // namespace sim
