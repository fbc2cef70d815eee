// A JSON text with one value replaced, added or taken out, and all else as it was, to the byte: blanks,
// comments, the order of members, the spelling of numbers. So its difference to the text before, line by
// line, is the change.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/scenario/json_tree.h"

namespace sim {

// All of these return the new text, and REQUIRE values of `tree` as it was parsed: nothing set(). `json` is a
// JSON value as it is to be written.

std::string with_replaced(const JsonTree& tree, const JsonValue& value, std::string_view json);

// With another member, on a line of its own where its neighbour has one. It goes behind the last of the
// members that come before it in `order`; to the end when `order` does not have it.
// REQUIRES: an object without such a member.
std::string with_member(const JsonTree& tree, const JsonValue& object, std::string_view key,
                        std::string_view json, std::span<const std::string_view> order = {});

// What is to stand where a member of an object stands: members of these keys and values, or nothing.
struct Exchange {
    const JsonValue* member;
    std::vector<std::pair<std::string, std::string>> by;  // key and JSON
};

// With all of these exchanges made. A member that is taken out takes its comma along. When it has lines of
// its own (nothing else on them but a // comment at their end), it takes them along, with that comment; every
// other comment stays, also one above it, or one on a line that it shares. REQUIRES: members of the object,
// each once, and no two of one key in the end.
std::string with_exchanged(const JsonTree& tree, const JsonValue& object,
                           std::span<const Exchange> exchanges);

// The text as a JSON string.
std::string json_string(std::string_view text);

}  // namespace sim
