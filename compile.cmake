# How files are compiled: several in one batch (CMake's unity build) and with precompiled library headers, since most of the time
# would otherwise go into reading and instantiating the same headers again (docs/building.md).

# With precompiled headers, larger batches save little and need more memory; after a change, smaller ones are quicker. 1 compiles
# file by file, without precompiled headers: a check that each file includes what it uses.
set(batch 20)
if(EMSCRIPTEN)
    set(batch 40)  # it precompiles no headers
endif()
set(SWITCHYARD_BATCH ${batch} CACHE STRING "Files per batch, that is, per run of the compiler")
set(SWITCHYARD_PRECOMPILE ON)
if(EMSCRIPTEN OR SWITCHYARD_BATCH EQUAL 1)
    set(SWITCHYARD_PRECOMPILE OFF)
endif()

# json.hpp without the body of the literal ""_json, which nothing here uses. With it, g++ would instantiate a parser in every file that
# has these precompiled headers, 0.4 s each. Its include guard is that of the original, which each file includes by itself.
if(SWITCHYARD_PRECOMPILE)
    get_target_property(directory nlohmann_json::nlohmann_json INTERFACE_INCLUDE_DIRECTORIES)
    list(GET directory 0 directory)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${directory}/nlohmann/json.hpp)
    file(READ ${directory}/nlohmann/json.hpp text)
    string(REGEX REPLACE "{[ \n]*return nlohmann::json::parse\\(s, s \\+ n\\);[ \n]*}" ";" text "${text}")
    set(SWITCHYARD_JSON_HEADER ${CMAKE_BINARY_DIR}/json.hpp)
    file(CONFIGURE OUTPUT ${SWITCHYARD_JSON_HEADER} CONTENT "${text}" @ONLY)
endif()

# The sets of headers that are precompiled.
set(SWITCHYARD_HEADERS_ENGINE
    <fmt/format.h> <algorithm> <array> <charconv> <chrono> <cmath> <cstdint> <deque> <functional> <map> <memory> <optional> <set>
    <span> <sstream> <string> <string_view> <utility> <vector>)
set(SWITCHYARD_HEADERS_DOCUMENTS "${SWITCHYARD_JSON_HEADER}" ${SWITCHYARD_HEADERS_ENGINE} <filesystem>)
set(SWITCHYARD_HEADERS_TESTS <gtest/gtest.h> ${SWITCHYARD_HEADERS_DOCUMENTS} <fstream> <regex>)

# Gives the target the precompiled headers of a set. Targets with the same compile options share them.
function(switchyard_precompile target set) # OPTION...
    string(MAKE_C_IDENTIFIER "headers_${set}${ARGN}" name)
    get_target_property(unwatched ${target} SWITCHYARD_UNWATCHED)
    if(unwatched)
        string(APPEND name _unwatched)
    endif()
    if(NOT TARGET ${name})
        set(empty ${CMAKE_BINARY_DIR}/${name}.cpp)
        file(CONFIGURE OUTPUT ${empty} CONTENT "// CMake needs a file to attach the precompiled headers to.\n")
        add_library(${name} OBJECT ${empty})
        if(unwatched)
            set_target_properties(${name} PROPERTIES SWITCHYARD_UNWATCHED ON)
        endif()
        find_package(Threads REQUIRED)
        target_link_libraries(${name} PRIVATE switchyard_options fmt::fmt nlohmann_json::nlohmann_json Threads::Threads)
        if(set STREQUAL TESTS)
            target_link_libraries(${name} PRIVATE GTest::gtest)
        endif()
        target_compile_options(${name} PRIVATE ${ARGN})
        target_precompile_headers(${name} PRIVATE ${SWITCHYARD_HEADERS_${set}})
    endif()
    target_precompile_headers(${target} REUSE_FROM ${name})
endfunction()

# switchyard_in_batches(TARGET SET LEVEL [OPTION...]): compiles the target's files in batches, with a set of precompiled headers:
# ENGINE, DOCUMENTS or TESTS. Release optimises the files at LEVEL; the options are for all build types.
function(switchyard_in_batches target set level)
    if(EMSCRIPTEN AND level STREQUAL -Og)
        set(level -Os)  # a page has to be loaded first
    endif()
    set(options ${ARGN})
    if(CMAKE_BUILD_TYPE STREQUAL Release)
        set(options ${level} ${ARGN})
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${SWITCHYARD_BATCH})
    target_compile_options(${target} PRIVATE ${options})
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
        # KiB: g++ frees memory only when the heap has grown to this, and again each time it has doubled. The default of 128 MiB means
        # two or three times in a batch; this one, with 30 MiB more at the peak, once or never.
        target_compile_options(${target} PRIVATE --param=ggc-min-heapsize=220000)
    endif()
    if(SWITCHYARD_PRECOMPILE)
        switchyard_precompile(${target} ${set} ${options})
    endif()
endfunction()

# switchyard_compile_alone(FILE... [OPTIONS OPTION...]): these files of the calling directory are in no batch. With options of
# their own they have no precompiled headers either: g++ 12 may crash on headers that were compiled with other ones.
function(switchyard_compile_alone)
    cmake_parse_arguments(ARG "" "" "OPTIONS" ${ARGN})
    set_source_files_properties(${ARG_UNPARSED_ARGUMENTS} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    if(ARG_OPTIONS)
        set_source_files_properties(${ARG_UNPARSED_ARGUMENTS} PROPERTIES
            COMPILE_OPTIONS "${ARG_OPTIONS}" SKIP_PRECOMPILE_HEADERS ON)
    endif()
endfunction()
