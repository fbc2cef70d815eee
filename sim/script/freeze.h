// Makes everything immutable that exists after a policy script has been loaded: globals, the tables
// reachable from them, and upvalues. So calls leave no state in Lua, and repeated runs are identical.
#pragma once

#include <optional>

#include "sim/script/lua_sandbox.h"

namespace sim::script {

// Freezes the table of globals on the top of the stack and everything reachable from it. Tables keep their
// identity; writing to them raises an error. Returns a problem if a function assigns to an upvalue. If the
// script only reads globals (only_reads_globals()), the values of the globals stay in their table and are not
// moved to a second table, because direct reads are faster.
std::optional<Problem> freeze_globals(LuaSandbox& box, bool globals_are_only_read);

// If the table at this stack index is frozen, replaces it on the stack by the table to which its elements
// were moved. Scripts must not get access to the table with the moved elements.
void unwrap_frozen_table(lua_State* L, int table);

// The function pairs() of scripts, which also accepts frozen tables. It visits the keys in order, numbers
// before strings. A key of any other type is an error.
int ordered_pairs(lua_State* L);

}  // namespace sim::script
