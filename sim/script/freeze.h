// What is alive when a script has been loaded does not change any more: its global variables, the tables
// that these lead to, the variables around its functions. So a call can leave nothing behind, and a run that
// is made again is the same run.
#pragma once

#include <optional>

#include "sim/script/lua_box.h"

namespace sim::script {

// Freezes the table on the top of the stack, which holds the global variables, and all that can be reached
// from it. A table stays the same one to all who have it; writing to it raises an error. A problem is a
// function that assigns to a variable around it. If the script's functions only read global variables
// (only_reads_globals()), these stay where they are, which is quicker to read.
std::optional<Problem> freeze(LuaBox& box, bool globals_are_only_read);

// Puts what is in the table at this place of the stack there, if it is frozen; a script must never get hold
// of that itself.
void look_into(lua_State* L, int table);

// pairs() for scripts, of frozen tables and of others: in the order of the keys, numbers before texts. Any
// other key is an error.
int ordered_pairs(lua_State* L);

}  // namespace sim::script
