// Makes everything immutable that exists after a policy script has been loaded: globals, the tables
// reachable from them, and upvalues. So calls leave no state in Lua, and a repeated run is identical.
#pragma once

#include <optional>

#include "sim/script/lua_sandbox.h"

namespace sim::script {

// Freezes the table of globals on the top of the stack and everything reachable from it. Tables keep their
// identity; writing to them raises an error. Returns a problem if a function assigns to an upvalue. If the
// script only reads globals (only_reads_globals()), the globals themselves stay in place, which is faster to
// read.
std::optional<Problem> freeze(LuaSandbox& box, bool globals_are_only_read);

// Replaces a frozen table at this stack index by the table with its contents. Scripts must not get access to
// that table.
void unwrap_frozen(lua_State* L, int table);

// pairs() for scripts, also for frozen tables. Order: by key, numbers before strings; any other key is an
// error.
int ordered_pairs(lua_State* L);

}  // namespace sim::script
