# How files are compiled: several in one batch (CMake's unity build) and with precompiled library headers, since most of the time
# would otherwise go into reading and instantiating the same headers again (docs/how-to/building.md).

# With precompiled headers, larger batches save little and need more memory; after a change, smaller ones are quicker.
set(batch 20)
if(EMSCRIPTEN)
    set(batch 40)  # most builds of the page are complete ones
endif()
option(CMAKE_UNITY_BUILD "Compile several files at once. OFF also precompiles no headers: it checks that files include what they use" ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE ${batch} CACHE STRING "Files per batch, that is, per run of the compiler")
if(CMAKE_UNITY_BUILD)
    set(SWITCHYARD_PRECOMPILE ON)
endif()

# json.hpp without the body of the literal ""_json, which nothing here uses. With it, g++ would instantiate a parser in every file that
# has these precompiled headers, 0.4 s each. It has the include guard of the original, which each file includes itself.
if(SWITCHYARD_PRECOMPILE)
    get_target_property(directory nlohmann_json::nlohmann_json INTERFACE_INCLUDE_DIRECTORIES)
    list(GET directory 0 directory)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${directory}/nlohmann/json.hpp)
    file(READ ${directory}/nlohmann/json.hpp text)
    string(REGEX REPLACE "{[ \n]*return nlohmann::json::parse\\(s, s \\+ n\\);[ \n]*}" ";" text "${text}")
    set(SWITCHYARD_JSON_HEADER ${PROJECT_BINARY_DIR}/json.hpp)
    file(CONFIGURE OUTPUT ${SWITCHYARD_JSON_HEADER} CONTENT "${text}" @ONLY)
endif()

# The sets of headers that are precompiled.
set(SWITCHYARD_HEADERS_ENGINE
    <fmt/format.h> <algorithm> <array> <charconv> <chrono> <cmath> <cstdint> <deque> <functional> <map> <memory> <optional> <set>
    <span> <sstream> <string> <string_view> <utility> <vector>)
set(SWITCHYARD_HEADERS_DOCUMENTS "${SWITCHYARD_JSON_HEADER}" ${SWITCHYARD_HEADERS_ENGINE} <filesystem>)
set(SWITCHYARD_HEADERS_TESTS <gtest/gtest.h> ${SWITCHYARD_HEADERS_DOCUMENTS} <fstream> <regex>)

# switchyard_precompile(TARGET SET OPTION...): gives the target the precompiled headers of a set. Targets with the same compile
# options share them.
function(switchyard_precompile target set)
    string(MAKE_C_IDENTIFIER "headers_${set}${ARGN}" name)
    string(REGEX REPLACE "_*(_param_ggc|_fsanitize|_fno_).*" "" name ${name})
    if(-fsanitize=address,undefined IN_LIST ARGN)
        string(APPEND name _sanitized)
    endif()
    if(NOT TARGET ${name})
        set(empty ${CMAKE_BINARY_DIR}/${name}.cpp)
        file(CONFIGURE OUTPUT ${empty} CONTENT "// CMake needs a file to attach the precompiled headers to.\n")
        add_library(${name} OBJECT ${empty})
        target_link_libraries(${name} PRIVATE switchyard_options fmt::fmt nlohmann_json::nlohmann_json Threads::Threads)
        if(set STREQUAL TESTS)
            target_link_libraries(${name} PRIVATE GTest::gtest)
        endif()
        target_compile_options(${name} PRIVATE ${ARGN})
        target_precompile_headers(${name} PRIVATE ${SWITCHYARD_HEADERS_${set}})
    endif()
    target_precompile_headers(${target} REUSE_FROM ${name})
endfunction()

# switchyard_compile(TARGET SET LEVEL [OPTION...]): the project's warnings, batches, a set of precompiled headers: ENGINE, DOCUMENTS or
# TESTS. Release optimises the files at LEVEL; the options are for all build types.
function(switchyard_compile target set level)
    if(EMSCRIPTEN AND level STREQUAL -Og)
        set(level -Os)  # a page has to be loaded first
    endif()
    set(options ${ARGN})
    if(CMAKE_BUILD_TYPE STREQUAL Release)
        list(PREPEND options ${level})
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
        # KiB: g++ frees memory only when the heap has grown to this size, and again each time it has doubled. With the default of
        # 128 MiB this happens two or three times in a batch; with this value once or never, for 30 MiB more at the peak.
        list(APPEND options --param=ggc-min-heapsize=220000)
    endif()
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:switchyard_options>)
    target_compile_options(${target} PRIVATE ${options})
    if(SWITCHYARD_PRECOMPILE)
        switchyard_precompile(${target} ${set} ${options})
    endif()
endfunction()

# switchyard_module(NAME [OBJECT] [ENGINE | LINES] SOURCES FILE... [ALONE FILE...] [SANITIZED LEVEL] [USES MODULE...]
#                   [LIBRARIES TARGET...])
#
# A directory of sim/ or ui/ as the library switchyard_NAME. USES are the modules that its files include; the include graph has no
# cycles. OBJECT: not a library, but a part of another one. ENGINE: the highest optimisation; LINES: the same, but not in a page.
# ALONE: files in no batch. SANITIZED: the optimisation in builds with sanitizers, so that their tests end in time.
define_property(GLOBAL PROPERTY SWITCHYARD_LIBRARIES BRIEF_DOCS "The static libraries of all modules" FULL_DOCS "In order of creation")
function(switchyard_module name)
    cmake_parse_arguments(ARG "OBJECT;ENGINE;LINES" "SANITIZED" "SOURCES;ALONE;USES;LIBRARIES" ${ARGN})
    set(target switchyard_${name})
    set(set DOCUMENTS)
    set(level -Og)
    set(options)
    if(ARG_ENGINE OR ARG_LINES)
        set(set ENGINE)
        set(level -O3)
        set(ARG_SANITIZED -O2)
        if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_BUILD_TYPE STREQUAL Release)
            # g++ 12 combines neighbouring fields of small structs (Decision) in vector registers, and reading one field then
            # waits for all of them. The engine's loop has too few registers: loading values again costs less than keeping the
            # results of global common subexpression elimination in them.
            set(options -fno-tree-slp-vectorize -fno-gcse)
        endif()
    endif()
    if(ARG_LINES AND EMSCRIPTEN)
        set(level -Os)  # a page has to be loaded first
    endif()
    if(SWITCHYARD_SANITIZE)
        list(APPEND options ${ARG_SANITIZED} ${SWITCHYARD_SANITIZERS})
    endif()
    if(ARG_OBJECT)
        add_library(${target} OBJECT ${ARG_SOURCES} ${ARG_ALONE})
    else()
        add_library(${target} STATIC ${ARG_SOURCES} ${ARG_ALONE})
        switchyard_export(${name})
    endif()
    target_include_directories(${target} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/switchyard>)
    list(TRANSFORM ARG_USES PREPEND switchyard_)
    target_link_libraries(${target} PUBLIC ${ARG_USES} ${ARG_LIBRARIES} fmt::fmt nlohmann_json::nlohmann_json Threads::Threads)
    switchyard_compile_alone(${ARG_ALONE})
    switchyard_compile(${target} ${set} ${level} ${options})
endfunction()

# The library of a module is switchyard::NAME for other projects, and in the list of all libraries.
function(switchyard_export name)
    add_library(switchyard::${name} ALIAS switchyard_${name})
    set_target_properties(switchyard_${name} PROPERTIES EXPORT_NAME ${name})
    set_property(GLOBAL APPEND PROPERTY SWITCHYARD_LIBRARIES switchyard_${name})
endfunction()

# switchyard_compile_alone(FILE... [OPTIONS OPTION...]): these files of the calling directory are in no batch. Files with
# options have no precompiled headers either: g++ 12 may crash on headers that were compiled with other options.
function(switchyard_compile_alone)
    cmake_parse_arguments(ARG "" "" "OPTIONS" ${ARGN})
    if(NOT ARG_UNPARSED_ARGUMENTS)
        return()
    endif()
    set_source_files_properties(${ARG_UNPARSED_ARGUMENTS} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    if(ARG_OPTIONS)
        set_source_files_properties(${ARG_UNPARSED_ARGUMENTS} PROPERTIES
            COMPILE_OPTIONS "${ARG_OPTIONS}" SKIP_PRECOMPILE_HEADERS ON)
    endif()
endfunction()

# switchyard_objects_first(TARGET MODULE...): the objects of these modules come first when the target is linked. If several
# files contain an inline function, the linker keeps the first copy: with this order the most optimised one, and in builds with
# sanitizers an instrumented one.
function(switchyard_objects_first target)
    foreach(module ${ARGN})
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:switchyard_${module}>)
    endforeach()
endfunction()
