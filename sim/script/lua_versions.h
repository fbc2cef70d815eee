// The headers of Lua 5.4, for a library compiled as C or as C++.
//
// sim/script/lua.cmake finds out which names the functions of the library have. A library compiled as C++ may
// have C++ names, as in Debian 13: its headers then stand outside of extern "C". All others have C names,
// also the C++ library of Debian 12.
//
// A C++ library throws an exception for an error of Lua. A C library calls longjmp(), which skips
// destructors. The code in this directory works with both: see LuaBox::fail().
#pragma once

#ifdef SWITCHYARD_LUA_HAS_CPP_NAMES
#include <lua.h>
// The other two need the first.
#include <lauxlib.h>
#include <lualib.h>
#else
#include <lua.hpp>
#endif

namespace sim::script {

// From 5.4.5 on, pointers into the stack are offsets while Lua asks for a larger one: its allocator must not
// look at the calls then, and Lua does not collect garbage and ask again.
inline constexpr bool kCallsAreHiddenWhileTheStackGrows = LUA_VERSION_RELEASE_NUM >= 50405;

}  // namespace sim::script

static_assert(LUA_VERSION_NUM == 504, "sim/script/bytecode.cpp reads the code of Lua 5.4");
