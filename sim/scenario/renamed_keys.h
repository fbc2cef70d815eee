// Keys of scenario and machine files that have been renamed. Files with the old names are still valid.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sim {

struct RenamedKey {
    std::string_view
        object;  // pointer to the objects with this key in a scenario; "*": any member or element
    std::string_view old, now;
};

inline constexpr std::array<RenamedKey, 9> kRenamedKeys{{{"", "watch", "hint"},
                                                         {"", "numbers", "provenance"},
                                                         {"/tour/*", "look", "depth"},
                                                         {"/tour/*", "span", "time_range"},
                                                         {"/devices/*", "service", "service_time"},
                                                         {"/devices/*", "at_once", "servers"},
                                                         {"/machine/costs", "steal", "steal_time"},
                                                         {"/machine/tlb", "slots", "asids"},
                                                         {"/machine/cache", "stream", "prefetched_refill"}}};

// The notice for a file that contains the old name of a key, for example that "watch" is now "hint".
std::string notice_of(const RenamedKey& key);

// Replaces an old key in the segments of a pointer into a scenario by its current name. Returns the
// element of kRenamedKeys with the two names; null if the pointer contains no old key.
const RenamedKey* replace_old_key(std::vector<std::string>& pointer);
// Replaces an old name of a key in a JSON pointer by the current name. An invalid pointer is returned
// unchanged.
std::string with_current_key(const std::string& pointer);
// Applies with_current_key() to the pointer in an assignment of the form POINTER=VALUE.
std::string assignment_with_current_key(const std::string& assignment);

// Changes renamed keys of a scenario back to their old names. A digest of the scenario is therefore the same
// before and after a key has been renamed.
void restore_old_keys(nlohmann::json& scenario);

}  // namespace sim
