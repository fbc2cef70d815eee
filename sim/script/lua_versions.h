// Includes the headers of Lua 5.4, whether the library was compiled as C or C++.
//
// sim/script/lua.cmake detects whether the library's functions have C or C++ names. A C++ library has C++
// names in Debian 13, where its headers must be outside of extern "C". In Debian 12 it has C names.
//
// A C++ library throws an exception for a Lua error. A C library calls longjmp(), which skips destructors.
// The code in this directory works with both: see LuaSandbox::fail().
#pragma once

#ifdef SWITCHYARD_LUA_HAS_CPP_NAMES
#include <lua.h>
// lua.h must be included before these two headers.
#include <lauxlib.h>
#include <lualib.h>
#else
#include <lua.hpp>
#endif

namespace sim::script {

// From Lua 5.4.5 on, pointers into the stack are replaced by offsets while the stack grows. During this
// time the allocator must not inspect calls, and Lua does not collect garbage and retry if memory is
// refused.
inline constexpr bool kCallsAreHiddenWhileTheStackGrows = LUA_VERSION_RELEASE_NUM >= 50405;

}  // namespace sim::script

static_assert(LUA_VERSION_NUM == 504, "sim/script/bytecode.cpp reads the code of Lua 5.4");
