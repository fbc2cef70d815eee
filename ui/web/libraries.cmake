# The libraries for browsers: from Debian's headers and sources, since its libraries are for other processors. The
# targets have the names that the searches for the libraries give them.
set(SWITCHYARD_DEBIAN_SOURCES ${PROJECT_SOURCE_DIR}/build/web-sources CACHE PATH
    "Where `./run web` has unpacked the sources of imgui and lua5.4 and the headers of SDL")
set(include ${CMAKE_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${include})
foreach(library fmt nlohmann)
    file(CREATE_LINK /usr/include/${library} ${include}/${library} SYMBOLIC)
endforeach()

add_library(fmt STATIC ${PROJECT_SOURCE_DIR}/sim/cli/static_fmt.cpp)
target_include_directories(fmt SYSTEM PUBLIC ${include})
add_library(fmt::fmt ALIAS fmt)
add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
target_include_directories(nlohmann_json::nlohmann_json SYSTEM INTERFACE ${include})

# Dear ImGui as Debian builds it: stb's code for fonts is that of ui/platform/fonts.cpp.
set(SWITCHYARD_STB_INCLUDE_DIRS /usr/include/stb)
set(SWITCHYARD_IMGUI_INCLUDE_DIRS ${SWITCHYARD_DEBIAN_SOURCES}/imgui)
set(SWITCHYARD_SDL2_INCLUDE_DIRS ${SWITCHYARD_DEBIAN_SOURCES}/sdl/usr/include/SDL2)
file(READ ${SWITCHYARD_IMGUI_INCLUDE_DIRS}/imgui.h text)
string(REGEX MATCH "IMGUI_VERSION +\"([^\"]+)\"" text "${text}")
set(SWITCHYARD_IMGUI_VERSION ${CMAKE_MATCH_1})
add_library(imgui STATIC EXCLUDE_FROM_ALL
    ${SWITCHYARD_IMGUI_INCLUDE_DIRS}/imgui.cpp ${SWITCHYARD_IMGUI_INCLUDE_DIRS}/imgui_draw.cpp
    ${SWITCHYARD_IMGUI_INCLUDE_DIRS}/imgui_tables.cpp ${SWITCHYARD_IMGUI_INCLUDE_DIRS}/imgui_widgets.cpp
    ${CMAKE_CURRENT_LIST_DIR}/stb.cpp)
target_include_directories(imgui SYSTEM PRIVATE ${SWITCHYARD_STB_INCLUDE_DIRS})
target_compile_options(imgui PRIVATE $<$<CONFIG:Release>:-O2> -ffp-contract=off)
target_compile_definitions(imgui PRIVATE
    IMGUI_DISABLE_STB_RECT_PACK_IMPLEMENTATION "IMGUI_STB_RECT_PACK_FILENAME=<stb_rect_pack.h>"
    IMGUI_DISABLE_STB_TRUETYPE_IMPLEMENTATION "IMGUI_STB_TRUETYPE_FILENAME=<stb_truetype.h>")
add_library(stb::stb INTERFACE IMPORTED)
target_include_directories(stb::stb SYSTEM INTERFACE ${SWITCHYARD_STB_INCLUDE_DIRS})
add_library(switchyard_window_libraries INTERFACE)
target_include_directories(switchyard_window_libraries SYSTEM INTERFACE ${SWITCHYARD_SDL2_INCLUDE_DIRS} ${SWITCHYARD_IMGUI_INCLUDE_DIRS})
target_link_libraries(switchyard_window_libraries INTERFACE imgui stb::stb)

# Lua without the libraries that scripts must not call, built like Debian's Lua for C++: its functions have C names, and an
# error is an exception.
set(lua ${SWITCHYARD_DEBIAN_SOURCES}/lua/src)
foreach(file lapi lauxlib lcode lctype ldebug ldo ldump lfunc lgc llex lmem lobject lopcodes lparser lstate lstring ltable
        ltm lundump lvm lzio)
    list(APPEND lua_sources ${lua}/${file}.c)
endforeach()
set_source_files_properties(${lua_sources} PROPERTIES LANGUAGE CXX)
file(WRITE ${include}/lua5.4-deb-multiarch.h "#define DEB_HOST_MULTIARCH \"wasm\"\n")  # Debian's build creates this file
add_library(lua STATIC EXCLUDE_FROM_ALL ${lua_sources})
target_compile_options(lua PRIVATE $<$<CONFIG:Release>:-O2> -ffp-contract=off -x c++ -include ${lua}/lua.hpp
    -DLUA_CORE= -DLUA_LIB=)  # its files define these before they include that
target_include_directories(lua SYSTEM PUBLIC ${lua} ${include})
set(SWITCHYARD_LUA_INCLUDE ${lua})
set(SWITCHYARD_LUA_LIBRARY lua)

find_package(Python3 REQUIRED COMPONENTS Interpreter)
foreach(font DejaVuSans DejaVuSansMono DejaVuSans-Bold)
    set(SWITCHYARD_FONT_${font} ${CMAKE_BINARY_DIR}/${font}.ttf)
    set(parts ${CMAKE_CURRENT_LIST_DIR}/fonts.py /usr/share/fonts/truetype/dejavu/${font}.ttf)
    add_custom_command(OUTPUT ${SWITCHYARD_FONT_${font}}
        COMMAND ${Python3_EXECUTABLE} ${parts} ${SWITCHYARD_FONT_${font}}
        DEPENDS ${parts} ${PROJECT_SOURCE_DIR}/ui/platform/fonts.cpp VERBATIM)
    list(APPEND fonts ${SWITCHYARD_FONT_${font}})
endforeach()
add_custom_target(switchyard_fonts DEPENDS ${fonts})
