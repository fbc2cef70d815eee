// Replaces, adds or removes single values of a JSON text. All other bytes are preserved: whitespace,
// comments, the order of members, the spelling of numbers. Thus a line diff shows exactly the change.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/scenario/json_tree.h"

namespace sim {

// All functions return the new text. REQUIRES: the values belong to `tree` and were not changed by set().
// `json` is the JSON text of a value.

std::string with_replaced_value(const JsonTree& tree, const JsonValue& value, std::string_view json);

// Adds a member, on its own line if the neighbouring member is on its own line. The new member is inserted
// after the last member that precedes it in `order`; a key not in `order` is inserted at the end. REQUIRES:
// the object has no member with that key.
std::string with_member(const JsonTree& tree, const JsonValue& object, std::string_view key,
                        std::string_view json, std::span<const std::string_view> order = {});

// A member of an object and its replacements. If there are no replacements, the member is removed.
struct MemberChange {
    const JsonValue* member;
    std::vector<std::pair<std::string, std::string>> by;  // key and JSON text of each replacement
};

// Replaces or removes these members. The comma of a removed member is removed too. If a removed member has
// its own lines (with at most a // comment at the end), these lines and the comment are removed. All other
// comments stay, such as those above a member and those on a shared line. REQUIRES: each MemberChange is for
// a different member of `object`; the resulting keys are distinct.
std::string with_changed_members(const JsonTree& tree, const JsonValue& object,
                                 std::span<const MemberChange> exchanges);

// Appends an element to an array, on its own line if the last element is on its own line.
std::string with_element(const JsonTree& tree, const JsonValue& array, std::string_view json);

// Removes an element and its comma. If no other element is on the element's lines, the lines are removed.
// REQUIRES: index < array.size().
std::string without_element(const JsonTree& tree, const JsonValue& array, std::size_t index);

// Quotes and escapes the text as a JSON string.
std::string json_string(std::string_view text);

}  // namespace sim
