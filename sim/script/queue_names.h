// What a script calls its queues, for people: `ready`, `level[2]`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/script/lua_versions.h"

namespace sim::script {

// By number: the variable that has the queue, a global one or one around a function of the script, or its
// place in a table that such a variable has. Of several the first in the alphabet; "queue 3" for one that has
// none of these. REQUIRES: the table of globals is on the top of the stack, and not frozen yet.
std::vector<std::string> queue_names(lua_State* L, std::uint32_t queues);

}  // namespace sim::script
