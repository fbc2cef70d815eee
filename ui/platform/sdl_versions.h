// The differences between versions of SDL2 from 2.0.22 on and sdl2-compat, which is SDL2 on top of SDL3. Only
// this header and its source file use SDL's version.
//
// sdl2-compat 2.32 crashes if a program pushes SDL_TEXTINPUT or SDL_DROPFILE, which contain text: these are
// pushed with event types of our own.
#pragma once

#include <SDL.h>

namespace ui {

// Like SDL_PushEvent(). Throws std::runtime_error with SDL's message.
void push_event(SDL_Event event);
// Restores the type of an event from push_event(). Call it for every event that SDL returns.
void restore_event(SDL_Event& event);

// Sets the mouse position of a wheel event; SDL 2.26 and later have it.
void set_place_of_wheel(SDL_MouseWheelEvent& wheel, int x, int y);

}  // namespace ui
