# Writes OUTPUT, the source file with the version of this build, unless it is up to date:
# cmake -DSOURCE=... -DVERSION=0.1 -DOUTPUT=... -P version.cmake
#
# The commit is that of the working copy, with "-dirty" if a tracked file differs from it; otherwise the one that
# `git archive` has written here; otherwise none.
cmake_minimum_required(VERSION 3.22)
set(commit "$Format:%H$")
set(date "$Format:%cs$")
if(NOT commit MATCHES "^[0-9a-f]+$")
    set(commit "")
    set(date "")
endif()
set(ENV{GIT_OPTIONAL_LOCKS} 0)
function(git variable)
    execute_process(COMMAND git -C ${SOURCE} ${ARGN}
        OUTPUT_VARIABLE output ERROR_QUIET RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(failed)
        set(output "")
    endif()
    set(${variable} "${output}" PARENT_SCOPE)
endfunction()
# The commit of a repository that only contains a copy of the sources is not the commit of this project.
git(inside rev-parse --show-prefix HEAD)
if(inside MATCHES "^\n?[0-9a-f]+$")
    git(commit rev-parse HEAD)
    git(date log -1 --format=%cs)
    git(changes status --porcelain --untracked-files=no)
    if(changes)
        set(dirty "-dirty")
    endif()
endif()
if(commit)
    string(SUBSTRING ${commit} 0 7 commit)
    set(VERSION "${VERSION} (${commit}${dirty})")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT "// Made by version.cmake.
#include \"sim/command_line/version.h\"

const char* sim::cli::version() { return \"@VERSION@\"; }
const char* sim::cli::commit_date() { return \"@date@\"; }
")
