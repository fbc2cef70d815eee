// Displays the window's frames: the platform-specific part of ui/platform. CMake selects the implementation:
// ui/platform/screen_sdl.cpp for desktops, ui/web/screen.cpp for browsers.
#pragma once

#include <SDL.h>
#include <imgui.h>

#include <cstdint>
#include <memory>
#include <string>

#include "ui/platform/image.h"

namespace ui {

// SDL's event queue and key names, during its lifetime.
class Events {
  public:
    // `screen`: false for a headless run, which ignores the real keyboard and mouse. Throws
    // std::runtime_error with the platform's message.
    explicit Events(bool screen);
    Events(const Events&) = delete;
    Events& operator=(const Events&) = delete;
    ~Events();
};

// REQUIRES: an Events(true) outlives it.
class Screen {
  public:
    virtual ~Screen() = default;

    // Resizable, limited to the usable part of the desktop. Throws std::runtime_error with the platform's
    // message.
    static std::unique_ptr<Screen> open(const std::string& title, Size size);

    virtual Size size() const = 0;
    // Default scale for users without a setting; 2 if pixels have half the usual size.
    virtual float density() const = 0;
    // Displays rows of red, green, blue, alpha that cover the window unless its size has just changed;
    // enlarges them in a window of at least twice the size. Returns when the next frame is due, unless
    // something else limits the frame rate.
    virtual void show(const std::uint32_t* pixels, Size size) = 0;
    virtual void show_cursor(ImGuiMouseCursor cursor) = 0;

    // These are requests; an event reports the result, if there is one.
    virtual void resize(Size size) = 0;
    virtual void set_title(const std::string& title) = 0;
    virtual void set_fullscreen(bool full) = 0;
    virtual bool is_fullscreen() const = 0;

    // True if the user can be asked for a file. choose_file() does so; the chosen file arrives as a drop
    // event.
    virtual bool offers_files() const { return false; }
    virtual void choose_file() {}

    virtual std::string clipboard() const = 0;
    virtual void set_clipboard(const std::string& text) = 0;

    // The next event; false after `milliseconds` without one.
    virtual bool wait(SDL_Event& event, int milliseconds) = 0;
    // Drops the textures, which SDL_RENDER_DEVICE_RESET invalidates.
    virtual void lose_textures() {}
};

}  // namespace ui
