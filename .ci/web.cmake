# For `./run web`: Debian's Emscripten.
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
set(CMAKE_CXX_FLAGS_INIT -fwasm-exceptions)
# The linker runs Debian's node modules. Debian's node finds them; another node needs their path.
set(CMAKE_CXX_LINKER_LAUNCHER ${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs)
