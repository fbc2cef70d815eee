#include "sim/os/shared_library.h"

#include <windows.h>

namespace sim::os {

void* load_library(const char* name) {
    // Not in the current directory, where anybody could have put a library.
    return LoadLibraryExA(name, nullptr, LOAD_LIBRARY_SEARCH_APPLICATION_DIR | LOAD_LIBRARY_SEARCH_SYSTEM32);
}

void* load_library_beside_program(const char* path) { return load_library(path); }

void* symbol_of(void* library, const char* name) {
    return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}

}  // namespace sim::os
