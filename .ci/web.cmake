# For `./run web`: Debian's Emscripten.
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
set(CMAKE_CXX_FLAGS_INIT -fwasm-exceptions)
# Debian's node finds Debian's modules, which the linker runs; another one has to be told where they are.
set(CMAKE_CXX_LINKER_LAUNCHER ${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs)
