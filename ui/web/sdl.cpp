// Replaces the parts of SDL that the window uses: an event queue, and SDL's key names of a US keyboard.
#include <SDL.h>
#include <strings.h>

#include <cctype>
#include <cstdlib>
#include <deque>
#include <string_view>

#include "ui/web/keyboard.h"

namespace {

std::deque<SDL_Event>& queue() {
    static std::deque<SDL_Event> events;
    return events;
}

}  // namespace

extern "C" {

int SDL_PollEvent(SDL_Event* event) {
    if (queue().empty()) return 0;
    *event = queue().front();
    queue().pop_front();
    return 1;
}

const char* SDL_GetError() { return "SDL has no error text in a browser"; }

int SDL_PushEvent(SDL_Event* event) {
    queue().push_back(*event);
    return 1;
}

void SDL_free(void* memory) { std::free(memory); }

const char* SDL_GetScancodeName(SDL_Scancode scancode) {
    const ui::KeyboardKey* key = ui::keyboard_key(scancode);
    return key != nullptr ? key->name : "";
}

SDL_Scancode SDL_GetScancodeFromName(const char* name) {
    for (const ui::KeyboardKey& key : ui::keyboard_keys())
        if (strcasecmp(key.name, name) == 0) return key.place;
    return SDL_SCANCODE_UNKNOWN;
}

// A key that types a character is identified by the character that it types without Shift. Any other key is
// identified by its position.
SDL_Keycode SDL_GetKeyFromScancode(SDL_Scancode scancode) {
    const ui::KeyboardKey* key = ui::keyboard_key(scancode);
    if (key == nullptr) return SDLK_UNKNOWN;
    switch (scancode) {
        case SDL_SCANCODE_RETURN:
            return SDLK_RETURN;
        case SDL_SCANCODE_ESCAPE:
            return SDLK_ESCAPE;
        case SDL_SCANCODE_BACKSPACE:
            return SDLK_BACKSPACE;
        case SDL_SCANCODE_TAB:
            return SDLK_TAB;
        case SDL_SCANCODE_SPACE:
            return SDLK_SPACE;
        case SDL_SCANCODE_DELETE:
            return SDLK_DELETE;
        default:
            break;
    }
    const std::string_view name = key->name;
    if (name.size() == 1) return std::tolower(static_cast<unsigned char>(name.front()));
    return SDL_SCANCODE_TO_KEYCODE(scancode);
}

const char* SDL_GetKeyName(SDL_Keycode code) {
    for (const ui::KeyboardKey& key : ui::keyboard_keys())
        if (SDL_GetKeyFromScancode(key.place) == code) return key.name;
    return "";
}

}  // extern "C"
