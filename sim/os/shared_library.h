// Libraries that are loaded while the program runs.
#pragma once

namespace sim::os {

// Loads a library by its file name from the directories that the system searches. Returns nullptr if the
// library cannot be loaded. A loaded library stays loaded until the program ends.
void* load_library(const char* name);
// Like load_library(), for a path relative to the directory of the program.
void* load_library_beside_program(const char* path);

// Names under which the SDL 2 library is found on this system.
struct SdlLibraryInfo {
    const char* name;      // for load_library()
    const char* own_copy;  // the copy in this program's archive, for load_library_beside_program()
    const char* advice;    // how to install SDL 2, for a message
};
SdlLibraryInfo sdl_library_info();

// The address of a function or variable of the library; nullptr if there is none of this name.
void* symbol_of(void* library, const char* name);

}  // namespace sim::os
