// Prepares a policy script's text for Lua and removes features whose results differ between runs.
//
// In Lua the length of a table with holes can be any of several values, depending on addresses of strings. So
// `#x` is replaced by `'#'^x`, an operator that binds as tightly. It calls length() of library_basics.cpp,
// which counts from 1. `^` for numbers is rejected, because it is the C library's pow().
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/script/lua_sandbox.h"

namespace sim::script {

// Writes the text for Lua, with the same lines, to `prepared`. Returns a problem for operators that scripts
// do not have, and for strings or names that are too long.
std::optional<Problem> prepare(std::string_view text, std::string& prepared);

}  // namespace sim::script
