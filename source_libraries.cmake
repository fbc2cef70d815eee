# The libraries as headers and sources, for programs that are built for another system or need no library of this one: the page
# (./run web) and the portable programs (./run release). The targets have the names that the searches for the libraries give them.
set(SWITCHYARD_LIBRARY_SOURCES ${PROJECT_SOURCE_DIR}/build/library-sources CACHE PATH
    "Where library_sources in .ci/lib/sources.sh has unpacked the sources of imgui and lua5.4 and the headers of SDL")
set(include ${CMAKE_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${include}/SDL2)
foreach(library fmt nlohmann CLI stb)
    if(EXISTS /usr/include/${library})
        file(CREATE_LINK /usr/include/${library} ${include}/${library} SYMBOLIC)
    endif()
endforeach()

add_library(fmt STATIC ${PROJECT_SOURCE_DIR}/sim/cli/static_fmt.cpp)
target_include_directories(fmt SYSTEM PUBLIC ${include})
add_library(fmt::fmt ALIAS fmt)
add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
target_include_directories(nlohmann_json::nlohmann_json SYSTEM INTERFACE ${include})
add_library(CLI11::CLI11 INTERFACE IMPORTED)
target_include_directories(CLI11::CLI11 SYSTEM INTERFACE ${include})
add_library(stb::stb INTERFACE IMPORTED)
target_include_directories(stb::stb SYSTEM INTERFACE ${include}/stb)

# SDL: only its headers. Debian's describe the platform in a file of this name, which differs between processors.
file(CONFIGURE OUTPUT ${include}/SDL2/_real_SDL_config.h CONTENT "#pragma once
#include \"SDL_platform.h\"
#define STDC_HEADERS 1
#define HAVE_STDARG_H 1
#define HAVE_STDDEF_H 1
#define HAVE_STDINT_H 1
#define SIZEOF_VOIDP @CMAKE_SIZEOF_VOID_P@
" @ONLY)
set(SWITCHYARD_SDL2_INCLUDE_DIRS ${SWITCHYARD_LIBRARY_SOURCES}/sdl/usr/include/SDL2 ${include})

# Dear ImGui as Debian builds it: stb's code for fonts is that of ui/platform/fonts.cpp.
set(SWITCHYARD_IMGUI_INCLUDE_DIRS ${SWITCHYARD_LIBRARY_SOURCES}/imgui)
file(READ ${SWITCHYARD_IMGUI_INCLUDE_DIRS}/imgui.h text)
string(REGEX MATCH "IMGUI_VERSION +\"([^\"]+)\"" text "${text}")
set(SWITCHYARD_IMGUI_VERSION ${CMAKE_MATCH_1})
set(rect_pack ${CMAKE_BINARY_DIR}/stb_rect_pack.cpp)
file(CONFIGURE OUTPUT ${rect_pack} CONTENT "#define STB_RECT_PACK_IMPLEMENTATION\n#include <stb_rect_pack.h>\n")
add_library(imgui STATIC EXCLUDE_FROM_ALL
    ${SWITCHYARD_IMGUI_INCLUDE_DIRS}/imgui.cpp ${SWITCHYARD_IMGUI_INCLUDE_DIRS}/imgui_draw.cpp
    ${SWITCHYARD_IMGUI_INCLUDE_DIRS}/imgui_tables.cpp ${SWITCHYARD_IMGUI_INCLUDE_DIRS}/imgui_widgets.cpp ${rect_pack})
target_link_libraries(imgui PRIVATE stb::stb)
target_compile_options(imgui PRIVATE -w $<$<CONFIG:Release>:-O2> -ffp-contract=off)
target_compile_definitions(imgui PRIVATE
    IMGUI_DISABLE_STB_RECT_PACK_IMPLEMENTATION "IMGUI_STB_RECT_PACK_FILENAME=<stb_rect_pack.h>"
    IMGUI_DISABLE_STB_TRUETYPE_IMPLEMENTATION "IMGUI_STB_TRUETYPE_FILENAME=<stb_truetype.h>")
add_library(switchyard_window_libraries INTERFACE)
target_include_directories(switchyard_window_libraries SYSTEM INTERFACE ${SWITCHYARD_SDL2_INCLUDE_DIRS} ${SWITCHYARD_IMGUI_INCLUDE_DIRS})
target_link_libraries(switchyard_window_libraries INTERFACE imgui stb::stb)

# Lua without the libraries that scripts must not call, built like Debian's Lua for C++: its functions have C names, and an
# error is an exception.
set(lua ${SWITCHYARD_LIBRARY_SOURCES}/lua/src)
foreach(file lapi lauxlib lcode lctype ldebug ldo ldump lfunc lgc llex lmem lobject lopcodes lparser lstate lstring ltable
        ltm lundump lvm lzio)
    list(APPEND lua_sources ${lua}/${file}.c)
endforeach()
set_source_files_properties(${lua_sources} PROPERTIES LANGUAGE CXX)
file(WRITE ${include}/lua5.4-deb-multiarch.h "#define DEB_HOST_MULTIARCH \"any\"\n")  # Debian's build creates this file
add_library(lua STATIC EXCLUDE_FROM_ALL ${lua_sources})
target_compile_options(lua PRIVATE -w $<$<CONFIG:Release>:-O2> -ffp-contract=off -x c++ -include ${lua}/lua.hpp
    -DLUA_CORE= -DLUA_LIB=)  # its files define these before they include that
target_include_directories(lua SYSTEM PUBLIC ${lua} ${include})
set(SWITCHYARD_LUA_INCLUDE ${lua})
set(SWITCHYARD_LUA_LIBRARY lua)
# The libraries are created before compile.cmake sets the default of UNITY_BUILD: without this, CMake's first run and later ones would
# differ.
set_target_properties(fmt imgui lua PROPERTIES UNITY_BUILD OFF)
