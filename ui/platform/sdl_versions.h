// The differences between the versions of SDL2 from 2.0.22 on and sdl2-compat (SDL2 on top of SDL3). Only
// this header and its source file use SDL's version number. sdl2-compat 2.32 crashes if a program pushes an
// SDL_TEXTINPUT or SDL_DROPFILE, which contain text, so such events are pushed with event types of this
// program.
#pragma once

#include <SDL.h>

namespace ui {

// Like SDL_PushEvent(). Throws std::runtime_error with SDL's message.
void push_event(SDL_Event event);
// Restores the type of an event from push_event(). Call it for every event that SDL returns.
void restore_event(SDL_Event& event);

// Sets the mouse position of a wheel event, if SDL is 2.26 or later; earlier versions have no such field.
void set_place_of_wheel(SDL_MouseWheelEvent& wheel, int x, int y);

}  // namespace ui
