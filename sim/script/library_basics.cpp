// Restricted functions and operators that replace those of Lua in policy scripts.
#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "sim/script/freeze.h"
#include "sim/script/library.h"
#include "sim/script/library_tables.h"
#include "sim/script/lua_sandbox.h"
#include "sim/script/script.h"

namespace sim::script {
namespace {

int raise_error(lua_State* L) {
    LuaSandbox::fail(L,
                     lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : "error(): " + describe_value(L, 1));
}

int check(lua_State* L) {
    if (lua_toboolean(L, 1) != 0) return lua_gettop(L);
    LuaSandbox::fail(L, lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "assertion failed");
}

// The length operator `#x`; source.cpp replaces the operator by a call of this function. The length of a
// table is the number of elements, counted from index 1, before the first missing element.
int length(lua_State* L) {
    if (lua_type(L, 2) != LUA_TTABLE) {
        lua_len(L, 2);
        return 1;
    }
    unwrap_frozen_table(L, 2);
    lua_Integer n = 0;
    while (lua_rawgeti(L, 2, n + 1) != LUA_TNIL) {
        lua_pop(L, 1);
        if (++n % kEntriesPerInstruction == 0) Script::of(L).box().charge_and_check_limits(1);
    }
    lua_pushinteger(L, n);
    return 1;
}

int kind(lua_State* L) {
    lua_pushstring(L, handle_at(L, 1, Handle::Kind::task) != nullptr ? "task" : luaL_typename(L, 1));
    return 1;
}

int to_text(lua_State* L) {
    return LuaSandbox::return_text(L,
                                   lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : describe_value(L, 1));
}

int next_array_element(lua_State* L) {
    Script::of(L).box().count_loop_step();
    const lua_Integer i = static_cast<lua_Integer>(static_cast<std::uint64_t>(lua_tointeger(L, 2)) + 1);
    lua_pushinteger(L, i);
    return lua_geti(L, 1, i) == LUA_TNIL ? 1 : 2;
}

int ordered_array_elements(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_pushcfunction(L, call_guarded<next_array_element>);
    lua_pushvalue(L, 1);
    lua_pushinteger(L, 0);
    return 3;
}

int push_absolute_value(lua_State* L) {
    const std::int64_t a = integer_at(L, 1, "abs");
    lua_pushinteger(L, a < 0 ? static_cast<lua_Integer>(0U - static_cast<std::uint64_t>(a)) : a);
    return 1;
}

int push_extreme(lua_State* L, const char* function, bool is_minimum) {
    std::int64_t best = integer_at(L, 1, function);
    LuaSandbox::of(L).charge_and_check_limits(lua_gettop(L));
    for (int i = 2; i <= lua_gettop(L); ++i) {
        const std::int64_t value = integer_at(L, i, function);
        if (is_minimum ? value < best : value > best) best = value;
    }
    lua_pushinteger(L, best);
    return 1;
}
int push_minimum(lua_State* L) { return push_extreme(L, "min", true); }
int push_maximum(lua_State* L) { return push_extreme(L, "max", false); }

}  // namespace

void add_basic_functions(lua_State* L) {
    constexpr luaL_Reg kFunctions[] = {{"error", call_guarded<raise_error>},
                                       {"assert", call_guarded<check>},
                                       {"type", call_guarded<kind>},
                                       {"tostring", call_guarded<to_text>},
                                       {"ipairs", call_guarded<ordered_array_elements>},
                                       {"pairs", call_guarded<ordered_pairs>},
                                       {"abs", call_guarded<push_absolute_value>},
                                       {"min", call_guarded<push_minimum>},
                                       {"max", call_guarded<push_maximum>},
                                       {nullptr, nullptr}};
    luaL_setfuncs(L, kFunctions, 0);
    lua_pushstring(L, "");  // all strings share one metatable
    lua_newtable(L);
    lua_pushcfunction(L, call_guarded<length>);
    lua_setfield(L, -2, "__pow");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}

}  // namespace sim::script
