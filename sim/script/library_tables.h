// The library's tables in Lua: the metatables of its objects, and the functions that Lua calls for missing
// keys.
#pragma once

#include <string>
#include <vector>

#include "sim/script/library.h"
#include "sim/script/lua_sandbox.h"

namespace sim::script {

// Sets the function that Lua calls for missing keys of the table on the top of the stack.
template <lua_CFunction function>
void set_missing_key_handler(lua_State* L) {
    lua_newtable(L);
    lua_pushcfunction(L, call_guarded<function>);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
}

// Creates the metatable for one kind of objects, with these functions as methods, and stores it in the
// registry.
void add_metatable(lua_State* L, RegistryKey key, const char* name, const luaL_Reg* functions);

// Returns `extra_names` and the string keys of the table at the bottom of the stack, sorted together.
std::vector<std::string> names_in_table(lua_State* L, std::vector<std::string> extra_names);

}  // namespace sim::script
