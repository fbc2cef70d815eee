// For portable programs (SWITCHYARD_PORTABLE): loads SDL at run time, so that on a machine without SDL the
// program starts, prints its help and reports that SDL is missing. This file defines each SDL function that
// the window uses; the definition calls the function of the loaded library.
#include <SDL.h>
#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "sim/os/shared_library.h"

namespace {

constexpr int kOldest = 22;  // 2.0.22

bool is_supported_version(const SDL_version& version) {
    return version.major == 2 && (version.minor > 0 || version.patch >= kOldest);
}

// Loads the system's SDL. If it is missing or too old, loads the copy that is delivered with the program.
void* load_sdl() {
    const sim::os::SdlLibraryInfo files = sim::os::sdl_library_info();
    std::string found;
    for (const bool own : {false, true}) {
        void* const library =
            own ? sim::os::load_library_beside_program(files.own_copy) : sim::os::load_library(files.name);
        if (library == nullptr) continue;
        const auto get_version =
            reinterpret_cast<void(SDLCALL*)(SDL_version*)>(sim::os::symbol_of(library, "SDL_GetVersion"));
        SDL_version version{};
        if (get_version != nullptr) get_version(&version);
        if (!is_supported_version(version)) {
            found = fmt::format("; found {}.{}.{}", version.major, version.minor, version.patch);
            continue;
        }
        // Without SDL's own main(), Windows needs this call before any other call of SDL.
        if (const auto set_ready =
                reinterpret_cast<void(SDLCALL*)()>(sim::os::symbol_of(library, "SDL_SetMainReady")))
            set_ready();
        return library;
    }
    throw std::runtime_error(
        fmt::format("the window needs SDL 2.0.22 or later ({}{}): {}", files.name, found, files.advice));
}

void* sdl_function_address(const char* name) {
    static void* const library = load_sdl();
    if (void* const address = sim::os::symbol_of(library, name)) return address;
    throw std::runtime_error(fmt::format("{} has no function {}", sim::os::sdl_library_info().name, name));
}

}  // namespace

#define FORWARD(result, name, parameters, arguments)                                                 \
    extern "C" result SDLCALL name parameters {                                                      \
        static const auto function = reinterpret_cast<decltype(&name)>(sdl_function_address(#name)); \
        return function arguments;                                                                   \
    }

// clang-format off
FORWARD(SDL_Surface*, SDL_CreateRGBSurfaceWithFormatFrom, (void* pixels, int width, int height, int depth, int pitch, Uint32 format), (pixels, width, height, depth, pitch, format))
FORWARD(SDL_Renderer*, SDL_CreateRenderer, (SDL_Window* window, int index, Uint32 flags), (window, index, flags))
FORWARD(SDL_Cursor*, SDL_CreateSystemCursor, (SDL_SystemCursor id), (id))
FORWARD(SDL_Texture*, SDL_CreateTexture, (SDL_Renderer* renderer, Uint32 format, int access, int w, int h), (renderer, format, access, w, h))
FORWARD(SDL_Window*, SDL_CreateWindow, (const char* title, int x, int y, int w, int h, Uint32 flags), (title, x, y, w, h, flags))
FORWARD(void, SDL_Delay, (Uint32 ms), (ms))
FORWARD(void, SDL_DestroyRenderer, (SDL_Renderer* renderer), (renderer))
FORWARD(void, SDL_DestroyTexture, (SDL_Texture* texture), (texture))
FORWARD(void, SDL_DestroyWindow, (SDL_Window* window), (window))
FORWARD(void, SDL_FlushEvents, (Uint32 min_type, Uint32 max_type), (min_type, max_type))
FORWARD(void, SDL_FreeCursor, (SDL_Cursor* cursor), (cursor))
FORWARD(void, SDL_FreeSurface, (SDL_Surface* surface), (surface))
FORWARD(SDL_GLContext, SDL_GL_GetCurrentContext, (), ())
FORWARD(void*, SDL_GL_GetProcAddress, (const char* proc), (proc))
FORWARD(char*, SDL_GetClipboardText, (), ())
FORWARD(const char*, SDL_GetCurrentVideoDriver, (), ())
FORWARD(int, SDL_GetDisplayUsableBounds, (int display_index, SDL_Rect* rect), (display_index, rect))
FORWARD(const char*, SDL_GetError, (), ())
FORWARD(const char*, SDL_GetHint, (const char* name), (name))
FORWARD(SDL_Keycode, SDL_GetKeyFromScancode, (SDL_Scancode scancode), (scancode))
FORWARD(const char*, SDL_GetKeyName, (SDL_Keycode key), (key))
FORWARD(SDL_Keymod, SDL_GetModState, (), ())
FORWARD(SDL_Scancode, SDL_GetScancodeFromName, (const char* name), (name))
FORWARD(const char*, SDL_GetScancodeName, (SDL_Scancode scancode), (scancode))
FORWARD(Uint64, SDL_GetTicks64, (), ())
FORWARD(Uint32, SDL_GetWindowID, (SDL_Window* window), (window))
FORWARD(void, SDL_GetWindowSize, (SDL_Window* window, int* w, int* h), (window, w, h))
FORWARD(SDL_Surface*, SDL_GetWindowSurface, (SDL_Window* window), (window))
FORWARD(int, SDL_InitSubSystem, (Uint32 flags), (flags))
FORWARD(int, SDL_PollEvent, (SDL_Event* event), (event))
FORWARD(int, SDL_PushEvent, (SDL_Event* event), (event))
FORWARD(void, SDL_QuitSubSystem, (Uint32 flags), (flags))
FORWARD(int, SDL_RenderCopy, (SDL_Renderer* renderer, SDL_Texture* texture, const SDL_Rect* srcrect, const SDL_Rect* dstrect), (renderer, texture, srcrect, dstrect))
FORWARD(void, SDL_RenderPresent, (SDL_Renderer* renderer), (renderer))
FORWARD(SDL_bool, SDL_ResetHint, (const char* name), (name))
FORWARD(int, SDL_SetClipboardText, (const char* text), (text))
FORWARD(void, SDL_SetCursor, (SDL_Cursor* cursor), (cursor))
FORWARD(SDL_bool, SDL_SetHint, (const char* name, const char* value), (name, value))
FORWARD(SDL_bool, SDL_SetHintWithPriority, (const char* name, const char* value, SDL_HintPriority priority), (name, value, priority))
FORWARD(int, SDL_SetMemoryFunctions, (SDL_malloc_func malloc_func, SDL_calloc_func calloc_func, SDL_realloc_func realloc_func, SDL_free_func free_func), (malloc_func, calloc_func, realloc_func, free_func))
FORWARD(int, SDL_SetSurfaceBlendMode, (SDL_Surface* surface, SDL_BlendMode blend_mode), (surface, blend_mode))
FORWARD(int, SDL_SetTextureBlendMode, (SDL_Texture* texture, SDL_BlendMode blend_mode), (texture, blend_mode))
FORWARD(int, SDL_SetWindowFullscreen, (SDL_Window* window, Uint32 flags), (window, flags))
FORWARD(void, SDL_SetWindowSize, (SDL_Window* window, int w, int h), (window, w, h))
FORWARD(void, SDL_SetWindowTitle, (SDL_Window* window, const char* title), (window, title))
FORWARD(int, SDL_ShowCursor, (int toggle), (toggle))
FORWARD(void, SDL_ShowWindow, (SDL_Window* window), (window))
FORWARD(void, SDL_StartTextInput, (), ())
FORWARD(int, SDL_UpdateTexture, (SDL_Texture* texture, const SDL_Rect* rect, const void* pixels, int pitch), (texture, rect, pixels, pitch))
FORWARD(int, SDL_UpdateWindowSurface, (SDL_Window* window), (window))
FORWARD(int, SDL_UpperBlit, (SDL_Surface* src, const SDL_Rect* srcrect, SDL_Surface* dst, SDL_Rect* dstrect), (src, srcrect, dst, dstrect))
FORWARD(int, SDL_UpperBlitScaled, (SDL_Surface* src, const SDL_Rect* srcrect, SDL_Surface* dst, SDL_Rect* dstrect), (src, srcrect, dst, dstrect))
FORWARD(int, SDL_WaitEventTimeout, (SDL_Event* event, int timeout), (event, timeout))
FORWARD(void, SDL_free, (void* mem), (mem))
FORWARD(char*, SDL_strdup, (const char* str), (str))
// clang-format on
