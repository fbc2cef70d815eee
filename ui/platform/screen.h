// What shows the window's frames to a person: the part of the back end that differs from platform to
// platform. Each has one file with all that is declared here, and CMake takes one of them:
// ui/platform/screen_sdl.cpp for desktops, ui/web/screen.cpp for browsers.
#pragma once

#include <SDL.h>
#include <imgui.h>

#include <cstdint>
#include <memory>
#include <string>

#include "ui/platform/image.h"

namespace ui {

// SDL's queue of events and its names of keys, for as long as this lives.
class Events {
  public:
    // For a person at a screen, or for a run without one, to which a real keyboard and mouse have nothing to
    // say. Throws std::runtime_error with the platform's words.
    explicit Events(bool screen);
    Events(const Events&) = delete;
    Events& operator=(const Events&) = delete;
    ~Events();
};

// REQUIRES: Events for a screen live longer.
class Screen {
  public:
    virtual ~Screen() = default;

    // A resizable window, no larger than what the desktop leaves of it. Throws std::runtime_error with the
    // platform's words.
    static std::unique_ptr<Screen> open(const std::string& title, Size size);

    virtual Size size() const = 0;
    // How large text is to be for a person who has set nothing: 2 where pixels are half as large as usual.
    virtual float density() const = 0;
    // Shows rows of red, green, blue, alpha: all of the window, unless it has just got another size. A window
    // that is twice as large or more has them stretched. Returns when the next frame is due, where nothing
    // else sees to that.
    virtual void show(const std::uint32_t* pixels, Size size) = 0;
    virtual void show_cursor(ImGuiMouseCursor cursor) = 0;

    // These ask: what came of it is told by an event, or by nothing.
    virtual void resize(Size size) = 0;
    virtual void set_title(const std::string& title) = 0;
    virtual void set_fullscreen(bool full) = 0;
    virtual bool is_fullscreen() const = 0;

    // Whether the person can be asked for a file here; choose_file() does so, and one that is chosen is
    // dropped on the window.
    virtual bool offers_files() const { return false; }
    virtual void choose_file() {}

    virtual std::string clipboard() const = 0;
    virtual void set_clipboard(const std::string& text) = 0;

    // The next event, or false after so many milliseconds without one.
    virtual bool wait(SDL_Event& event, int milliseconds) = 0;
    // What was made for showing frames is lost, as SDL_RENDER_DEVICE_RESET says.
    virtual void lose_textures() {}
};

}  // namespace ui
