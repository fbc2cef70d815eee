#include "sim/os/shared_library.h"

#include <windows.h>

namespace sim::os {

void* load_library(const char* name) {
    // The library is not loaded from the current directory, because other users may be able to write to that
    // directory.
    return LoadLibraryExA(name, nullptr, LOAD_LIBRARY_SEARCH_APPLICATION_DIR | LOAD_LIBRARY_SEARCH_SYSTEM32);
}

void* load_library_beside_program(const char* path) { return load_library(path); }

SdlLibraryInfo sdl_library_info() {
    return {"SDL2.dll", "SDL2.dll", "unpack the whole archive: SDL2.dll belongs next to switchyard-ui.exe"};
}

void* symbol_of(void* library, const char* name) {
    return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}

}  // namespace sim::os
