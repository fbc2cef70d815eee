# Writes OUTPUT, the source file that knows which build this is, unless it says so already:
# cmake -DSOURCE=... -DVERSION=0.1 -DOUTPUT=... -P version.cmake
#
# The commit is that of the working copy, with "-dirty" when a file that git knows differs from it; or else the one that
# `git archive` has put here; or else none.
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
# A copy of the sources that lies in somebody else's repository is not at that one's commit.
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
#include \"sim/cli/version.h\"

const char* sim::cli::version() { return \"@VERSION@\"; }
const char* sim::cli::commit_date() { return \"@date@\"; }
")
