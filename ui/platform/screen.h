// Displays the frames of the window. This is the platform-specific part of ui/platform. CMake selects the
// implementation:
// ui/platform/screen_sdl.cpp for desktops, ui/web/screen.cpp for browsers.
#pragma once

#include <SDL.h>
#include <imgui.h>

#include <cstdint>
#include <memory>
#include <string>

#include "ui/platform/image.h"

namespace ui {

// Initializes the subsystem of SDL that queues events and names keys. The destructor shuts the subsystem
// down.
class SdlEventSubsystem {
  public:
    // `screen`: false for a headless run, which ignores the real keyboard and mouse. Throws
    // std::runtime_error with the platform's message.
    explicit SdlEventSubsystem(bool screen);
    SdlEventSubsystem(const SdlEventSubsystem&) = delete;
    SdlEventSubsystem& operator=(const SdlEventSubsystem&) = delete;
    ~SdlEventSubsystem();
};

// The scale at which letters are readable on a screen of this height in pixels: 2 for 3840 x 2160.
inline float density_for_screen_height(int screen_height) {
    return screen_height >= 2000 ? 2.0F : screen_height >= 1700 ? 1.5F : 1.0F;
}

// A window on the screen. REQUIRES: an SdlEventSubsystem(true) outlives it.
class Screen {
  public:
    virtual ~Screen() = default;

    // Opens a resizable window, limited to the usable part of the desktop. Throws std::runtime_error with
    // the platform's message.
    static std::unique_ptr<Screen> open(const std::string& title, Size size);

    virtual Size size() const = 0;
    // The default scale of the window's contents, used unless the user has set a scale. It is 2 if pixels
    // have half the usual size.
    virtual float density() const = 0;
    // Displays a frame. `pixels`: rows of pixels with the bytes red, green, blue, alpha. A frame is enlarged
    // if the window is at least twice as large. Right after a change of the window's size, the frame may not
    // cover the window. Returns when the next frame is due; in a browser, returns at once.
    virtual void show(const std::uint32_t* pixels, Size size) = 0;
    virtual void show_cursor(ImGuiMouseCursor cursor) = 0;

    // The following functions send requests to the window system. For some of the requests, an event reports
    // the result.
    virtual void resize(Size size) = 0;
    virtual void set_title(const std::string& title) = 0;
    virtual void set_fullscreen(bool full) = 0;
    virtual bool is_fullscreen() const = 0;
    // The window id in SDL's events of this window; 0: the platform allows only one window.
    virtual std::uint32_t id() const { return 0; }

    // True if choose_file() can show a file dialog. The chosen file arrives as a drop event.
    virtual bool can_choose_file() const { return false; }
    virtual void choose_file() {}

    virtual std::string clipboard() const = 0;
    virtual void set_clipboard(const std::string& text) = 0;

    // Waits for the next event. Returns false if there is none within `milliseconds`.
    virtual bool wait(SDL_Event& event, int milliseconds) = 0;
    // Discards the textures of the renderer. Call it after SDL_RENDER_DEVICE_RESET, which makes the textures
    // invalid.
    virtual void discard_textures() {}
};

}  // namespace ui
