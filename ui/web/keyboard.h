// The keys of a US keyboard: their names in SDL, and their names in the browser (KeyboardEvent.code).
#pragma once

#include <SDL.h>

#include <span>
#include <string_view>

namespace ui {

struct KeyboardKey {
    SDL_Scancode place;
    const char* name;  // the name in SDL
    const char* code;  // the name in the browser
};

std::span<const KeyboardKey> keyboard_keys();

// The key with this scancode, or with this name in the browser; null if it is not in the table.
const KeyboardKey* keyboard_key(SDL_Scancode scancode);
const KeyboardKey* keyboard_key(std::string_view browser_name);

}  // namespace ui
