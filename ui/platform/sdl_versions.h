// The differences between the versions of SDL2, from 2.0.22 on, and sdl2-compat, which is SDL2 on top of
// SDL3. Only this header and its source file look at the version of SDL.
//
// sdl2-compat 2.32 crashes when a program pushes an event that contains text: SDL_TEXTINPUT or SDL_DROPFILE.
// Pushed events of these types travel as events of types of our own.
#pragma once

#include <SDL.h>

namespace ui {

// Like SDL_PushEvent(). Throws std::runtime_error with SDL's words.
void push_event(SDL_Event event);
// Gives an event of push_event() its type again. Every event that SDL returns goes through this function.
void restore_event(SDL_Event& event);

// Where the mouse was when its wheel turned; SDL 2.26 and later report that.
void set_place_of_wheel(SDL_MouseWheelEvent& wheel, int x, int y);

}  // namespace ui
