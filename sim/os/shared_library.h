// Libraries that are loaded while the program runs.
#pragma once

namespace sim::os {

// Loads a library by its file name, searched for as the system does. Returns nullptr if it cannot be loaded.
// It stays loaded until the program ends.
void* load_library(const char* name);
// The same for a file in the directory of the program, or at a path relative to it.
void* load_library_beside_program(const char* path);

// Where SDL 2 is found on this system.
struct SdlFiles {
    const char* name;      // for load_library()
    const char* own_copy;  // in an unpacked archive of this program, for load_library_beside_program()
    const char* advice;    // how to install it, for a message
};
SdlFiles sdl_files();

// The address of a function or variable of the library; nullptr if there is none of this name.
void* symbol_of(void* library, const char* name);

}  // namespace sim::os
