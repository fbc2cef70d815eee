# Finds Lua 5.4: SWITCHYARD_LUA_INCLUDE, SWITCHYARD_LUA_LIBRARY and SWITCHYARD_LUA_DEFINITIONS.
#
# Libraries compiled as C++ come first, then those compiled as C; of each the static one comes first. The program may use
# either (sim/script/lua_versions.h). A test program finds out whether the functions have C names or C++ names. The result
# is cached: delete the cache, or set SWITCHYARD_LUA_LIBRARY, to use another library.
include(CheckCXXSourceCompiles)

find_path(SWITCHYARD_LUA_INCLUDE lua.hpp PATH_SUFFIXES lua5.4 lua-5.4 lua54 lua5.4/include REQUIRED)
find_library(SWITCHYARD_LUA_LIBRARY
    NAMES liblua5.4-c++.a lua5.4-c++ liblua++5.4.a lua++5.4 lua++ liblua5.4.a lua5.4 lua-5.4 lua54 liblua.a lua
    PATH_SUFFIXES lua5.4 lua54 REQUIRED)
mark_as_advanced(SWITCHYARD_LUA_INCLUDE SWITCHYARD_LUA_LIBRARY)

# Sets `result` to true if a program with these lines before main() can be linked.
function(switchyard_lua_links result headers)
    set(CMAKE_REQUIRED_INCLUDES ${SWITCHYARD_LUA_INCLUDE})
    set(CMAKE_REQUIRED_LIBRARIES ${SWITCHYARD_LUA_LIBRARY} ${CMAKE_DL_LIBS})
    set(CMAKE_REQUIRED_QUIET ON)
    check_cxx_source_compiles("${headers}
        #if LUA_VERSION_NUM != 504
        #error \"Lua 5.4 is needed\"
        #endif
        int main() { return luaL_newstate() == nullptr; }" ${result})
endfunction()

if(NOT SWITCHYARD_LUA_PROBED STREQUAL "${SWITCHYARD_LUA_INCLUDE} ${SWITCHYARD_LUA_LIBRARY}")
    unset(SWITCHYARD_LUA_HAS_C_NAMES CACHE)
    unset(SWITCHYARD_LUA_HAS_CPP_NAMES CACHE)
    set(SWITCHYARD_LUA_PROBED "${SWITCHYARD_LUA_INCLUDE} ${SWITCHYARD_LUA_LIBRARY}" CACHE INTERNAL "")
endif()
switchyard_lua_links(SWITCHYARD_LUA_HAS_C_NAMES "#include <lua.hpp>")
if(NOT SWITCHYARD_LUA_HAS_C_NAMES)
    switchyard_lua_links(SWITCHYARD_LUA_HAS_CPP_NAMES "#include <lua.h>\n#include <lauxlib.h>\n")
    if(NOT SWITCHYARD_LUA_HAS_CPP_NAMES)
        message(FATAL_ERROR "switchyard: no program can be linked with ${SWITCHYARD_LUA_LIBRARY} and the headers in "
            "${SWITCHYARD_LUA_INCLUDE}: Lua 5.4 is needed")
    endif()
    set(SWITCHYARD_LUA_DEFINITIONS SWITCHYARD_LUA_HAS_CPP_NAMES)
endif()
message(STATUS "switchyard: scripts run by ${SWITCHYARD_LUA_LIBRARY}")
