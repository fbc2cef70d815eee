// Display names of a script's queues, such as `ready` or `level[2]`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/script/lua_versions.h"

namespace sim::script {

// The name of each queue, by queue number. It is the name of the variable that contains the queue. For a
// queue in a table, it consists of the name of the table's variable and the key of the element. If several
// variables contain the same queue, a global is preferred to an upvalue of the script's functions. Between
// several globals, alphabetical order decides; between upvalues, the alphabetical order of the functions. A
// queue without such a variable is called "queue N". REQUIRES: the table of globals is on the top of the
// stack and not yet frozen.
std::vector<std::string> queue_names(lua_State* L, std::uint32_t queue_count);

}  // namespace sim::script
