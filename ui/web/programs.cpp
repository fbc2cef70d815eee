// Replaces the function that starts programs, because a page cannot start programs. A feature that needs a
// program, such as compressed traces, reports that the program is missing.
#include <spawn.h>

#include <cerrno>

extern "C" int posix_spawnp(pid_t* /*child*/, const char* /*file*/,
                            const posix_spawn_file_actions_t* /*actions*/,
                            const posix_spawnattr_t* /*attributes*/, char* const* /*words*/,
                            char* const* /*environment*/) {
    return ENOENT;
}
