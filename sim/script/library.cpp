// Assembles the library from its parts, and defines functions that they share.
#include "sim/script/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/base/suggest.h"
#include "sim/script/library_tables.h"
#include "sim/script/lua_sandbox.h"
#include "sim/script/script.h"

namespace sim::script {
namespace {

// Raises an error for an unknown global. For well-known functions of Lua the message contains the reason or
// a replacement.
int fail_unknown_global(lua_State* L) {
    const std::string name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : describe_value(L, 2);
    for (const char* library : {"math", "tonumber"})
        if (name == library)
            LuaSandbox::fail(
                L, fmt::format("'{}' is not available: all numbers are integers, // rounds down, and "
                               "there are min(), max(), abs() and random()",
                               name));
    for (const char* library :
         {"os",         "io",       "string",  "table",  "debug",          "coroutine",
          "package",    "utf8",     "require", "dofile", "loadfile",       "load",
          "loadstring", "rawequal", "rawlen",  "print",  "setmetatable",   "getmetatable",
          "rawset",     "rawget",   "pcall",   "xpcall", "collectgarbage", "next",
          "select",     "_G"})
        if (name == library)
            LuaSandbox::fail(
                L, fmt::format("'{}' is not available: a policy script can access only the machine", name));
    const std::vector<std::string> known = names_in_table(L, {"true", "false", "nil"});
    LuaSandbox::fail(L, fmt::format("there is no variable '{}'{}", name, did_you_mean(name, known)));
}

int fail_unknown_option(lua_State* L) {
    std::vector<std::string> known;
    for (const OptionInfo& option : Script::of(L).options()) known.push_back(option.name);
    const std::string name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : describe_value(L, 2);
    LuaSandbox::fail(L, fmt::format("there is no option '{}'{}", name, did_you_mean(name, known)));
}

}  // namespace

void push_handle(lua_State* L, Handle handle, RegistryKey metatable) {
    *static_cast<Handle*>(lua_newuserdatauv(L, sizeof(Handle), 0)) = handle;
    lua_rawgeti(L, LUA_REGISTRYINDEX, metatable);
    lua_setmetatable(L, -2);
}

std::string describe_value(lua_State* L, int index) {
    if (handle_at(L, index, Handle::Kind::task) != nullptr) return "a task";
    if (handle_at(L, index, Handle::Kind::queue) != nullptr) return "a queue";
    if (handle_at(L, index, Handle::Kind::cpu) != nullptr) return "a CPU";
    if (handle_at(L, index, Handle::Kind::machine) != nullptr) return "the machine";
    switch (lua_type(L, index)) {
        case LUA_TNONE:
        case LUA_TNIL:
            return "nothing";
        case LUA_TBOOLEAN:
            return lua_toboolean(L, index) != 0 ? "true" : "false";
        case LUA_TNUMBER:
            return lua_isinteger(L, index) != 0 ? fmt::format("{}", lua_tointeger(L, index))
                                                : fmt::format("{}", lua_tonumber(L, index));
        case LUA_TSTRING:
            return "a string";
        default:
            return fmt::format("a {}", luaL_typename(L, index));
    }
}

std::int64_t integer_at(lua_State* L, int index, const char* description) {
    int is_integer = 0;
    const lua_Integer value = lua_tointegerx(L, index, &is_integer);
    if (is_integer == 0 || lua_type(L, index) != LUA_TNUMBER)
        LuaSandbox::fail(
            L, fmt::format("{}: expected a whole number, got {}", description, describe_value(L, index)));
    return value;
}

std::vector<std::string> names_in_table(lua_State* L, std::vector<std::string> extra_names) {
    lua_pushnil(L);
    while (lua_next(L, 1) != 0) {
        lua_pop(L, 1);
        if (lua_type(L, -1) == LUA_TSTRING) extra_names.emplace_back(lua_tostring(L, -1));
    }
    std::sort(extra_names.begin(), extra_names.end());
    return extra_names;
}

void add_metatable(lua_State* L, RegistryKey key, const char* name, const luaL_Reg* functions) {
    lua_newtable(L);
    luaL_setfuncs(L, functions, 0);
    lua_pushstring(L, name);
    lua_setfield(L, -2, "__name");  // Lua's messages contain this name
    lua_rawseti(L, LUA_REGISTRYINDEX, key);
}

void Script::make_task_handles(TaskId end) {
    for (; handles_ < end; ++handles_) {
        push_handle(state(), {Handle::Kind::task, handles_}, kTaskMeta);
        lua_rawseti(state(), LUA_REGISTRYINDEX, kFirstTask + lua_Integer{handles_});
    }
}

void add_library(lua_State* L) {
    add_object_metatables(L);
    add_queue_functions(L);
    add_scheduling_functions(L);
    add_basic_functions(L);

    push_handle(L, {Handle::Kind::machine, 0}, kMachineMeta);
    lua_setfield(L, -2, "machine");
    for (CpuId c = 0; c < kMaxCpus; ++c) {
        push_handle(L, {Handle::Kind::cpu, c}, kCpuMeta);
        lua_rawseti(L, LUA_REGISTRYINDEX, kFirstCpu + lua_Integer{c});
    }
    lua_pushstring(L, "idle");
    lua_setfield(L, -2, "idle");
    lua_pushinteger(L, 1'000);
    lua_setfield(L, -2, "us");
    lua_pushinteger(L, 1'000'000);
    lua_setfield(L, -2, "ms");
    lua_newtable(L);
    set_missing_key_handler<fail_unknown_option>(L);
    lua_pushvalue(L, -1);
    lua_rawseti(L, LUA_REGISTRYINDEX, kOptionValues);
    lua_setfield(L, -2, "option");
    // Reports reads of undefined globals already while the script is loaded, before the table of globals is
    // frozen.
    set_missing_key_handler<fail_unknown_global>(L);
}

}  // namespace sim::script
