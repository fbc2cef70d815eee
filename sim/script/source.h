// A script's text, as it is given to Lua: what of Lua is not the same in every run is taken out of it.
//
// The length of a table with holes is any of its ends in Lua, and which one depends on where texts happen to
// lie in memory. So `#x` is written as `'#'^x`, whose operator binds as tightly, and which calls length() of
// library.cpp: it counts from 1. For numbers there is no `^`, which is the C library's pow().
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/script/lua_box.h"

namespace sim::script {

// The text with its lines where they were. A problem is an operator that scripts do not have, or a text or a
// name in it that is too long.
std::optional<Problem> prepare(std::string_view text, std::string& prepared);

}  // namespace sim::script
