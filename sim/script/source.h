// Prepares a policy script's text for Lua and removes features whose results differ between runs. In Lua,
// `#x` of a table with gaps can be any of several values, depending on addresses of strings. So `#x` is
// replaced by `'#'^x`, an operator of the same precedence. library_basics.cpp defines `^` for strings: it
// calls length(). `^` for numbers is rejected, because Lua computes it with pow() of the C library.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/script/lua_sandbox.h"

namespace sim::script {

// Writes the text for Lua to `prepared`; line numbers do not change. Returns a problem if the text contains
// an operator that is not available to scripts, or a string or name that is too long.
std::optional<Problem> translate_to_plain_lua(std::string_view text, std::string& prepared);

}  // namespace sim::script
