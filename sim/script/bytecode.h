// What a compiled Lua function assigns to that is not its own: the variables around it, and global ones. Such
// a variable outlives the call, and a script has no memory but the machine. Lua has no question for it, so
// the function is dumped (lua_dump()) and its instructions are read, which are those of Lua 5.4.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "sim/script/lua_versions.h"

namespace sim::script {

struct OuterAssignment {
    std::string name;  // of the variable
    int line = 0;
};

// The first such assignment of the Lua function on the top of the stack, those of the functions inside it
// included as far as they are to variables around this one. Adds how many bytes have been read.
std::optional<OuterAssignment> outer_assignment(lua_State* L, std::size_t& bytes);

// Of a script's main function, on the top of the stack: whether all its functions only read global variables,
// each by its name. So none assigns to one, and none has the table of them all as a value.
bool only_reads_globals(lua_State* L);

// Of the same: the line of a function in which Lua up to 5.4.4 can jump over the first operand of a bitwise
// operation, so that the value is what the call before has left there: `1 ~ (x or 2)` behind more than 255
// constants. Corrected in 5.4.5 (lua.org/bugs.html). None: there is no function with both.
std::optional<int> compiled_wrongly(lua_State* L);

}  // namespace sim::script
