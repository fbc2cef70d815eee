#include "sim/os/shared_library.h"

#include <dlfcn.h>

#include <filesystem>
#include <string>

namespace sim::os {

void* load_library(const char* name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }

void* load_library_beside_program(const char* path) {
    std::error_code error;
#ifdef __linux__
    const std::filesystem::path file = std::filesystem::read_symlink("/proc/self/exe", error);
#else
    Dl_info program{};
    if (dladdr(reinterpret_cast<void*>(&load_library_beside_program), &program) == 0) return nullptr;
    const std::filesystem::path file = std::filesystem::canonical(program.dli_fname, error);
#endif
    return error ? nullptr : load_library((file.parent_path() / path).c_str());
}

SdlLibraryInfo sdl_library_info() {
#ifdef __APPLE__
    constexpr const char* kName = "libSDL2-2.0.0.dylib";
    return {kName, kName, "install SDL 2, for example with `brew install sdl2`"};
#else
    return {"libSDL2-2.0.so.0", "../lib/switchyard/libSDL2-2.0.so.0",
            "install it (Debian and Ubuntu: libsdl2-2.0-0, Fedora: SDL2, Arch: sdl2), or unpack the whole "
            "archive, which has a copy in lib/switchyard"};
#endif
}

void* symbol_of(void* library, const char* name) { return dlsym(library, name); }

}  // namespace sim::os
