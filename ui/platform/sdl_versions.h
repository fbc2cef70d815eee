// Handles the differences between the versions of SDL2 from 2.0.22 on, and sdl2-compat (SDL2 on top of SDL3).
// Only this header and its source file use SDL's version number. sdl2-compat 2.32 crashes if a program pushes
// an SDL_TEXTINPUT or SDL_DROPFILE, which contain text, so this program pushes them with event types of its
// own.
#pragma once

#include <SDL.h>

namespace ui {

// Pushes an event as SDL_PushEvent() does. Throws std::runtime_error with SDL's message.
void push_event(SDL_Event event);
// Restores an event that push_event() has changed. Call it for every event that SDL returns.
void restore_pushed_event(SDL_Event& event);

// Sets the mouse position of a wheel event, if SDL is 2.26 or later; earlier versions have no such field.
void set_wheel_position(SDL_MouseWheelEvent& wheel, int x, int y);

}  // namespace ui
