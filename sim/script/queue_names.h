// Display names of a script's queues: `ready`, `level[2]`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/script/lua_versions.h"

namespace sim::script {

// The name of each queue, by queue number: the variable that contains the queue, or its element in a table
// that a variable contains. If several variables contain a queue, globals precede upvalues of the script's
// functions, then alphabetical order decides. A queue without such a variable is called "queue N".
// REQUIRES: the table of globals is on the top of the stack and not yet frozen.
std::vector<std::string> queue_names(lua_State* L, std::uint32_t queues);

}  // namespace sim::script
