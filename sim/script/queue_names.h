// Display names of a script's queues: `ready`, `level[2]`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/script/lua_versions.h"

namespace sim::script {

// Names by queue number: the variable that holds the queue, or its element in a table that a variable
// holds. If there are several: globals come before upvalues of the script's functions, then alphabetical
// order decides. A queue without such a name is called "queue N". REQUIRES: the table of globals is on the
// top of the stack and not yet frozen.
std::vector<std::string> queue_names(lua_State* L, std::uint32_t queues);

}  // namespace sim::script
