#include "sim/os/shared_library.h"

#include <dlfcn.h>

#include <filesystem>
#include <string>

namespace sim::os {

void* load_library(const char* name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }

void* load_library_beside_program(const char* path) {
    // The address of a function of the program leads to its file, without /proc.
    Dl_info program{};
    if (dladdr(reinterpret_cast<void*>(&load_library_beside_program), &program) == 0) return nullptr;
    std::error_code error;
    const std::filesystem::path file = std::filesystem::canonical(program.dli_fname, error);
    return error ? nullptr : load_library((file.parent_path() / path).c_str());
}

void* symbol_of(void* library, const char* name) { return dlsym(library, name); }

}  // namespace sim::os
