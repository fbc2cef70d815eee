// Finds, in a compiled Lua function, assignments to variables that outlive the call: upvalues and globals.
// A policy script must not contain such assignments, because all its state is in the machine. Lua has no
// function that finds them, so the output of lua_dump() is read, in the format of Lua 5.4.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "sim/script/lua_versions.h"

namespace sim::script {

struct NamedUpvalueAssignment {
    std::string name;  // name of the assigned variable
    int line = 0;
};

// The first assignment to an upvalue; nullopt if there is none. Examines the Lua function on the top of the
// stack and the functions nested in it. Adds the number of bytes read to `bytes`.
std::optional<NamedUpvalueAssignment> find_upvalue_assignment(lua_State* L, std::size_t& bytes);

// Whether the functions of a script access globals only by name and only to read them. False if a function
// assigns to a global or uses the table of globals as a value. REQUIRES: the script's main function is on the
// top of the stack.
bool only_reads_globals(lua_State* L);

// The line of an expression that Lua up to 5.4.4 may compile wrongly because of a bug (fixed in 5.4.5;
// lua.org/bugs.html). In a function with more than 255 constants, the first operand of a bitwise operation
// can be skipped, as in `1 ~ (x or 2)`; the result then depends on the previous call. Returns nullopt if no
// function has both more than 255 constants and a bitwise operation. REQUIRES: the script's main function is
// on the top of the stack.
std::optional<int> line_miscompiled_by_lua(lua_State* L);

}  // namespace sim::script
